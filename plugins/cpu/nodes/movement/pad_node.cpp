// Pad: the data with other elements around it, or a part of it.
#include "core/ops/movement/movement_ops.hpp"

#include <algorithm>
#include <array>

#include "plugins/cpu/kernels/movement/pad.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kPadGrainBytes = 1 << 18;  // that are worth a thread
constexpr std::array<char, 8> kZero{};            // the value of any type where none is given

// Only takes elements away.
CopyPart part_of(const std::vector<ops::PadRange>& ranges, const CallSite& site) {
    const std::int64_t element = element_bytes(site.inputs[0].type);
    const Shape& result = site.outputs[0].shape;
    CopyPart part;
    part.layout = {element, extents_of(result), dense_strides(site.inputs[0].shape, element),
                   dense_strides(result, element)};
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        part.from_offset += ranges[i].element_at_0() * part.layout.from[i];
    }
    return part;
}

std::unique_ptr<Call> prepare_pad(const ops::Pad& op, const CallSite& site) {
    if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
    // Pads that aren't known leave a known shape only where there are no axes.
    const auto ranges =
        ops::pad_ranges(context_of(op, site), op.mode()).value_or(std::vector<ops::PadRange>());
    const bool adds = std::any_of(ranges.begin(), ranges.end(), [](const auto& range) {
        return range.begin() > 0 || range.end() < range.length;
    });
    if (!adds) return make_view_or_copy(part_of(ranges, site));
    std::vector<PadAxis> axes;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        axes.push_back({static_cast<std::int64_t>(site.inputs[0].shape[i]), ranges[i]});
    }
    const std::int64_t element = element_bytes(site.inputs[0].type);
    return make_call([pad = Pad(op.mode(), axes, element)](const RunArgs& args) {
        const void* value = args.inputs.size() > 3 ? args.inputs[3] : kZero.data();
        share(args.team, pad.places(), kPadGrainBytes / pad.place_bytes() + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  pad.run({args.inputs[0], value, args.outputs[0]}, begin, end);
              });
    });
}

}  // namespace

std::unique_ptr<CpuNode> make_pad_node(const Node& node, const CompileContext&) {
    return make_function_node(node, {"pad", "rows of the data between runs of other elements"},
                              prepare_pad);
}

}  // namespace rondo::cpu
