#include "core/ir/composed_fake_quantize.hpp"

#include <cstdint>
#include <string>

#include "core/ops/elementwise/select.hpp"

namespace rondo::ir {

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
        return by.binary(BinaryFunction::subtract, a, b);
    };
    const Output steps = f.number(static_cast<double>(levels - 1));
    const Output place = f.divide(minus(f.x(), low), minus(high, low));
    const Output level = f.apply(UnaryFunction::round, f.multiply(place, steps));
    const Output inside = f.add(f.multiply(f.divide(level, steps), minus(most, least)), least);
    const Output is_above = by.compare(CompareFunction::greater, f.x(), f.max(low, high));
    const Output is_below = by.compare(CompareFunction::less_equal, f.x(), f.min(low, high));
    const Output bounded = by.make<ops::Select>(is_above, most, inside);
    return f.result(by.make<ops::Select>(is_below, least, bounded));
}

}  // namespace rondo::ir
