#include "plugins/cpu/kernels/cell/cell_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "plugins/cpu/kernels/cell/cell_math.hpp"
#include "plugins/cpu/kernels/math/plain_ops.hpp"
#include "plugins/cpu/kernels/product/gemm.hpp"
#include "plugins/cpu/kernels/product/quantized_rows.hpp"

namespace rondo::cpu {
namespace {

constexpr int kMaxGates = 4;

// Where one row meets one block.
struct Place {
    const CellStepArgs& args;
    std::int64_t row;
    std::int64_t block;
    std::int64_t state;      // index of the block's first unit in a buffer of state
    std::int64_t projected;  // index of the block's first gate in the projected gates
};

// T: the scalars, W: how R is stored.
template <typename T, typename W>
class PlainCell final : public CellKernel {
public:
    explicit PlainCell(const CellConfig& config)
        : CellKernel(config, kLanes, numbers_of_step(Isa::plain, config.weights)) {}

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
    static constexpr int kLanes = lanes_of_plain<T>();

    static const T* at_index(const void* base, std::int64_t index) {
        return static_cast<const T*>(base) + index;
    }
    static T& element(void* base, std::int64_t index) { return static_cast<T*>(base)[index]; }

    void update(int phase, const Place& at) const {
        switch (config().kind) {
            case CellKind::lstm: return update_lstm(at);
            case CellKind::gru: return phase == 0 ? update_gru_gates(at) : update_gru_candidate(at);
            case CellKind::gru_linear_before_reset: return update_gru_linear(at);
            case CellKind::rnn: return update_rnn(at);
        }
    }

    // `count` gates from `first` on: sums, which hold what the chains start from, += h times the
    // block's panel; one chain of fused multiply-adds a lane. For integers the scale of the gate's
    // row * the product.
    void add_product(const Place& at, const void* panels, const void* h, int first, int count,
                     T* sums) const {
        const int width = count * kLanes;
        const T* row = at_index(h, at.row * shape().padded);
        if constexpr (std::is_same_v<T, float>) {
            if (config().weights.rounds_rows()) {
                return add_rounded_product(at, panels, row, first, width, sums);
            }
        }
        const W* weights = static_cast<const W*>(panels) + at.block * shape().hidden * width;
        for (std::int64_t k = 0; k < shape().hidden; ++k, weights += width) {
            for (int j = 0; j < width; ++j) {
                sums[j] = std::fma(row[k], static_cast<T>(weights[j]), sums[j]);
            }
        }
    }

    // Each place rounds the row again, which takes less than the product.
    void add_rounded_product(const Place& at, const void* panels, const float* row, int first,
                             int width, float* sums) const {
        QuantizedRows rows(Isa::plain, config().weights, shape().together, shape().hidden);
        rows.load(0, row);
        const auto* weights = static_cast<const W*>(panels) + at.block * shape().k * width;
        const std::int64_t gate = at.block * shape().gates + first;
        const float* scales = at.args.weights->scales;
        if (scales != nullptr) scales += gate * kLanes;
        add_plain_product({config().weights, weights, scales, shape().k / 2}, rows, width, sums);
    }

    void start(const Place& at, int first_gate, int count, T* sums) const {
        const std::int64_t from = at.projected + first_gate * kLanes;
        std::copy_n(at_index(at.args.projected, from), count * kLanes, sums);
    }

    T previous(const Place& at, int lane) const {
        return *at_index(at.args.h_prev, at.state + lane);
    }

    void store(const Place& at, int lane, T hidden) const {
        element(at.args.h_next, at.state + lane) = hidden;
        const std::int64_t unit = at.block * kLanes + lane;
        if (at.args.y != nullptr && unit < shape().hidden) {
            element(at.args.y[at.row], unit) = hidden;
        }
    }

