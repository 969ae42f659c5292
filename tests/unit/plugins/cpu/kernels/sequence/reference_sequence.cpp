#include "tests/unit/plugins/cpu/kernels/sequence/reference_sequence.hpp"

#include <algorithm>
#include <cmath>

namespace rondo::cpu::tests {
namespace {

using Vector = std::vector<double>;

// One direction of one row.
class Row {
public:
    Row(const CellConfig& cell, const SequenceData& data, std::int64_t direction)
        : cell_(cell), data_(data), direction_(direction), hidden_(cell.hidden_size) {}

    Vector h, c;

    void step(const double* x) {
        switch (cell_.kind) {
            case CellKind::lstm: return step_lstm(x);
            case CellKind::gru:
            case CellKind::gru_linear_before_reset: return step_gru(x);
            case CellKind::rnn: return step_rnn(x);
        }
    }

private:
    // Unit j of gate g: x W + bias.
    double input(const double* x, std::int64_t gate, std::int64_t unit) const {
        const std::int64_t row = (direction_ * gates_of(cell_) + gate) * hidden_ + unit;
        double sum = bias(gate, unit);
        for (std::int64_t k = 0; k < cell_.input_size; ++k) {
            sum += x[k] * data_.w[static_cast<std::size_t>(row * cell_.input_size + k)];
        }
        return sum;
    }

    double recurrent(const Vector& state, std::int64_t gate, std::int64_t unit) const {
        const std::int64_t row = (direction_ * gates_of(cell_) + gate) * hidden_ + unit;
        double sum = 0.0;
        for (std::int64_t k = 0; k < hidden_; ++k) {
            sum += state[static_cast<std::size_t>(k)] *
                   data_.r[static_cast<std::size_t>(row * hidden_ + k)];
        }
        return sum;
    }

    double bias(std::int64_t index, std::int64_t unit) const {
        if (data_.b.empty()) return 0.0;
        const std::int64_t at = (direction_ * biases_of(cell_) + index) * hidden_ + unit;
        return data_.b[static_cast<std::size_t>(at)];
    }

    double peephole(std::int64_t index, std::int64_t unit) const {
        if (!cell_.peephole) return 0.0;
        return data_.p[static_cast<std::size_t>((direction_ * 3 + index) * hidden_ + unit)];
    }

    double gate(const Activation& function, double x) const {
        if (cell_.clip > 0.0f) x = std::clamp<double>(x, -cell_.clip, cell_.clip);
        return reference_activation(function, x);
    }

    void step_lstm(const double* x) {
        Vector next_h(h.size());
        for (std::int64_t j = 0; j < hidden_; ++j) {
            const auto at = static_cast<std::size_t>(j);
            const double old = c[at];
            const double f =
                gate(cell_.f, input(x, 0, j) + recurrent(h, 0, j) + peephole(0, j) * old);
            const double i =
                gate(cell_.f, input(x, 1, j) + recurrent(h, 1, j) + peephole(1, j) * old);
            const double candidate = gate(cell_.g, input(x, 2, j) + recurrent(h, 2, j));
            c[at] = (cell_.input_forget ? 1.0 - i : f) * old + i * candidate;
            const double o =
                gate(cell_.f, input(x, 3, j) + recurrent(h, 3, j) + peephole(2, j) * c[at]);
            next_h[at] = o * reference_activation(cell_.h, c[at]);
        }
        h = next_h;
    }

    void step_gru(const double* x) {
        const bool linear = cell_.kind == CellKind::gru_linear_before_reset;
        Vector z(h.size()), r(h.size()), reset(h.size()), next_h(h.size());
        for (std::int64_t j = 0; j < hidden_; ++j) {
            const auto at = static_cast<std::size_t>(j);
            z[at] = gate(cell_.f, input(x, 0, j) + recurrent(h, 0, j));
            r[at] = gate(cell_.f, input(x, 1, j) + recurrent(h, 1, j));
            reset[at] = r[at] * h[at];
        }
        for (std::int64_t j = 0; j < hidden_; ++j) {
            const auto at = static_cast<std::size_t>(j);
            const double product =
                linear ? r[at] * (recurrent(h, 2, j) + bias(3, j)) : recurrent(reset, 2, j);
            const double candidate = gate(cell_.g, input(x, 2, j) + product);
            next_h[at] = (1.0 - z[at]) * candidate + z[at] * h[at];
        }
        h = next_h;
    }

