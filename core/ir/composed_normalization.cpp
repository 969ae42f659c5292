// OpenVINO's normalising ops and FakeQuantize as the formulas that they stand for.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "core/ir/composed_ops.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/pad.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/reduction/normalization.hpp"
#include "core/ops/source/shape_of.hpp"

namespace rondo::ir {

using ops::BinaryFunction;
using ops::UnaryFunction;

namespace {

// The sum of the elements up to `reach` away along an axis.
Output window_sum(Composition& by, const Output& x, std::int64_t axis, std::int64_t reach) {
    std::vector<std::int64_t> pads(by.rank_of(0));
    pads[static_cast<std::size_t>(axis)] = reach;
    const std::vector<Output> inputs{x, by.ints(pads), by.ints(pads)};
    const Output padded = by.make<ops::Pad>(inputs, ops::PadMode::constant);
    Output sum;
    for (std::int64_t shift = 0; shift <= 2 * reach; ++shift) {
        const std::int64_t behind = 2 * reach - shift;
        const Output stop =
            by.ints({behind == 0 ? std::numeric_limits<std::int64_t>::max() : -behind});
        const Output part =
            by.make<ops::Slice>(padded, by.ints({shift}), stop, by.ints({1}), by.ints({axis}));
        sum = sum ? by.apply(BinaryFunction::add, sum, part) : part;
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
    const Output root =
        by.apply(UnaryFunction::sqrt, by.add(of_channels(by, f, 4), f.number(epsilon)));
    const Output scale = by.divide(of_channels(by, f, 1), root);
    const Output centred = by.apply(BinaryFunction::subtract, f.x(), of_channels(by, f, 3));
    return f.result(by.add(by.multiply(centred, scale), of_channels(by, f, 2)));
}

Output grn(Composition& by) {
    by.check_input_count(1, 1);
    const auto bias = static_cast<double>(by.attribute("bias", 0.0F));
    FloatingFormula f(by);
    const Output squares = by.sum_along_axes(by.multiply(f.x(), f.x()), by.ints({1}));
    const Output root = by.apply(UnaryFunction::sqrt, by.add(squares, f.number(bias)));
    return f.result(by.divide(f.x(), root));
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
    const Output parts = by.make<ops::Reshape>(f.x(), by.ints({0, groups, -1}), true);
    const Output normal = by.make<ops::Mvn>(
        parts, by.ints({2}), ops::MvnAttributes{static_cast<float>(epsilon), true, {}});
    const Output back = by.make<ops::Reshape>(normal, by.make<ops::ShapeOf>(f.x()), false);
    return f.result(by.add(by.multiply(back, of_channels(by, f, 1)), of_channels(by, f, 2)));
}

using ops::BinaryFunction;
using ops::CompareFunction;
using ops::UnaryFunction;

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
    const auto minus = [&](const Output& a, const Output& b) {
        return by.apply(BinaryFunction::subtract, a, b);
    };
    const Output steps = f.number(static_cast<double>(levels - 1));
    const Output place = by.divide(minus(f.x(), low), minus(high, low));
    const Output level = by.apply(UnaryFunction::round, by.multiply(place, steps));
    const Output inside = by.add(by.multiply(by.divide(level, steps), minus(most, least)), least);
    const Output is_above = by.compare(CompareFunction::greater, f.x(), by.maximum(low, high));
    const Output is_below = by.compare(CompareFunction::less_equal, f.x(), by.minimum(low, high));
    const Output bounded = by.select(is_above, most, inside);
    return f.result(by.select(is_below, least, bounded));
}

}  // namespace rondo::ir
