// Converts SkipLayerNormalization and SkipSimplifiedLayerNormalization of com.microsoft: a sum,
// normalised along its last axis. Types of 16 bits are computed in f32.
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

constexpr float kDefaultEpsilon = 1e-12F;

// Inputs, by their places. The simplified form, which subtracts no mean, has no beta.
enum Input : std::size_t { kData, kSkip, kGamma, kBeta, kBias };
enum class Form { full, simplified };

class SkipLayerNorm {
public:
    SkipLayerNorm(NodeContext& context, Form form)
        : context_(context),
          form_(form),
          type_(NodeContext::known_type(context.input(kData), "input")),
          wide_(type_ == ElementType::f64 ? type_ : ElementType::f32) {
        if (is_floating(type_)) return;
        throw UnsupportedError("the input is " + std::string(to_string(type_)) +
                               "; expected a floating type");
    }

    // The result, the means, the inverse deviations, and the sum.
    std::vector<Output> make() {
        const double epsilon = static_cast<double>(
            context_.attributes().find_float("epsilon").value_or(kDefaultEpsilon));
        Output sum = binary("sum", BinaryFunction::add, wide(kData), wide(kSkip));
        const Input bias = form_ == Form::full ? kBias : kBeta;
        if (context_.has_input(bias)) {
            sum = binary("biased", BinaryFunction::add, sum, wide(bias));
        }
        const Output means = form_ == Form::full ? mean("means", sum) : Output();
        const Output centred =
            means ? binary("centred", BinaryFunction::subtract, sum, means) : sum;
        const Output variances =
            mean("variances", binary("squares", BinaryFunction::multiply, centred, centred));
        const Output shifted =
            binary("shifted", BinaryFunction::add, variances, number("epsilon", epsilon));
        const Output deviations =
            context_.make<ops::Unary>("deviations", ops::UnaryFunction::sqrt, shifted);
        const Output inverses =
            binary("inverses", BinaryFunction::divide, number("one", 1), deviations);
        const Output normal = binary("normal", BinaryFunction::multiply, centred, inverses);
        return {scaled(normal), means, inverses, narrow("sum/narrow", sum)};
    }

private:
    Output binary(const std::string& role, BinaryFunction function, const Output& a,
                  const Output& b) {
        return context_.make<ops::Binary>(role, function, a, b);
    }
    Output number(const std::string& role, double value) {
        return make_filled(context_, role, wide_, {}, value);
    }
    Output wide(Input input) {
        const Output value = context_.input(input);
        if (value.element_type() == wide_) return value;
        return context_.make<ops::Convert>("input_" + std::to_string(input), value, wide_);
    }
    Output narrow(const std::string& role, const Output& value) {
        return wide_ == type_ ? value : context_.make<ops::Convert>(role, value, type_);
    }
    Output mean(const std::string& role, const Output& data) {
        return context_.make<ops::Reduce>(role, ops::ReduceFunction::mean, data,
                                          make_ints(context_, role + "/axes", {-1}), true);
    }
    // By gamma, and shifted by beta where there is one; named as the node.
    Output scaled(const Output& normal) {
        const bool has_beta = form_ == Form::full && context_.has_input(kBeta);
        const std::string last = wide_ == type_ ? "" : "wide";
        Output result =
            binary(has_beta ? "scaled" : last, BinaryFunction::multiply, normal, wide(kGamma));
        if (has_beta) result = binary(last, BinaryFunction::add, result, wide(kBeta));
        return narrow("", result);
    }

    NodeContext& context_;
    Form form_;
    ElementType type_;
    ElementType wide_;
};

}  // namespace

std::vector<Output> convert_skip_layer_normalization(NodeContext& context) {
    return SkipLayerNorm(context, Form::full).make();
}

std::vector<Output> convert_skip_simplified_layer_normalization(NodeContext& context) {
    return SkipLayerNorm(context, Form::simplified).make();
}

}  // namespace rondo::onnx
