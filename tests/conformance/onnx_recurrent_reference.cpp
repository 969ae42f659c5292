#include "tests/conformance/onnx_recurrent_reference.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rondo::test {
namespace {

using Vector = std::vector<double>;

template <typename T>
Vector widened_as(const Tensor& tensor) {
    Vector values(tensor.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
        if constexpr (sizeof(T) == 2) {
            values[k] = static_cast<double>(static_cast<float>(tensor.data<T>()[k]));
        } else {
            values[k] = static_cast<double>(tensor.data<T>()[k]);
        }
    }
    return values;
}

Vector widened(const Tensor& tensor) {
    if (!tensor) return {};
    switch (tensor.element_type()) {
        case ElementType::f16: return widened_as<float16>(tensor);
        case ElementType::bf16: return widened_as<bfloat16>(tensor);
        case ElementType::f32: return widened_as<float>(tensor);
        case ElementType::f64: return widened_as<double>(tensor);
        case ElementType::i32: return widened_as<std::int32_t>(tensor);
        case ElementType::i64: return widened_as<std::int64_t>(tensor);
        default: throw std::invalid_argument("no such type in a recurrent node");
    }
}

// A function of the table in the operators' text, and its parameters.
struct Function {
    enum Kind {
        kRelu,
        kTanh,
        kSigmoid,
        kAffine,
        kLeakyRelu,
        kThresholdedRelu,
        kScaledTanh,
        kHardSigmoid,
        kElu,
        kSoftsign,
        kSoftplus
    };
    Kind kind;
    double alpha = 0;
    double beta = 0;
};

struct Known {
    const char* name;
    Function::Kind kind;
    bool has_alpha;
    bool has_beta;
    float alpha;  // defaults "are the same as of corresponding ONNX operators"
    float beta;
};

constexpr Known kKnown[] = {
    {"relu", Function::kRelu, false, false, 0, 0},
    {"tanh", Function::kTanh, false, false, 0, 0},
    {"sigmoid", Function::kSigmoid, false, false, 0, 0},
    {"affine", Function::kAffine, true, true, 1.0f, 0.0f},
    {"leakyrelu", Function::kLeakyRelu, true, false, 0.01f, 0},
    {"thresholdedrelu", Function::kThresholdedRelu, true, false, 1.0f, 0},
    {"scaledtanh", Function::kScaledTanh, true, true, 1.0f, 1.0f},
    {"hardsigmoid", Function::kHardSigmoid, true, true, 0.2f, 0.5f},
    {"elu", Function::kElu, true, false, 1.0f, 0},
    {"softsign", Function::kSoftsign, false, false, 0, 0},
    {"softplus", Function::kSoftplus, false, false, 0, 0},
};

const Known& known(std::string name) {
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    for (const auto& entry : kKnown) {
        if (name == entry.name) return entry;
    }
    throw std::invalid_argument("no activation function " + name);
}

// f, g and h of the first direction, then of the second.
std::vector<Function> functions_of(const RecurrentNode& node) {
    std::vector<std::string> names = node.activations;
    if (names.empty()) {
        const std::vector<std::string> each =
            node.is_lstm()  ? std::vector<std::string>{"Sigmoid", "Tanh", "Tanh"}
            : node.is_gru() ? std::vector<std::string>{"Sigmoid", "Tanh"}
                            : std::vector<std::string>{"Tanh"};
        for (std::size_t d = 0; d < node.directions(); ++d) {
            names.insert(names.end(), each.begin(), each.end());
        }
    }
    std::vector<Function> functions;
    std::size_t alphas = 0, betas = 0;
    for (const auto& name : names) {
        const Known& entry = known(name);
        Function function{entry.kind, entry.alpha, entry.beta};
        if (entry.has_alpha && alphas < node.alpha.size()) function.alpha = node.alpha[alphas++];
        if (entry.has_beta && betas < node.beta.size()) function.beta = node.beta[betas++];
        functions.push_back(function);
    }
    return functions;
}

double call(const Function& f, double x) {
    switch (f.kind) {
        case Function::kRelu: return std::max(0.0, x);
        case Function::kTanh: return std::tanh(x);
        case Function::kSigmoid: return 1 / (1 + std::exp(-x));
        case Function::kAffine: return f.alpha * x + f.beta;
        case Function::kLeakyRelu: return x >= 0 ? x : f.alpha * x;
        case Function::kThresholdedRelu: return x > f.alpha ? x : 0;
        case Function::kScaledTanh: return f.alpha * std::tanh(f.beta * x);
        case Function::kHardSigmoid: return std::min(std::max(f.alpha * x + f.beta, 0.0), 1.0);
        case Function::kElu: return x >= 0 ? x : f.alpha * (std::exp(x) - 1);
        case Function::kSoftsign: return x / (1 + std::fabs(x));
        case Function::kSoftplus:  // log(1 + e^x) where e^x is infinite
            return x > 700 ? x : std::log1p(std::exp(x));
    }
    return 0;
}

// One direction of the node: its slice of each weight, and the states of one row at a time.
class Run {
public:
    Run(const RecurrentNode& node, ReferenceResult& result)
        : node_(node), result_(result), functions_(functions_of(node)) {
        for (std::size_t k = 0; k < kInputCount; ++k) in_[k] = widened(node.inputs[k].value);
    }

