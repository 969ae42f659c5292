// DynamicQuantizeLinear: one pass for the range, one to round.
#include <algorithm>

#include "plugins/cpu/kernels/quantization/quantize_bytes.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kQuantizeGrain = 1 << 15;  // elements that are worth a thread

// The range of each slice lies on a cache line of its own.
ByteRange range_of(Isa isa, const float* x, std::int64_t count, const SliceScratch& slices,
                   const RunArgs& args) {
    const auto slice = [&](std::int64_t number) -> ByteRange& {
        return *reinterpret_cast<ByteRange*>(slices.slice(args.scratch, number));
    };
    for (std::int64_t i = 0; i < slices.count(); ++i) slice(i) = {};
    share_slices(args.team, count, kQuantizeGrain,
                 [&](std::int64_t begin, std::int64_t end, int number) {
                     slice(number) = byte_range(isa, x + begin, end - begin);
                 });
    ByteRange range;
    for (std::int64_t i = 0; i < slices.count(); ++i) {
        range.low = std::min(range.low, slice(i).low);
        range.high = std::max(range.high, slice(i).high);
    }
    return range;
}

std::unique_ptr<Call> prepare_quantize(Isa isa, const CallSite& site) {
    const SliceScratch slices(sizeof(ByteRange), site.threads);
    const auto run = [isa, slices, count = count_of(site.inputs[0].shape)](const RunArgs& args) {
        const auto* x = static_cast<const float*>(args.inputs[0]);
        const ByteScale by = byte_scale(range_of(isa, x, count, slices, args));
        *static_cast<float*>(args.outputs[1]) = by.scale;
        *static_cast<std::uint8_t*>(args.outputs[2]) = by.zero_point;
        auto* to = static_cast<std::uint8_t*>(args.outputs[0]);
        share(args.team, count, kQuantizeGrain, [&](std::int64_t begin, std::int64_t end) {
            quantize_bytes(isa, x + begin, end - begin, by, to + begin);
        });
    };
    return make_call(run, {slices.bytes()});
}

}  // namespace

std::unique_ptr<CpuNode> make_dynamic_quantize_linear_node(const Node& node,
                                                           const CompileContext& context) {
    return make_function_node(
        node, {"quantize_bytes", "one pass for the range, one to round"},
        [isa = context.isa](const CallSite& site) { return prepare_quantize(isa, site); });
}

}  // namespace rondo::cpu
