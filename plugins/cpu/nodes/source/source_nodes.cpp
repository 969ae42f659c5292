// RandomUniform: numbers by their places, so that threads share them freely. Range: numbers that
// are known before the run, or that come with it. ShapeOf: the shape is known when the call is
// made.
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/kernels/source/range.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kRandomUniformGrain = 1 << 12;  // numbers that are worth a thread
constexpr std::int64_t kRangeGrain = 1 << 15;          // elements that are worth a thread

std::unique_ptr<Call> prepare_random(const ops::RandomUniform& op, const CallSite& site) {
    return make_call([&op, type = site.outputs[0].type,
                      count = count_of(site.outputs[0].shape)](const RunArgs& args) {
        const ops::RandomRange range{type, args.inputs[1], args.inputs[2]};
        if (!ops::is_range(range)) {
            throw ModelError(describe(op) + ": the bound isn't above the least number");
        }
        share(args.team, count, kRandomUniformGrain,
              [&, seed = op.seed()](std::int64_t begin, std::int64_t end) {
                  ops::write_uniform(range, seed, args.outputs[0], begin, end);
              });
    });
}

std::unique_ptr<Call> prepare_range(const CallSite& site) {
    return make_call([type = site.outputs[0].type, count = count_of(site.outputs[0].shape),
                      start_type = site.inputs[0].type,
                      step_type = site.inputs[2].type](const RunArgs& args) {
        const ops::RangeNumber start = ops::range_number(start_type, args.inputs[0]);
        const ops::RangeNumber step = ops::range_number(step_type, args.inputs[2]);
        share(args.team, count, kRangeGrain, [&](std::int64_t begin, std::int64_t end) {
            write_range(type, start, step, args.outputs[0], begin, end);
        });
    });
}

}  // namespace

std::unique_ptr<CpuNode> make_random_uniform_node(const Node& node, const CompileContext&) {
    return make_function_node(node, {"philox", "a counter's words, whichever thread computes them"},
                              prepare_random);
}

std::unique_ptr<CpuNode> make_range_node(const Node& node, const CompileContext&) {
    return make_function_node(
        node, {"range", "one pass; the numbers are read in each run"}, prepare_range,
        [&node](std::span<const TensorInfo* const> seen) -> ExtentFinder {
            const ops::RangeTypes types{seen[0]->type, seen[1]->type, seen[2]->type};
            return [&node, types](std::span<const void* const> inputs, std::span<Shape> shapes) {
                const ops::RangeLength found =
                    ops::range_length(ops::range_numbers(types, inputs[0], inputs[1], inputs[2]));
                if (found.fault != nullptr) throw ModelError(describe(node) + ": " + found.fault);
                shapes[0].assign(1, static_cast<std::size_t>(found.length));
            };
        });
}

std::unique_ptr<CpuNode> make_shape_of_node(const Node& node, const CompileContext&) {
    return make_function_node(
        node, {"shape", "known when shapes are: no elements are read"}, [](const CallSite& site) {
            return make_value_call(ops::shape_tensor(site.inputs[0].shape, site.outputs[0].type));
        });
}

}  // namespace rondo::cpu