    void all() {
        for (d_ = 0; d_ < node_.directions(); ++d_) {
            for (std::size_t row = 0; row < node_.n; ++row) one_row(row);
        }
    }

private:
    void one_row(std::size_t row) {
        const std::size_t length =
            in_[kLengths].empty() ? node_.t : static_cast<std::size_t>(in_[kLengths][row]);
        h_ = state(kInitialH, row);
        c_ = state(kInitialC, row);
        const bool backwards = node_.direction == "reverse" || d_ == 1;
        for (std::size_t step = 0; step < length; ++step) {
            const std::size_t time = backwards ? length - 1 - step : step;
            const std::size_t x = node_.layout ? row * node_.t + time : time * node_.n + row;
            x_.assign(in_[kX].begin() + static_cast<std::ptrdiff_t>(x * node_.i),
                      in_[kX].begin() + static_cast<std::ptrdiff_t>((x + 1) * node_.i));
            one_step();
            const std::size_t y = node_.layout ? (row * node_.t + time) * node_.directions() + d_
                                               : (time * node_.directions() + d_) * node_.n + row;
            put(0, y, h_);
        }
        if (length == 0 && node_.t > 0) {
            h_.assign(node_.h, 0);
            c_.assign(node_.h, 0);
        }
        put(1, state_place(row), h_);
        if (node_.is_lstm()) put(2, state_place(row), c_);
    }

    void one_step() {
        if (node_.is_lstm()) {
            lstm();
        } else if (node_.is_gru()) {
            gru();
        } else {
            rnn();
        }
        for (const double value : h_) note(value);
        for (const double value : c_) note(value);
    }

    // Gates iofc, peepholes iof:
    // it = f(Xt Wi' + Ht-1 Ri' + Pi . Ct-1 + Wbi + Rbi), ft likewise or 1 - it,
    // ct = g(Xt Wc' + Ht-1 Rc' + Wbc + Rbc), Ct = ft . Ct-1 + it . ct,
    // ot = f(Xt Wo' + Ht-1 Ro' + Po . Ct + Wbo + Rbo), Ht = ot . h(Ct)
    void lstm() {
        Vector next_h(node_.h), next_c(node_.h);
        for (std::size_t u = 0; u < node_.h; ++u) {
            const double i = f(0, sum(0, u) + peephole(0, u) * c_[u]);
            const double forget = node_.input_forget.value_or(false)
                                      ? 1 - i
                                      : f(0, sum(2, u) + peephole(2, u) * c_[u]);
            next_c[u] = forget * c_[u] + i * f(1, sum(3, u));
            const double o = f(0, sum(1, u) + peephole(1, u) * next_c[u]);
            next_h[u] = o * apply(2, next_c[u]);
        }
        h_ = next_h;
        c_ = next_c;
    }

