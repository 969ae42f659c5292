// Finds activation functions by their ONNX names, and evaluates them.
#include "core/ops/recurrent/recurrent_op.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/support/errors.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::ops {
namespace {

[[noreturn]] void fail_unknown(const std::string& name) {
    std::vector<std::string> known;
    for (const ActivationInfo& info : kActivations) known.emplace_back(info.name);
    throw ModelError("unknown activation '" + name + "'; expected one of " + quoted_list(known));
}

// Returns a list's entries in order, and defaults past its end.
class Supply {
public:
    Supply(std::string name, const std::vector<float>& values)
        : name_(std::move(name)), values_(values) {}

    // NaN can't be a parameter: the function would be NaN everywhere, and not equal to itself.
    float next(bool taken, float default_value) {
        if (!taken) return 0.0f;
        const std::size_t index = used_++;
        if (index >= values_.size()) return default_value;
        if (!std::isnan(values_[index])) return values_[index];
        throw ModelError(name_ + " is nan at " + std::to_string(index) + "; expected a number");
    }

private:
    std::string name_;
    const std::vector<float>& values_;
    std::size_t used_ = 0;
};

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// Comparisons are written so that NaN stays NaN.
double hard_sigmoid(double line) { return line < 0.0 ? 0.0 : (line > 1.0 ? 1.0 : line); }

// The limit at infinity, where the formula itself is inf / inf.
double softsign(double x) {
    return std::isinf(x) ? std::copysign(1.0, x) : x / (1.0 + std::fabs(x));
}

// log(1 + e^x) = max(x, 0) + log(1 + e^-|x|), which can't overflow.
double softplus(double x) { return std::fmax(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }

}  // namespace

std::optional<ActivationKind> activation_from_string(std::string_view name) {
    for (const ActivationInfo& info : kActivations) {
        if (equals_ignoring_case(info.name, name)) return info.kind;
    }
    return std::nullopt;
}

bool is_standard(ActivationKind kind) {
    return kind == ActivationKind::sigmoid || kind == ActivationKind::tanh ||
           kind == ActivationKind::relu;
}

std::vector<ActivationFunction> resolve_activations(const std::vector<std::string>& names,
                                                    const std::vector<float>& alpha,
                                                    const std::vector<float>& beta,
                                                    const std::string& prefix) {
    Supply alphas(prefix + "_alpha", alpha);
    Supply betas(prefix + "_beta", beta);
    std::vector<ActivationFunction> functions;
    for (const auto& name : names) {
        const auto kind = activation_from_string(name);
        if (!kind) fail_unknown(name);
        const ActivationInfo& info = info_of(*kind);
        functions.push_back({*kind, alphas.next(info.takes_alpha, info.alpha),
                             betas.next(info.takes_beta, info.beta)});
    }
    return functions;
}

void drop_unused_parameters(const std::vector<std::string>& names, std::vector<float>& alpha,
                            std::vector<float>& beta) {
    std::size_t alphas = 0;
    std::size_t betas = 0;
    for (const auto& name : names) {
        const auto kind = activation_from_string(name);
        if (!kind) return;
        alphas += info_of(*kind).takes_alpha ? 1 : 0;
        betas += info_of(*kind).takes_beta ? 1 : 0;
    }
    alpha.resize(std::min(alpha.size(), alphas));
    beta.resize(std::min(beta.size(), betas));
}

double apply(const ActivationFunction& function, double x) {
    const double a = function.alpha;
    const double b = function.beta;
    switch (function.kind) {
        case ActivationKind::affine: return a * x + b;
        case ActivationKind::relu: return x < 0.0 ? 0.0 : x;
        case ActivationKind::leaky_relu: return x < 0.0 ? a * x : x;
        case ActivationKind::thresholded_relu: return x <= a ? 0.0 : x;
        case ActivationKind::tanh: return std::tanh(x);
        case ActivationKind::scaled_tanh: return a * std::tanh(b * x);
        case ActivationKind::sigmoid: return sigmoid(x);
        case ActivationKind::hard_sigmoid: return hard_sigmoid(a * x + b);
        case ActivationKind::elu: return x < 0.0 ? a * std::expm1(x) : x;
        case ActivationKind::softsign: return softsign(x);
        case ActivationKind::softplus: return softplus(x);
    }
    internal_error("an activation without a formula");
}

}  // namespace rondo::ops
