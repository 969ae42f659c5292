// Runs Roll: moves elements round along axes.
#include "core/ops/movement/movement_ops.hpp"

#include <algorithm>

#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/movement/roll.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kRollGrainBytes = 1 << 18;  // that are worth a thread

// A vector or a scalar of integers, which may come with the run.
struct Integers {
    ElementType type;
    std::size_t count;

    explicit Integers(const TensorInfo& info) : type(info.type), count(element_count(info.shape)) {}
    std::int64_t read(const void* from, std::size_t index) const {
        return visit_integer(type, [&](auto tag) {
            return static_cast<std::int64_t>(
                static_cast<const tag_type<decltype(tag)>*>(from)[index]);
        });
    }
};

RollSizes sizes_of(const TensorInfo& data) {
    const std::int64_t element = element_bytes(data.type);
    if (data.shape.empty()) return {{1}, {element}};
    return {extents_of(data.shape), dense_strides(data.shape, element)};
}

std::unique_ptr<Call> prepare_roll(const ops::Roll& op, const CallSite& site) {
    const RollSizes sizes = sizes_of(site.inputs[0]);
    const Integers shift(site.inputs[1]);
    const Integers axes(site.inputs[2]);
    const std::size_t scratch = sizes.extents.size() * sizeof(std::int64_t);
    const auto run = [&op, sizes, shift, axes, shape = site.inputs[0].shape](const RunArgs& args) {
        const std::span shifts(static_cast<std::int64_t*>(args.scratch), sizes.extents.size());
        std::fill(shifts.begin(), shifts.end(), 0);
        const InferContext context(op, {});
        for (std::size_t i = 0; i < axes.count; ++i) {
            ops::add_shift(context, axes.read(args.inputs[2], i),
                           shift.read(args.inputs[1], shift.count == 1 ? 0 : i), shape, shifts);
        }
        const std::int64_t place_bytes = sizes.steps[0];
        if (place_bytes == 0) return;
        share(args.team, sizes.extents[0], kRollGrainBytes / place_bytes + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  roll(sizes, shifts, args.inputs[0], args.outputs[0], begin, end);
              });
    };
    return make_call(run, {scratch});
}

}  // namespace

std::unique_ptr<CpuNode> make_roll_node(const Node& node, const CompileContext&) {
    return make_function_node(node, {"roll", "copies both parts of each axis as blocks"},
                              prepare_roll);
}

}  // namespace rondo::cpu
