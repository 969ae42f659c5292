// Activations that OpenVINO has no op for in ONNX's form: small graphs of elementwise ops.
#include <optional>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;
using ops::CompareFunction;
using ops::UnaryFunction;

constexpr std::int64_t kNumpySlopeSince = 7;

// What a formula does with integers.
enum class Integers { refused, as_they_are, in_f64 };

// Writes formulas: every op gets a name of its own, constants have the type of the input.
class Formula {
public:
    explicit Formula(NodeContext& context, Integers integers = Integers::refused)
        : context_(context), x_(context.input(0)), type_(NodeContext::known_type(x_, "X")) {
        skip_consumed_inputs(context);
        if (is_floating(type_)) return;
        if (integers == Integers::refused || type_ == ElementType::boolean) {
            throw UnsupportedError("the input is " + std::string(to_string(type_)) + "; expected " +
                                   (integers == Integers::refused ? "a floating type" : "numbers"));
        }
        if (integers == Integers::as_they_are) return;
        converts_back_to_ = type_;
        type_ = ElementType::f64;
        x_ = context.make<ops::Convert>(role(), x_, type_);
    }

    const Output& x() const { return x_; }
    double attribute(const char* name, double otherwise) {
        const auto value = context_.attributes().find_float(name);
        return value ? static_cast<double>(*value) : otherwise;
    }
    Output number(double value) { return make_filled(context_, role(), type_, {}, value); }

    Output add(const Output& a, const Output& b) { return binary(BinaryFunction::add, a, b); }
    Output multiply(const Output& a, const Output& b) {
        return binary(BinaryFunction::multiply, a, b);
    }
    Output divide(const Output& a, const Output& b) { return binary(BinaryFunction::divide, a, b); }
    Output max(const Output& a, const Output& b) { return binary(BinaryFunction::maximum, a, b); }
    Output min(const Output& a, const Output& b) { return binary(BinaryFunction::minimum, a, b); }
    Output select(CompareFunction function, const Output& bound, const Output& yes,
                  const Output& no) {
        const Output holds = context_.make<ops::Compare>(role(), function, x_, bound);
        return context_.make<ops::Select>(role(), holds, yes, no);
    }
    // e^y - 1 for y <= 0, exact near 0 as well: tanh(y / 2) (e^y + 1).
    Output expm1(const Output& y) {
        const Output half = multiply(y, number(0.5));
        return multiply(unary(UnaryFunction::tanh, half),
                        add(unary(UnaryFunction::exp, y), number(1)));
    }
    // The last op, named as the node.
    std::vector<Output> sum(const Output& a, const Output& b) {
        return {context_.make<ops::Binary>("", BinaryFunction::add, a, b)};
    }
    std::vector<Output> smaller(const Output& a, const Output& b) {
        return {context_.make<ops::Binary>("", BinaryFunction::minimum, a, b)};
    }
    std::vector<Output> chosen(CompareFunction function, const Output& bound, const Output& yes,
                               const Output& no) {
        if (!converts_back_to_) {
            const Output holds = context_.make<ops::Compare>(role(), function, x_, bound);
            return {context_.make<ops::Select>("", holds, yes, no)};
        }
        return {
            context_.make<ops::Convert>("", select(function, bound, yes, no), *converts_back_to_)};
    }

private:
    std::string role() { return "part_" + std::to_string(parts_++); }
    Output binary(BinaryFunction function, const Output& a, const Output& b) {
        return context_.make<ops::Binary>(role(), function, a, b);
    }
    Output unary(UnaryFunction function, const Output& a) {
        return context_.make<ops::Unary>(role(), function, a);
    }

    NodeContext& context_;
    Output x_;
    ElementType type_;
    std::optional<ElementType> converts_back_to_;
    int parts_ = 0;
};

