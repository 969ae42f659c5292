// Interpolate: tables of places and weights for each axis that is resized.
#include "core/ops/window/samplers.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "core/support/rounding.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/movement/gather_table.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/resize.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kPickGrainBytes = 1 << 17;  // that are worth a thread

// An element of any type.
using Element = std::array<std::byte, 8>;

Element element_of(ElementType type, double number) {
    Element element{};
    visit_type(type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        T value{};
        if constexpr (std::is_same_v<T, bool>) {
            value = number != 0;
        } else if constexpr (std::is_integral_v<T>) {
            value = saturated<T>(number);
        } else if constexpr (std::is_floating_point_v<T>) {
            value = static_cast<T>(number);
        } else {
            value = T(static_cast<float>(number));
        }
        std::memcpy(element.data(), &value, sizeof(T));
    });
    return element;
}

// The places of nearest elements, or of extrapolated ones.
std::unique_ptr<Call> make_pick_call(const ops::Interpolate& op,
                                     const std::vector<ops::ResizedAxis>& axes, ElementType type) {
    std::vector<PickAxis> picks;
    for (const auto& axis : axes) {
        picks.push_back({axis.input, ops::taps_of(op.attributes().rule, axis).places});
    }
    const auto extrapolation = static_cast<double>(op.attributes().extrapolation_value);
    return make_call([places = GatherTable(picks, element_bytes(type)),
                      extrapolated = element_of(type, extrapolation)](const RunArgs& args) {
        static constexpr Element kZero{};
        const PickArgs pick{args.inputs[0], {kZero.data(), extrapolated.data()}, args.outputs[0]};
        share(args.team, places.rows(), kPickGrainBytes / places.row_bytes() + 1,
              [&](std::int64_t begin, std::int64_t end) { places.run(pick, begin, end); });
    });
}

std::unique_ptr<Call> make_weighted_call(const ops::Interpolate& op,
                                         const std::vector<ops::ResizedAxis>& axes, Isa isa,
                                         const CallSite& site) {
    ResizeConfig config;
    config.extrapolation = static_cast<double>(op.attributes().extrapolation_value);
    config.threads = site.threads;
    bool changes = false;
    for (const auto& axis : axes) {
        config.axes.push_back({axis.input, axis.output, ops::taps_of(op.attributes().rule, axis)});
        if (config.axes.back().taps.is_identity(axis.input)) {
            config.axes.back().taps = {};
        } else {
            changes = true;
        }
    }
    if (!changes) return make_view_call();
    const CallSite data{site.inputs.first(1), site.outputs, site.threads};
    return make_widened_call(data, isa, [&](const CallSite& own) {
        config.type = own.inputs[0].type;
        const std::shared_ptr<const Resize> resize = make_resize(config);
        const auto run = [resize](const RunArgs& args) {
            resize->run({args.inputs[0], args.outputs[0], args.scratch}, args.team);
        };
        return make_call(run, {resize->scratch_bytes()});
    });
}

std::unique_ptr<Call> prepare_interpolate(const ops::Interpolate& op, Isa isa,
                                          const CallSite& site) {
    if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
    const auto axes = op.axes(context_of(op, site));
    // Only of a scalar the shape is known before the sizes are.
    if (!axes) throw UnsupportedError(describe(op) + ": a scalar's sizes come with the run");
    if (op.is_nearest()) return make_pick_call(op, *axes, site.inputs[0].type);
    // The data has pads alone.
    if (element_count(site.inputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
    return make_weighted_call(op, *axes, isa, site);
}

}  // namespace

std::unique_ptr<CpuNode> make_interpolate_node(const Node& node, const CompileContext& context) {
    const bool is_nearest = dynamic_cast<const ops::Interpolate&>(node).is_nearest();
    return make_function_node(
        node,
        {is_nearest ? "interpolate_nearest" : "interpolate_weighted",
         is_nearest ? "copies elements by tables of places"
                    : "one axis after another, by tables of places and weights"},
        context.isa, prepare_interpolate);
}

}  // namespace rondo::cpu