    // Gates zrh:
    // zt = f(Xt Wz' + Ht-1 Rz' + Wbz + Rbz), rt likewise,
    // ht = g(Xt Wh' + (rt . Ht-1) Rh' + Rbh + Wbh), or with linear_before_reset
    // ht = g(Xt Wh' + rt . (Ht-1 Rh' + Rbh) + Wbh), Ht = (1 - zt) . ht + zt . Ht-1
    void gru() {
        Vector r(node_.h), reset(node_.h), next(node_.h);
        for (std::size_t u = 0; u < node_.h; ++u) {
            r[u] = f(0, sum(1, u));
            reset[u] = r[u] * h_[u];
        }
        for (std::size_t u = 0; u < node_.h; ++u) {
            const double z = f(0, sum(0, u));
            const double hidden = node_.linear_before_reset.value_or(false)
                                      ? r[u] * (recurrent(2, u, h_) + bias(5, u))
                                      : recurrent(2, u, reset) + bias(5, u);
            next[u] = (1 - z) * f(1, projected(2, u) + bias(2, u) + hidden) + z * h_[u];
        }
        h_ = next;
    }

    // Ht = f(Xt Wi' + Ht-1 Ri' + Wbi + Rbi)
    void rnn() {
        Vector next(node_.h);
        for (std::size_t u = 0; u < node_.h; ++u) next[u] = f(0, sum(0, u));
        h_ = next;
    }

    // Xt W' + Ht-1 R' + Wb + Rb of a gate's unit.
    double sum(std::size_t gate, std::size_t u) const {
        return projected(gate, u) + recurrent(gate, u, h_) + bias(gate, u) +
               bias(node_.gates() + gate, u);
    }
    double projected(std::size_t gate, std::size_t u) const { return dot(in_[kW], gate, u, x_); }
    double recurrent(std::size_t gate, std::size_t u, const Vector& h) const {
        return dot(in_[kR], gate, u, h);
    }
    double dot(const Vector& matrix, std::size_t gate, std::size_t u, const Vector& vector) const {
        const std::size_t row = (d_ * node_.gates() + gate) * node_.h + u;
        double total = 0;
        for (std::size_t k = 0; k < vector.size(); ++k) {
            total += matrix[row * vector.size() + k] * vector[k];
        }
        return total;
    }
    double bias(std::size_t part, std::size_t u) const {
        return in_[kB].empty() ? 0 : in_[kB][(d_ * 2 * node_.gates() + part) * node_.h + u];
    }
    double peephole(std::size_t part, std::size_t u) const {
        return in_[kP].empty() ? 0 : in_[kP][(d_ * 3 + part) * node_.h + u];
    }

    // "Clipping ... is applied to the input of activations": that is, of the gates.
    double f(std::size_t which, double x) {
        if (node_.clip.value_or(0) > 0) {
            const double bound = *node_.clip;
            x = std::min(std::max(x, -bound), bound);
        }
        return apply(which, x);
    }
    double apply(std::size_t which, double x) {
        const Function& function = functions_[d_ * node_.functions() + which];
        if (function.kind == Function::kThresholdedRelu) {
            result_.nearest_jump = std::min(result_.nearest_jump, std::fabs(x - function.alpha));
        }
        const double value = call(function, x);
        note(value);
        return value;
    }
    void note(double value) { result_.largest = std::max(result_.largest, std::fabs(value)); }

    // The index of a state's row, in rows of H.
    std::size_t state_place(std::size_t row) const {
        return node_.layout ? row * node_.directions() + d_ : d_ * node_.n + row;
    }
    Vector state(std::size_t index, std::size_t row) const {
        if (in_[index].empty()) return Vector(node_.h, 0);
        const auto from =
            in_[index].begin() + static_cast<std::ptrdiff_t>(state_place(row) * node_.h);
        return Vector(from, from + static_cast<std::ptrdiff_t>(node_.h));
    }
    void put(std::size_t output, std::size_t place, const Vector& values) {
        std::copy(values.begin(), values.end(),
                  result_.outputs[output].data<double>() + place * node_.h);
    }

    const RecurrentNode& node_;
    ReferenceResult& result_;
    std::vector<Function> functions_;
    std::array<Vector, kInputCount> in_;
    std::size_t d_ = 0;
    Vector x_, h_, c_;
};

}  // namespace

ReferenceResult onnx_reference(const RecurrentNode& node) {
    ReferenceResult result;
    for (std::size_t k = 0; k < node.output_count(); ++k) {
        result.outputs.emplace_back(ElementType::f64, node.output_shape(k));
    }
    Run(node, result).all();
    return result;
}

}  // namespace rondo::test
