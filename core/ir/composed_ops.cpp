#include "core/ir/composed_ops.hpp"

#include <cmath>
#include <limits>

#include "core/ir/composition.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/compositions.hpp"
#include "core/ops/einsum.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/limits.hpp"
#include "core/support/strings.hpp"

namespace rondo::ir {
namespace {

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
    const Output bounds = by.convert(by.input(1), common);
    const Output is_passed = with_right_bound ? by.less(bounds, x) : by.less_equal(bounds, x);
    return by.sum_along(by.convert(is_passed, type), -1);
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
    return ops::clip(by, by.input(0), is_whole ? std::ceil(least) : least,
                     is_whole ? std::floor(most) : most);
}

Output convert_like(Composition& by) {
    by.check_input_count(2, 2);
    const ElementType type = by.input(1).element_type();
    if (type == ElementType::dynamic) throw UnsupportedError("the type of input 1 isn't known");
    return by.make<ops::Convert>(by.input(0), type);
}

Output elu(Composition& by) {
    by.check_input_count(1, 1);
    const auto alpha = static_cast<double>(by.attribute("alpha", 1.0F));
    FloatingFormula f(by);
    return f.result(ops::elu(by, f.x(), alpha));
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
    const ops::Diagonal place = ops::diagonal(by, rows, columns, by.int_scalar(by.input(2)));
    const Output matrix = by.convert(by.equal(place.columns, place.meets), type);
    if (by.input_count() == 3) return matrix;
    return by.broadcast(matrix, by.concat({by.convert(by.input(3), ElementType::i64),
                                           by.reshape(rows, {1}), by.reshape(columns, {1})},
                                          0));
}

Output gelu(Composition& by) {
    by.check_input_count(1, 1);
    FloatingFormula f(by);
    return f.result(ops::gelu(by, f.x()));
}

Output gelu_7(Composition& by) {
    enum class Mode : std::uint8_t { erf, tanh };
    constexpr std::pair<std::string_view, Mode> kModes[] = {{"ERF", Mode::erf},
                                                            {"TANH", Mode::tanh}};
    Mode mode = Mode::erf;
    by.attributes().on_enum("approximation_mode", mode, kModes);
    if (mode == Mode::erf) return gelu(by);
    by.check_input_count(1, 1);
    FloatingFormula f(by);
    return f.result(ops::gelu_by_tanh(by, f.x()));
}

Output hard_sigmoid(Composition& by) {
    by.check_input_count(3, 3);
    FloatingFormula f(by);
    return f.result(ops::hard_sigmoid(by, f.x(), f.parameter(1), f.parameter(2)));
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
    return by.less(size, by.number(by.floating_type(), infinity));
}

Output is_inf(Composition& by) {
    by.check_input_count(1, 1);
    const bool negative = by.attribute("detect_negative", true);
    const bool positive = by.attribute("detect_positive", true);
    const double infinity = std::numeric_limits<double>::infinity();
    const bool only_negative = negative && !positive;
    const Output bound = by.number(by.floating_type(), only_negative ? -infinity : infinity);
    const Output& x = by.input(0);
    if (!negative && !positive) return by.greater(x, bound);  // false
    const Output size = negative && positive ? by.apply(UnaryFunction::abs, x) : x;
    return by.equal(size, bound);
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
    std::int64_t behind = -1 - axis;
    if (axis != -1) {
        const auto rank = static_cast<std::int64_t>(by.rank_of(0));
        if (axis < -rank - 1 || axis > rank) {
            throw ModelError("axis is " + std::to_string(axis) + "; expected " +
                             std::to_string(-rank - 1) + " to " + std::to_string(rank));
        }
        if (axis >= 0) behind = rank - axis;
    }
    return ops::one_hot(
        by, by.input(0),
        {by.int_scalar(by.input(1)), by.input(2), by.input(3), behind, mode == Negative::from_end});
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
    const Output fits = by.equal(by.shape_of(slopes), by.run_extent(x, 1));
    return by.reshape(slopes, by.select(fits, by.ints(along_channels), by.ints(along_last)));
}

// x < 0 ? slope x : x, in the shape of x.
Output prelu(Composition& by) {
    by.check_input_count(2, 2);
    const Output x = by.input(0);
    Output slope = by.convert(by.single(by.input(1)), by.type());
    by.rank_of(1);
    const bool is_vector = slope.shape().rank() == 1;
    if (is_vector && by.rank_of(0) > 2) slope = placed_slopes(by, x, slope);
    const Output y = ops::prelu(by, x, slope);
    return ops::never_widens(slope.shape(), x.shape()) ? y : by.reshape_like(y, x);
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
    std::vector<std::int64_t> back = numbers_from(1, rank);
    back.insert(back.begin() + static_cast<std::ptrdiff_t>(axis), 0);
    const Output front =
        scattered(by.transpose(by.input(0), in_front(axis, 1, rank)),
                  by.transpose(by.input(2), in_front(axis, index_rank, rank - 1 + index_rank)));
    return by.transpose(front, back);
}

// softmax(scale Q K' + mask) V. Q [..., L, E], K [..., S, E], V [..., S, Ev]; a mask of truth
// values keeps where it is true. `causal`: row i sees the first i + 1 keys, and the mask isn't
// read. The scale is 1 / sqrt(E) if none is given.
Output scaled_dot_product_attention(Composition& by) {
    by.check_input_count(3, 5);
    const bool causal = by.attribute("causal", false);
    FloatingFormula f(by);
    const auto extent = [&](std::size_t input, std::int64_t axis) {
        return by.gather(by.shape_of(by.input(input)), by.integer(axis), 0);
    };
    const Output scale =
        by.input_count() == 5
            ? by.scalar(f.wide(by.input(4)))
            : by.divide(f.number(1), by.apply(UnaryFunction::sqrt, f.wide(extent(0, -1))));
    ops::Attention attention{by.multiply(f.x(), scale), f.wide(by.input(1)), f.wide(by.input(2))};
    attention.scale = 1;
    if (causal) {
        attention.allowed =
            ops::visible_keys(by, {extent(0, -2), extent(1, -2), {}, /*causal=*/true});
    } else if (by.input_count() > 3) {
        const bool is_boolean = by.input(3).element_type() == ElementType::boolean;
        (is_boolean ? attention.allowed : attention.bias) =
            is_boolean ? by.input(3) : f.wide(by.input(3));
    }
    return f.result(ops::attention(by, attention).y);
}

// Inputs: x, alpha, gamma.
Output selu(Composition& by) {
    by.check_input_count(3, 3);
    FloatingFormula f(by);
    const Output alpha = f.parameter(1), gamma = f.parameter(2);
    return f.result(ops::selu(by, f.x(), gamma, by.multiply(alpha, gamma)));
}

Output swish(Composition& by) {
    by.check_input_count(1, 2);
    FloatingFormula f(by);
    const bool has_factor = by.input_count() == 2;
    return f.result(ops::swish(by, f.x(), has_factor ? by.multiply(f.x(), f.parameter(1)) : f.x()));
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