    void update_lstm(const Place& at) const {
        T sums[kMaxGates * kLanes];
        start(at, 0, 4, sums);
        add_product(at, at.args.weights->recurrent, at.args.h_prev, 0, 4, sums);
        const T* peephole = at_index(at.args.weights->peephole, 0);
        if (config().peephole) peephole += at.block * 3 * kLanes;
        for (int lane = 0; lane < kLanes; ++lane) {
            math::LstmInput<T> in{};
            in.f = sums[lane];
            in.i = sums[kLanes + lane];
            in.c = sums[2 * kLanes + lane];
            in.o = sums[3 * kLanes + lane];
            in.cell_state = element(at.args.c, at.state + lane);
            if (config().peephole) {
                in.peephole_f = peephole[lane];
                in.peephole_i = peephole[kLanes + lane];
                in.peephole_o = peephole[2 * kLanes + lane];
            }
            const auto out = math::lstm_update(ops_, config(), in);
            element(at.args.c, at.state + lane) = out.cell_state;
            store(at, lane, out.hidden);
        }
    }

    void update_gru_gates(const Place& at) const {
        const int gates = shape().gates - 1;
        T sums[2 * kLanes];
        start(at, 0, gates, sums);
        add_product(at, at.args.weights->recurrent, at.args.h_prev, 0, gates, sums);
        const T* of_r = sums + (gates - 1) * kLanes;
        for (int lane = 0; lane < kLanes; ++lane) {
            const bool negates = config().reset == ResetSum::negative_of_z;
            const T r = math::gate(ops_, config(), config().f, negates ? -of_r[lane] : of_r[lane]);
            element(at.args.update_gate, at.state + lane) =
                math::gate(ops_, config(), config().f, sums[lane]);
            element(at.args.reset_hidden, at.state + lane) = r * previous(at, lane);
        }
    }

    void update_gru_candidate(const Place& at) const {
        T sums[kLanes];
        start(at, shape().gates - 1, 1, sums);
        add_product(at, at.args.weights->candidate, at.args.reset_hidden, shape().gates - 1, 1,
                    sums);
        for (int lane = 0; lane < kLanes; ++lane) {
            const T z = element(at.args.update_gate, at.state + lane);
            const T candidate = math::gate(ops_, config(), config().g, sums[lane]);
            store(at, lane, math::gru_blend(ops_, z, candidate, previous(at, lane)));
        }
    }

    void update_gru_linear(const Place& at) const {
        const T* candidate_start = at_index(at.args.projected, at.projected + 2 * kLanes);
        T sums[3 * kLanes];
        start(at, 0, 2, sums);
        std::copy_n(at_index(at.args.weights->recurrent_bias, at.block * kLanes), kLanes,
                    sums + 2 * kLanes);
        add_product(at, at.args.weights->recurrent, at.args.h_prev, 0, 3, sums);
        for (int lane = 0; lane < kLanes; ++lane) {
            const T z = math::gate(ops_, config(), config().f, sums[lane]);
            const T r = math::gate(ops_, config(), config().f, sums[kLanes + lane]);
            const T inside = std::fma(r, sums[2 * kLanes + lane], candidate_start[lane]);
            const T candidate = math::gate(ops_, config(), config().g, inside);
            store(at, lane, math::gru_blend(ops_, z, candidate, previous(at, lane)));
        }
    }

    void update_rnn(const Place& at) const {
        T sums[kLanes];
        start(at, 0, 1, sums);
        add_product(at, at.args.weights->recurrent, at.args.h_prev, 0, 1, sums);
        for (int lane = 0; lane < kLanes; ++lane) {
            store(at, lane, math::gate(ops_, config(), config().f, sums[lane]));
        }
    }

    mutable PlainOps<T> ops_;
};

}  // namespace

std::unique_ptr<CellKernel> make_plain_cell(const CellConfig& config) {
    switch (config.weights.type) {
        case ElementType::f64: return std::make_unique<PlainCell<double, double>>(config);
        case ElementType::f16: return std::make_unique<PlainCell<float, float16>>(config);
        case ElementType::bf16: return std::make_unique<PlainCell<float, bfloat16>>(config);
        case ElementType::i8: return std::make_unique<PlainCell<float, std::int8_t>>(config);
        case ElementType::i16: return std::make_unique<PlainCell<float, std::int16_t>>(config);
        default: return std::make_unique<PlainCell<float, float>>(config);
    }
}

}  // namespace rondo::cpu
