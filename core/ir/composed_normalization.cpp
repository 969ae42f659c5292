// OpenVINO's normalising ops and FakeQuantize as their formulas.
#include <algorithm>
#include <cstdint>
#include <string>

#include "core/ir/composed_ops.hpp"
#include "core/ops/compositions.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"

namespace rondo::ir {

using ops::BinaryFunction;
using ops::UnaryFunction;

namespace {

// The sum of the elements up to `reach` away along an axis.
Output window_sum(Composition& by, const Output& x, std::int64_t axis, std::int64_t reach) {
    std::vector<std::int64_t> pads(by.rank_of(0));
    pads[static_cast<std::size_t>(axis)] = reach;
    const Output padded = by.pad(x, by.ints(pads), by.ints(pads));
    Output sum;
    for (std::int64_t shift = 0; shift <= 2 * reach; ++shift) {
        const std::int64_t behind = 2 * reach - shift;
        const Output part = by.slice(padded, axis, shift, behind == 0 ? ops::kSliceEnd : -behind);
        sum = sum ? by.add(sum, part) : part;
    }
    return sum;
}

// One for each channel, axis 1.
Output of_channels(Composition& by, FloatingFormula& f, std::size_t input) {
    std::vector<std::int64_t> pattern(std::max<std::size_t>(by.rank_of(0), 2) - 1, 1);
    pattern.front() = -1;
    return by.reshape(f.wide(by.input(input)), pattern);
}

}  // namespace

Output batch_norm(Composition& by) {
    by.check_input_count(5, 5);
    const auto epsilon = static_cast<double>(by.attribute("epsilon", 0.0F));
    FloatingFormula f(by);
    const Output root = ops::root(by, of_channels(by, f, 4), epsilon);
    const Output scale = by.divide(of_channels(by, f, 1), root);
    const Output centred = by.subtract(f.x(), of_channels(by, f, 3));
    return f.result(ops::affine(by, centred, scale, of_channels(by, f, 2)));
}

Output grn(Composition& by) {
    by.check_input_count(1, 1);
    const auto bias = static_cast<double>(by.attribute("bias", 0.0F));
    FloatingFormula f(by);
    const Output squares = by.sum_along_axes(by.multiply(f.x(), f.x()), by.ints({1}));
    return f.result(by.divide(f.x(), ops::root(by, squares, bias)));
}

Output lrn(Composition& by) {
    constexpr std::int64_t kMostSize = 1024;
    by.check_input_count(2, 2);
    const auto alpha = static_cast<double>(by.attribute("alpha", 1.0F));
    const auto beta = static_cast<double>(by.attribute("beta", 0.5F));
    const auto bias = static_cast<double>(by.attribute("bias", 1.0F));
    const auto size = by.attribute("size", std::int64_t{1});
    const Tensor axes = known_value(by.input(1));
    if (!axes) throw UnsupportedError("the axes aren't constant");
    if (size < 1 || size > kMostSize) {
        throw ModelError("size is " + std::to_string(size) + "; expected 1 to " +
                         std::to_string(kMostSize));
    }
    // A window of an even size has one element more, by which the sum isn't divided.
    FloatingFormula f(by);
    Output sum = by.multiply(f.x(), f.x());
    double count = 1;
    const InferContext place(by.input(0).node().name(), "LRN", {});
    for (const std::int64_t axis : to_int64_vector(axes)) {
        const auto normal = normalize_axis(place, axis, by.rank_of(0));
        sum = window_sum(by, sum, static_cast<std::int64_t>(normal), size / 2);
        count *= static_cast<double>(size);
    }
    const Output base = by.add(by.multiply(sum, f.number(alpha / count)), f.number(bias));
    return f.result(by.divide(f.x(), by.apply(BinaryFunction::power, base, f.number(beta))));
}

Output normalize_l2(Composition& by) {
    enum class Mode : std::uint8_t { add, max };
    constexpr std::pair<std::string_view, Mode> kModes[] = {{"add", Mode::add}, {"max", Mode::max}};
    by.check_input_count(2, 2);
    const auto eps = static_cast<double>(by.attribute("eps", 0.0F));
    Mode mode = Mode::add;
    by.attributes().on_enum("eps_mode", mode, kModes);
    FloatingFormula f(by);
    const Output squares = by.sum_along_axes(by.multiply(f.x(), f.x()), by.input(1));
    const Output bounded =
        mode == Mode::add ? by.add(squares, f.number(eps)) : by.maximum(squares, f.number(eps));
    return f.result(by.divide(f.x(), by.apply(UnaryFunction::sqrt, bounded)));
}

Output group_normalization(Composition& by) {
    by.check_input_count(3, 3);
    const auto groups = by.attribute("num_groups", std::int64_t{0});
    const auto epsilon = static_cast<double>(by.attribute("epsilon", 0.0F));
    const std::size_t rank = by.rank_of(0);
    if (rank < 2)
        throw ModelError("input 0 has rank " + std::to_string(rank) + "; expected 2 or more");
    const Dimension& channels = by.input(0).shape()[1];
    const bool divides = groups > 0 && (!channels.is_static() || channels.length() % groups == 0);
    if (!divides) {
        throw ModelError("num_groups is " + std::to_string(groups) +
                         "; expected a divisor of the " + to_string(channels) + " channels");
    }
    FloatingFormula f(by);
    const Output normal = ops::normalised_groups(by, f.x(), groups, epsilon);
    const Output back = by.reshape_like(normal, f.x());
    return f.result(ops::affine(by, back, of_channels(by, f, 1), of_channels(by, f, 2)));
}

Output fake_quantize(Composition& by) {
    by.check_input_count(5, 5);
    const auto levels = by.attribute("levels", std::int64_t{256});
    auto rule = ops::AutoBroadcast::numpy;
    by.attributes().on_enum("auto_broadcast", rule, ops::kAutoBroadcasts);
    if (levels < 2)
        throw ModelError("levels is " + std::to_string(levels) + "; expected 2 or more");
    if (rule == ops::AutoBroadcast::pdpd) throw UnsupportedError("auto_broadcast is 'pdpd'");
    FloatingFormula f(by);
    const Output low = f.wide(by.input(1)), high = f.wide(by.input(2));
    const Output least = f.wide(by.input(3)), most = f.wide(by.input(4));
    const Output steps = f.number(static_cast<double>(levels - 1));
    const Output place = by.divide(by.subtract(f.x(), low), by.subtract(high, low));
    const Output level = by.apply(UnaryFunction::round, by.multiply(place, steps));
    const Output inside = ops::affine(by, by.divide(level, steps), by.subtract(most, least), least);
    const Output is_above = by.greater(f.x(), by.maximum(low, high));
    const Output is_below = by.less_equal(f.x(), by.minimum(low, high));
    return f.result(by.select(is_below, least, by.select(is_above, most, inside)));
}

}  // namespace rondo::ir
