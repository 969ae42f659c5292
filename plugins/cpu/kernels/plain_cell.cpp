#include <algorithm>
#include <cmath>

#include "plugins/cpu/kernels/cell_math.hpp"
#include "plugins/cpu/kernels/plain_kernels.hpp"
#include "plugins/cpu/kernels/plain_ops.hpp"

namespace rondo::cpu {
namespace {

constexpr int kLanes = 8;
constexpr int kMaxGates = 4;

// Where one row meets one block.
struct Place {
    const CellStepArgs& args;
    std::int64_t row;
    std::int64_t block;
    std::int64_t state;      // index of the block's first unit in a buffer of state
    std::int64_t projected;  // index of the block's first gate in the projected gates
};

class PlainCell final : public CellKernel {
public:
    explicit PlainCell(const CellConfig& config) : CellKernel(config, kLanes) {}

    void run(int phase, const CellStepArgs& args) const override {
        for (std::int64_t row = 0; row < args.rows; ++row) {
            for (std::int64_t block = args.block_begin; block < args.block_end; ++block) {
                const std::int64_t gates = shape().gates;
                update(phase, {args, row, block, row * shape().padded + block * kLanes,
                               row * shape().projected + block * gates * kLanes});
            }
        }
    }

private:
    void update(int phase, const Place& at) const {
        switch (config().kind) {
            case CellKind::lstm: return update_lstm(at);
            case CellKind::gru: return phase == 0 ? update_gru_gates(at) : update_gru_candidate(at);
            case CellKind::gru_linear_before_reset: return update_gru_linear(at);
            case CellKind::rnn: return update_rnn(at);
        }
    }

    // sums += h times the block's panel of `count` gates; one chain of fused multiply-adds a lane.
    void add_product(const Place& at, const AlignedBuffer& panels, const float* h, int count,
                     float* sums) const {
        const int width = count * kLanes;
        const float* weights = panels.data() + at.block * shape().hidden * width;
        h += at.row * shape().padded;
        for (std::int64_t k = 0; k < shape().hidden; ++k, weights += width) {
            for (int j = 0; j < width; ++j) sums[j] = std::fma(h[k], weights[j], sums[j]);
        }
    }

    void store(const Place& at, int lane, float hidden) const {
        at.args.h_next[at.state + lane] = hidden;
        const std::int64_t unit = at.block * kLanes + lane;
        if (at.args.y != nullptr && unit < shape().hidden) at.args.y[at.row][unit] = hidden;
    }

    void update_lstm(const Place& at) const {
        float sums[kMaxGates * kLanes];
        std::copy_n(at.args.projected + at.projected, 4 * kLanes, sums);
        add_product(at, at.args.weights->recurrent, at.args.h_prev, 4, sums);
        const float* peephole = at.args.weights->peephole.data() + at.block * 3 * kLanes;
        for (int lane = 0; lane < kLanes; ++lane) {
            math::LstmInput<float> in{};
            in.f = sums[lane];
            in.i = sums[kLanes + lane];
            in.c = sums[2 * kLanes + lane];
            in.o = sums[3 * kLanes + lane];
            in.cell_state = at.args.c[at.state + lane];
            if (config().peephole) {
                in.peephole_f = peephole[lane];
                in.peephole_i = peephole[kLanes + lane];
                in.peephole_o = peephole[2 * kLanes + lane];
            }
            const auto out = math::lstm_update(ops_, config(), in);
            at.args.c[at.state + lane] = out.cell_state;
            store(at, lane, out.hidden);
        }
    }

    void update_gru_gates(const Place& at) const {
        float sums[2 * kLanes];
        std::copy_n(at.args.projected + at.projected, 2 * kLanes, sums);
        add_product(at, at.args.weights->recurrent, at.args.h_prev, 2, sums);
        for (int lane = 0; lane < kLanes; ++lane) {
            const float r = math::gate(ops_, config(), config().f, sums[kLanes + lane]);
            at.args.update_gate[at.state + lane] =
                math::gate(ops_, config(), config().f, sums[lane]);
            at.args.reset_hidden[at.state + lane] = r * at.args.h_prev[at.state + lane];
        }
    }

    void update_gru_candidate(const Place& at) const {
        float sums[kLanes];
        std::copy_n(at.args.projected + at.projected + 2 * kLanes, kLanes, sums);
        add_product(at, at.args.weights->candidate, at.args.reset_hidden, 1, sums);
        for (int lane = 0; lane < kLanes; ++lane) {
            const float candidate = math::gate(ops_, config(), config().g, sums[lane]);
            store(at, lane,
                  math::gru_blend(ops_, at.args.update_gate[at.state + lane], candidate,
                                  at.args.h_prev[at.state + lane]));
        }
    }

    void update_gru_linear(const Place& at) const {
        const float* projected = at.args.projected + at.projected;
        float sums[3 * kLanes];
        std::copy_n(projected, 2 * kLanes, sums);
        std::copy_n(at.args.weights->recurrent_bias.data() + at.block * kLanes, kLanes,
                    sums + 2 * kLanes);
        add_product(at, at.args.weights->recurrent, at.args.h_prev, 3, sums);
        for (int lane = 0; lane < kLanes; ++lane) {
            const float z = math::gate(ops_, config(), config().f, sums[lane]);
            const float r = math::gate(ops_, config(), config().f, sums[kLanes + lane]);
            const float inside = std::fma(r, sums[2 * kLanes + lane], projected[2 * kLanes + lane]);
            const float candidate = math::gate(ops_, config(), config().g, inside);
            store(at, lane, math::gru_blend(ops_, z, candidate, at.args.h_prev[at.state + lane]));
        }
    }

    void update_rnn(const Place& at) const {
        float sums[kLanes];
        std::copy_n(at.args.projected + at.projected, kLanes, sums);
        add_product(at, at.args.weights->recurrent, at.args.h_prev, 1, sums);
        for (int lane = 0; lane < kLanes; ++lane) {
            store(at, lane, math::gate(ops_, config(), config().f, sums[lane]));
        }
    }

    mutable PlainOps<float> ops_;
};

}  // namespace

std::unique_ptr<CellKernel> make_plain_cell(const CellConfig& config) {
    return std::make_unique<PlainCell>(config);
}

}  // namespace rondo::cpu