    void step_rnn(const double* x) {
        Vector next_h(h.size());
        for (std::int64_t j = 0; j < hidden_; ++j) {
            next_h[static_cast<std::size_t>(j)] =
                gate(cell_.f, input(x, 0, j) + recurrent(h, 0, j));
        }
        h = next_h;
    }

    const CellConfig& cell_;
    const SequenceData& data_;
    std::int64_t direction_;
    std::int64_t hidden_;
};

void load(Vector& state, const std::vector<double>& from, std::int64_t at, std::int64_t hidden) {
    state.assign(static_cast<std::size_t>(hidden), 0.0);
    if (from.empty()) return;
    std::copy_n(from.begin() + at, hidden, state.begin());
}

}  // namespace

double reference_activation(const Activation& a, double x) {
    const double alpha = a.alpha, beta = a.beta;
    switch (a.kind) {
        case ActivationKind::affine: return alpha * x + beta;
        case ActivationKind::relu: return std::max(x, 0.0);
        case ActivationKind::leaky_relu: return x >= 0.0 ? x : alpha * x;
        case ActivationKind::thresholded_relu: return x > alpha ? x : 0.0;
        case ActivationKind::tanh: return std::tanh(x);
        case ActivationKind::scaled_tanh: return alpha * std::tanh(beta * x);
        case ActivationKind::sigmoid: return 1.0 / (1.0 + std::exp(-x));
        case ActivationKind::hard_sigmoid: return std::min(std::max(alpha * x + beta, 0.0), 1.0);
        case ActivationKind::elu: return x >= 0.0 ? x : alpha * std::expm1(x);
        case ActivationKind::softsign:
            return std::isinf(x) ? std::copysign(1.0, x) : x / (1.0 + std::abs(x));
        case ActivationKind::softplus:
            return x > 0.0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
    }
    return x;
}

SequenceResult reference_sequence(const SequenceConfig& config, const SequenceData& data) {
    const auto directions = static_cast<std::int64_t>(config.cells.size());
    const std::int64_t hidden = config.cells[0].hidden_size, input = config.cells[0].input_size;
    SequenceResult result;
    result.y.assign(static_cast<std::size_t>(data.batch * directions * data.time * hidden), 0.0);
    result.ho.assign(static_cast<std::size_t>(data.batch * directions * hidden), 0.0);
    result.co = result.ho;
    for (std::int64_t n = 0; n < data.batch; ++n) {
        for (std::int64_t d = 0; d < directions; ++d) {
            const std::int64_t length =
                data.lengths.empty() ? data.time : data.lengths[static_cast<std::size_t>(n)];
            const bool reverse = d == 1 || config.direction == Direction::reverse;
            const std::int64_t at = (n * directions + d) * hidden;
            Row row(config.cells[static_cast<std::size_t>(d)], data, d);
            load(row.h, data.h0, at, hidden);
            load(row.c, data.c0, at, hidden);
            if (length == 0 && !data.lengths.empty()) continue;
            for (std::int64_t s = 0; s < length; ++s) {
                const std::int64_t t = reverse ? length - 1 - s : s;
                row.step(data.x.data() + (n * data.time + t) * input);
                std::copy(row.h.begin(), row.h.end(),
                          result.y.begin() + ((n * directions + d) * data.time + t) * hidden);
            }
            std::copy(row.h.begin(), row.h.end(), result.ho.begin() + at);
            std::copy(row.c.begin(), row.c.end(), result.co.begin() + at);
        }
    }
    return result;
}

}  // namespace rondo::cpu::tests
