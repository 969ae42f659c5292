#include "core/ir/composed_ops.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/ir/composition.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/einsum.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/indexing/scatters.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/source/range.hpp"
#include "core/ops/source/shape_of.hpp"
#include "core/support/limits.hpp"
#include "core/support/strings.hpp"

namespace rondo::ir {
namespace {

using ops::BinaryFunction;
using ops::CompareFunction;
using ops::UnaryFunction;

// The number of the interval that each element lies in: how many bounds are below it, or not above.
Output bucketize(Composition& by) {
    by.check_input_count(2, 2);
    const auto type = by.attribute("output_type", ElementType::i64);
    const bool with_right_bound = by.attribute("with_right_bound", true);
    const ElementType common =
        by.input(1).element_type() == by.type() ? by.type() : ElementType::f64;
    const Output x = by.unsqueeze(by.convert(by.input(0), common), {-1});
    const Output is_passed =
        by.compare(with_right_bound ? CompareFunction::less : CompareFunction::less_equal,
                   by.convert(by.input(1), common), x);
    return by.make<ops::Reduce>(ops::ReduceFunction::sum, by.convert(is_passed, type),
                                by.ints({-1}), false);
}

Output clamp(Composition& by) {
    by.check_input_count(1, 1);
    const auto least = static_cast<double>(by.attribute("min", 0.0F));
    const auto most = static_cast<double>(by.attribute("max", 0.0F));
    if (!(least <= most)) {
        throw ModelError("min is " + std::to_string(least) + ", max is " + std::to_string(most) +
                         "; expected min <= max");
    }
    const bool is_whole = !is_floating(by.type());
    const Output low = by.number(by.type(), is_whole ? std::ceil(least) : least);
    const Output high = by.number(by.type(), is_whole ? std::floor(most) : most);
    return by.apply(BinaryFunction::minimum, by.apply(BinaryFunction::maximum, by.input(0), low),
                    high);
}

Output convert_like(Composition& by) {
    by.check_input_count(2, 2);
    const ElementType type = by.input(1).element_type();
    if (type == ElementType::dynamic) throw UnsupportedError("the type of input 1 isn't known");
    return by.make<ops::Convert>(by.input(0), type);
}

// max(x, 0) + alpha (e^min(x, 0) - 1).
Output elu(Composition& by) {
    by.check_input_count(1, 1);
    const auto alpha = static_cast<double>(by.attribute("alpha", 1.0F));
    FloatingFormula f(by);
    return f.result(
        by.add(by.maximum(f.x(), f.number(0)), by.multiply(f.expm1_below(), f.number(alpha))));
}

Output einsum(Composition& by) {
    by.check_input_count(1, kMaxListed);
    const auto equation = by.attribute("equation", std::string());
    const Output result = ops::einsum(by, equation, by.inputs());
    // The layer needs a node of its own.
    return result == by.input(0) ? by.make<ops::Convert>(result, by.type()) : result;
}

// Ones where column - row is the number of the diagonal.
Output eye(Composition& by) {
    by.check_input_count(3, 4);
    const auto type = by.attribute("output_type", ElementType::f32);
    const Output rows = by.int_scalar(by.input(0)), columns = by.int_scalar(by.input(1));
    const Output place =
        by.apply(BinaryFunction::subtract, by.range(columns), by.unsqueeze(by.range(rows), {1}));
    const Output is_one = by.compare(CompareFunction::equal, place, by.int_scalar(by.input(2)));
    const Output matrix = by.convert(is_one, type);
    if (by.input_count() == 3) return matrix;
    const std::vector<Output> extents{by.convert(by.input(3), ElementType::i64),
                                      by.reshape(rows, {1}), by.reshape(columns, {1})};
    return by.make<ops::Broadcast>(matrix, by.make<ops::Concat>(extents, 0));
}

// x (1 + erf(x / sqrt(2))) / 2.
Output gelu(Composition& by) {
    by.check_input_count(1, 1);
    FloatingFormula f(by);
    const Output part = by.multiply(f.x(), f.number(1 / std::numbers::sqrt2));
    const Output factor = by.add(by.apply(UnaryFunction::erf, part), f.number(1));
    return f.result(by.multiply(by.multiply(f.x(), f.number(0.5)), factor));
}

// By tanh: x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.
Output gelu_7(Composition& by) {
    enum class Mode : std::uint8_t { erf, tanh };
    constexpr std::pair<std::string_view, Mode> kModes[] = {{"ERF", Mode::erf},
                                                            {"TANH", Mode::tanh}};
    Mode mode = Mode::erf;
    by.attributes().on_enum("approximation_mode", mode, kModes);
    if (mode == Mode::erf) return gelu(by);
    by.check_input_count(1, 1);
    FloatingFormula f(by);
    const Output cube =
        by.multiply(by.multiply(f.x(), f.x()), by.multiply(f.x(), f.number(0.044715)));
    const Output part = by.multiply(by.add(f.x(), cube), f.number(std::sqrt(2 / std::numbers::pi)));
    const Output factor = by.add(by.apply(UnaryFunction::tanh, part), f.number(1));
    return f.result(by.multiply(by.multiply(f.x(), f.number(0.5)), factor));
}

// max(0, min(1, alpha x + beta)).
Output hard_sigmoid(Composition& by) {
    by.check_input_count(3, 3);
    FloatingFormula f(by);
    const Output line = by.add(by.multiply(f.x(), f.parameter(1)), f.parameter(2));
    return f.result(by.maximum(by.minimum(line, f.number(1)), f.number(0)));
}

// A pass removes it.
Output identity(Composition& by) {
    by.check_input_count(1, 1);
    return by.make<ops::Convert>(by.input(0), by.type());
}

// False for NaN, too.
Output is_finite(Composition& by) {
    by.check_input_count(1, 1);
    const Output size = by.apply(UnaryFunction::abs, by.input(0));
    const double infinity = std::numeric_limits<double>::infinity();
    return by.compare(CompareFunction::less, size, by.number(by.floating_type(), infinity));
}

Output is_inf(Composition& by) {
    by.check_input_count(1, 1);
    const bool negative = by.attribute("detect_negative", true);
    const bool positive = by.attribute("detect_positive", true);
    const double infinity = std::numeric_limits<double>::infinity();
    const bool only_negative = negative && !positive;
    const Output bound = by.number(by.floating_type(), only_negative ? -infinity : infinity);
    const Output& x = by.input(0);
    if (!negative && !positive) return by.compare(CompareFunction::greater, x, bound);  // false
    const Output size = negative && positive ? by.apply(UnaryFunction::abs, x) : x;
    return by.compare(CompareFunction::equal, size, bound);
}

Output is_nan(Composition& by) {
    by.check_input_count(1, 1);
    by.floating_type();
    return by.compare(CompareFunction::not_equal, by.input(0), by.input(0));
}

// Indices outside of [0, depth) name no place, or count from the end.
Output one_hot(Composition& by) {
    by.check_input_count(4, 4);
    enum class Negative : std::uint8_t { ignored, from_end };
    constexpr std::pair<std::string_view, Negative> kModes[] = {
        {"ignore_negative", Negative::ignored}, {"normalize", Negative::from_end}};
    const auto axis = by.attribute("axis", std::int64_t{-1});
    Negative mode = Negative::ignored;
    by.attributes().on_enum("negative_indices_mode", mode, kModes);
    std::vector<std::int64_t> pattern{-1};
    if (axis != -1) {
        const auto rank = static_cast<std::int64_t>(by.rank_of(0));
        if (axis < -rank - 1 || axis > rank) {
            throw ModelError("axis is " + std::to_string(axis) + "; expected " +
                             std::to_string(-rank - 1) + " to " + std::to_string(rank));
        }
        pattern.resize(static_cast<std::size_t>(axis < 0 ? -axis : rank - axis + 1), 1);
    }
    const Output depth = by.int_scalar(by.input(1));
    const Output along = by.reshape(by.range(depth), pattern);
    Output indices = by.unsqueeze(by.convert(by.input(0), ElementType::i64), {axis});
    if (mode == Negative::from_end && by.input(0).element_type() != ElementType::u64) {
        const Output is_negative =
            by.compare(CompareFunction::less, indices, by.number(ElementType::i64, 0));
        indices = by.select(is_negative, by.apply(BinaryFunction::add, indices, depth), indices);
    }
    return by.select(by.compare(CompareFunction::equal, indices, along), by.input(2), by.input(3));
}

// A vector of slopes along axis 1 of x if it has so many elements, else along the last one.
Output placed_slopes(Composition& by, const Output& x, const Output& slopes) {
    const Dimension count = slopes.shape()[0], channels = x.shape()[1];
    std::vector<std::int64_t> along_channels(x.shape().rank() - 1, 1);
    std::vector<std::int64_t> along_last = along_channels;
    along_channels.front() = along_last.back() = -1;
    if (!count.intersect(channels)) return slopes;
    const bool is_known = count.is_static() && channels.is_static();
    if (is_known || !count.intersect(x.shape()[x.shape().rank() - 1])) {
        return by.reshape(slopes, along_channels);
    }
    const Output extent = by.make<ops::Gather>(by.make<ops::ShapeOf>(x), by.ints({1}),
                                               by.number(ElementType::i64, 0));
    const Output fits = by.compare(CompareFunction::equal, by.make<ops::ShapeOf>(slopes), extent);
    const Output pattern = by.select(fits, by.ints(along_channels), by.ints(along_last));
    return by.make<ops::Reshape>(slopes, pattern, true);
}

// x < 0 ? slope x : x, in the shape of x.
Output prelu(Composition& by) {
    by.check_input_count(2, 2);
    const Output x = by.input(0);
    Output slope = by.convert(by.single(by.input(1)), by.type());
    by.rank_of(1);
    const bool is_vector = slope.shape().rank() == 1;
    if (is_vector && by.rank_of(0) > 2) slope = placed_slopes(by, x, slope);
    const Output is_below = by.compare(CompareFunction::less, x, by.number(by.type(), 0));
    const Output y = by.select(is_below, by.apply(BinaryFunction::multiply, x, slope), x);
    if (ops::never_widens(slope.shape(), x.shape())) return y;
    return by.make<ops::Reshape>(y, by.make<ops::ShapeOf>(x), false);
}

Output range(Composition& by) {
    by.check_input_count(3, 3);
    return by.make<ops::Range>(by.input(0), by.input(1), by.input(2), by.type());
}

// The axes are numbers, or a truth value each.
Output reverse(Composition& by) {
    enum class Mode : std::uint8_t { index, mask };
    constexpr std::pair<std::string_view, Mode> kModes[] = {{"index", Mode::index},
                                                            {"mask", Mode::mask}};
    by.check_input_count(2, 2);
    Mode mode = Mode::index;
    by.attributes().on_enum("mode", mode, kModes);
    const Tensor known = known_value(by.input(1));
    if (!known) throw UnsupportedError("the axes aren't constant");
    std::vector<std::int64_t> axes = to_int64_vector(known);
    if (mode == Mode::mask) {
        std::vector<std::int64_t> marked;
        for (std::size_t i = 0; i < axes.size(); ++i) {
            if (axes[i] != 0) marked.push_back(static_cast<std::int64_t>(i));
        }
        axes = std::move(marked);
    }
    const auto all = [&](std::int64_t value) {
        return by.ints(std::vector<std::int64_t>(axes.size(), value));
    };
    constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int32_t>::min();
    return by.make<ops::Slice>(by.input(0), all(-1), all(kBeforeAll), all(-1), by.ints(axes));
}

// Numbers from `first` on.
std::vector<std::int64_t> numbers_from(std::size_t first, std::size_t end) {
    std::vector<std::int64_t> numbers;
    for (; first < end; ++first) numbers.push_back(static_cast<std::int64_t>(first));
    return numbers;
}

// The axes [first, first + count) of so many in front of the others.
std::vector<std::int64_t> in_front(std::size_t first, std::size_t count, std::size_t rank) {
    std::vector<std::int64_t> order = numbers_from(first, first + count);
    for (const auto& rest : {numbers_from(0, first), numbers_from(first + count, rank)}) {
        order.insert(order.end(), rest.begin(), rest.end());
    }
    return order;
}

// The parts of data along one axis that indices of any rank name become those of the updates.
Output scatter_update(Composition& by) {
    by.check_input_count(4, 4);
    const Tensor known = known_value(by.input(3));
    if (!known || known.size() != 1) throw UnsupportedError("the axis isn't constant");
    const std::size_t rank = by.rank_of(0), index_rank = by.rank_of(1);
    const InferContext place(by.input(0).node().name(), "ScatterUpdate", {});
    const auto axis = normalize_axis(place, to_int64_vector(known)[0], rank);
    const Output indices = by.unsqueeze(by.input(1), {-1});
    const auto scattered = [&](const Output& data, const Output& updates) {
        return by.make<ops::ScatterNDUpdate>(std::vector<Output>{data, indices, updates},
                                             ops::ScatterReduction::none);
    };
    if (axis == 0) return scattered(by.input(0), by.input(2));
    const auto moved = [&](const Output& value, const std::vector<std::int64_t>& order) {
        return by.transpose(value, order);
    };
    std::vector<std::int64_t> back = numbers_from(1, rank);
    back.insert(back.begin() + static_cast<std::ptrdiff_t>(axis), 0);
    const Output front =
        scattered(moved(by.input(0), in_front(axis, 1, rank)),
                  moved(by.input(2), in_front(axis, index_rank, rank - 1 + index_rank)));
    return moved(front, back);
}

// lambda (max(x, 0) + alpha (e^min(x, 0) - 1)).
Output selu(Composition& by) {
    by.check_input_count(3, 3);
    FloatingFormula f(by);
    const Output below = by.multiply(f.expm1_below(), f.parameter(1));
    return f.result(by.multiply(by.add(by.maximum(f.x(), f.number(0)), below), f.parameter(2)));
}

// x sigmoid(beta x).
Output swish(Composition& by) {
    by.check_input_count(1, 2);
    FloatingFormula f(by);
    const Output scaled = by.input_count() == 2 ? by.multiply(f.x(), f.parameter(1)) : f.x();
    return f.result(by.multiply(f.x(), by.apply(UnaryFunction::sigmoid, scaled)));
}

// The last part has the layer's name.
template <Output (*formula)(Composition& by)>
NodePtr compose(ComposedLayer& layer) {
    Composition by(layer);
    const NodePtr last = formula(by).node_ptr();
    last->set_name(layer.name);
    return last;
}

struct ComposedOp {
    OpType type;
    Compose compose;
};

// keep-sorted
constexpr ComposedOp kComposedOps[] = {
    {{"BatchNormInference", 5}, compose<batch_norm>},
    {{"Bucketize", 3}, compose<bucketize>},
    {{"Clamp", 1}, compose<clamp>},
    {{"ConvertLike", 1}, compose<convert_like>},
    {{"Einsum", 7}, compose<einsum>},
    {{"Elu", 1}, compose<elu>},
    {{"Eye", 9}, compose<eye>},
    {{"FakeQuantize", 1}, compose<fake_quantize>},
    {{"GRN", 1}, compose<grn>},
    {{"Gelu", 2}, compose<gelu>},
    {{"Gelu", 7}, compose<gelu_7>},
    {{"GroupNormalization", 12}, compose<group_normalization>},
    {{"HardSigmoid", 1}, compose<hard_sigmoid>},
    {{"Identity", 16}, compose<identity>},
    {{"IsFinite", 10}, compose<is_finite>},
    {{"IsInf", 10}, compose<is_inf>},
    {{"IsNaN", 10}, compose<is_nan>},
    {{"LRN", 1}, compose<lrn>},
    {{"NormalizeL2", 1}, compose<normalize_l2>},
    {{"OneHot", 1}, compose<one_hot>},
    {{"PReLU", 1}, compose<prelu>},
    {{"Range", 1}, compose<range>},
    {{"Reverse", 1}, compose<reverse>},
    {{"ScaledDotProductAttention", 13}, compose<scaled_dot_product_attention>},
    {{"ScatterUpdate", 3}, compose<scatter_update>},
    {{"Selu", 1}, compose<selu>},
    {{"Swish", 4}, compose<swish>},
};

}  // namespace

Compose find_composed(std::string_view type, std::string_view opset) {
    constexpr std::string_view kPrefix = "opset";
    long long number = 0;
    if (!opset.starts_with(kPrefix) || !parse_int(opset.substr(kPrefix.size()), number)) {
        return nullptr;
    }
    Compose best = nullptr;
    for (const ComposedOp& op : kComposedOps) {  // older forms come first
        if (equals_ignoring_case(op.type.name, type) && op.type.opset <= number) best = op.compose;
    }
    return best;
}

std::vector<OpType> composed_op_types() {
    std::vector<OpType> types;
    for (const ComposedOp& op : kComposedOps) types.push_back(op.type);
    return types;
}

}  // namespace rondo::ir