// Before opset 7 a slope of several elements has one for each channel, axis 1 of x.
Output slope_of(NodeContext& context, const Output& x) {
    const Output slope = context.input(1);
    const PartialShape& shape = slope.shape();
    if (context.opset() >= kNumpySlopeSince || (shape.has_rank() && shape.rank() == 0)) {
        return slope;
    }
    if (!shape.has_rank() || !x.shape().has_rank()) {
        throw UnsupportedError("the rank of X or of the slope isn't known");
    }
    if (shape.rank() != 1) {
        throw ModelError("the slope has shape " + to_string(shape) + "; expected rank 1");
    }
    if (x.shape().rank() <= 2) return slope;
    std::vector<std::int64_t> pattern(x.shape().rank() - 1, 1);
    pattern[0] = -1;
    return make_reshape(context, "slope", slope, pattern);
}

}  // namespace

// max(x, 0) + alpha (e^min(x, 0) - 1).
std::vector<Output> convert_elu(NodeContext& context) {
    Formula f(context);
    const double alpha = f.attribute("alpha", 1);
    const Output below = f.expm1(f.min(f.x(), f.number(0)));
    return f.sum(f.max(f.x(), f.number(0)), f.multiply(below, f.number(alpha)));
}

// max(x, 0) + min(alpha (e^(x / alpha) - 1), 0).
std::vector<Output> convert_celu(NodeContext& context) {
    Formula f(context);
    const double alpha = f.attribute("alpha", 1);
    if (!(alpha != 0)) throw ModelError("attribute 'alpha' is 0 or no number");
    const Output below = f.multiply(f.expm1(f.divide(f.x(), f.number(alpha))), f.number(alpha));
    return f.sum(f.max(f.x(), f.number(0)), f.min(below, f.number(0)));
}

// gamma (max(x, 0) + alpha (e^min(x, 0) - 1)). Opset 6 has the defaults with more digits.
std::vector<Output> convert_selu(NodeContext& context) {
    Formula f(context);
    const bool old = context.opset() < 6;
    const double alpha = f.attribute("alpha", old ? 1.6732 : 1.6732631921768188);
    const double gamma = f.attribute("gamma", old ? 1.0507 : 1.0507010221481323);
    const Output below = f.expm1(f.min(f.x(), f.number(0)));
    return f.sum(f.multiply(f.max(f.x(), f.number(0)), f.number(gamma)),
                 f.multiply(below, f.number(alpha * gamma)));
}

// min(max(alpha x + beta, 0), 1).
std::vector<Output> convert_hard_sigmoid(NodeContext& context) {
    Formula f(context);
    const Output scaled = f.multiply(f.x(), f.number(f.attribute("alpha", 0.2F)));
    const Output line = f.add(scaled, f.number(f.attribute("beta", 0.5)));
    return f.smaller(f.max(line, f.number(0)), f.number(1));
}

// x < 0 ? alpha x : x.
std::vector<Output> convert_leaky_relu(NodeContext& context) {
    Formula f(context);
    const Output scaled = f.multiply(f.x(), f.number(f.attribute("alpha", 0.01F)));
    return f.chosen(CompareFunction::less, f.number(0), scaled, f.x());
}

// x < 0 ? slope x : x.
std::vector<Output> convert_prelu(NodeContext& context) {
    Formula f(context, Integers::as_they_are);
    return f.chosen(CompareFunction::less, f.number(0), f.multiply(f.x(), slope_of(context, f.x())),
                    f.x());
}

// x > alpha ? x : 0.
std::vector<Output> convert_thresholded_relu(NodeContext& context) {
    Formula f(context);
    const double alpha = f.attribute("alpha", 1);
    return f.chosen(CompareFunction::greater, f.number(alpha), f.x(), f.number(0));
}

// x < -lambd ? x + bias : x > lambd ? x - bias : 0.
std::vector<Output> convert_shrink(NodeContext& context) {
    Formula f(context, Integers::in_f64);
    const double bias = f.attribute("bias", 0);
    const double lambd = f.attribute("lambd", 0.5);
    const Output above = f.select(CompareFunction::greater, f.number(lambd),
                                  f.add(f.x(), f.number(-bias)), f.number(0));
    return f.chosen(CompareFunction::less, f.number(-lambd), f.add(f.x(), f.number(bias)), above);
}

}  // namespace rondo::onnx
