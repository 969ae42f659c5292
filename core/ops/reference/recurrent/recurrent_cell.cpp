#include "core/ops/reference/recurrent/recurrent_cell.hpp"

#include <algorithm>

namespace rondo::reference {
namespace {

double dot(const double* a, const double* b, std::size_t count) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
}

double input_part(const RecurrentCell& cell, std::size_t row, const double* x) {
    return dot(cell.w + row * cell.input_size, x, cell.input_size);
}

double hidden_part(const RecurrentCell& cell, std::size_t row, const double* h) {
    return dot(cell.r + row * cell.hidden_size, h, cell.hidden_size);
}

// W x + R h + b of a gate's unit.
double pre_activation(const RecurrentCell& cell, std::size_t row, const double* x,
                      const double* h) {
    return input_part(cell, row, x) + hidden_part(cell, row, h) + cell.b[row];
}

// A gate: its function of the bounded pre-activation. clamp() keeps NaN.
double gate(const RecurrentCell& cell, std::size_t function, double x) {
    if (cell.clip > 0) x = std::clamp(x, -cell.clip, cell.clip);
    return apply(cell.functions[function], x);
}

// i = f(i + Pi C), f = f(f + Pf C) or 1 - i, C' = f C + i g(c), o = f(o + Po C'), H' = o h(C').
// Gates fico, peepholes fio.
void lstm_step(const RecurrentCell& cell, const double* x, double* h, double* c) {
    const std::size_t H = cell.hidden_size;
    std::vector<double> next(H);
    for (std::size_t u = 0; u < H; ++u) {
        const auto peephole = [&](std::size_t k) {
            return cell.p ? cell.p[k * H + u] * c[u] : 0.0;
        };
        double f = pre_activation(cell, u, x, h) + peephole(0);
        double i = pre_activation(cell, H + u, x, h) + peephole(1);
        const double candidate = pre_activation(cell, 2 * H + u, x, h);
        i = gate(cell, 0, i);
        f = cell.input_forget ? 1.0 - i : gate(cell, 0, f);
        c[u] = f * c[u] + i * gate(cell, 1, candidate);
        const double o = gate(cell, 0, pre_activation(cell, 3 * H + u, x, h) + peephole(2));
        next[u] = o * apply(cell.functions[2], c[u]);
    }
    std::copy(next.begin(), next.end(), h);
}

// z, r = f(.); h~ = g(Wh x + Bh + Rh (r h)), or with linear_before_reset
// g(Wh x + Wbh + r (Rh h + Rbh)); H' = (1 - z) h~ + z H. Gates zrh.
void gru_step(const RecurrentCell& cell, const double* x, double* h) {
    const std::size_t H = cell.hidden_size;
    std::vector<double> z(H), r(H), reset(H), next(H);
    for (std::size_t u = 0; u < H; ++u) {
        z[u] = gate(cell, 0, pre_activation(cell, u, x, h));
        r[u] = gate(cell, 0, pre_activation(cell, H + u, x, h));
        reset[u] = r[u] * h[u];
    }
    for (std::size_t u = 0; u < H; ++u) {
        const std::size_t row = 2 * H + u;
        double candidate = 0;
        if (cell.linear_before_reset) {
            const double recurrent = hidden_part(cell, row, h) + cell.b[3 * H + u];
            candidate = input_part(cell, row, x) + cell.b[row] + r[u] * recurrent;
        } else {
            candidate = pre_activation(cell, row, x, reset.data());
        }
        next[u] = (1.0 - z[u]) * gate(cell, 1, candidate) + z[u] * h[u];
    }
    std::copy(next.begin(), next.end(), h);
}

// H' = f(W x + R h + B).
void rnn_step(const RecurrentCell& cell, const double* x, double* h) {
    std::vector<double> next(cell.hidden_size);
    for (std::size_t u = 0; u < next.size(); ++u) {
        next[u] = gate(cell, 0, pre_activation(cell, u, x, h));
    }
    std::copy(next.begin(), next.end(), h);
}

}  // namespace

void step(const RecurrentCell& cell, const double* x, double* h, double* c) {
    switch (cell.type) {
        case ops::CellType::lstm: lstm_step(cell, x, h, c); break;
        case ops::CellType::gru: gru_step(cell, x, h); break;
        case ops::CellType::rnn: rnn_step(cell, x, h); break;
    }
}

}  // namespace rondo::reference
