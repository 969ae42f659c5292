// Runs ReverseSequence: reverses each row of a batch up to its own length.
#include "core/ops/movement/movement_ops.hpp"

#include <algorithm>
#include <utility>

#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/movement/reverse_sequence.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kReverseSequenceGrainBytes = 1 << 18;  // that are worth a thread

template <typename T>
void read_lengths(const Node& node, const ReverseSequenceSizes& sizes, const T* from,
                  std::int64_t* to) {
    for (std::int64_t i = 0; i < sizes.batch(); ++i) {
        if (std::cmp_less(from[i], 0) || std::cmp_greater(from[i], sizes.steps())) {
            throw ModelError(describe(node) + ": the length of row " + std::to_string(i) + " is " +
                             std::to_string(from[i]) + "; expected 0 to " +
                             std::to_string(sizes.steps()));
        }
        to[i] = static_cast<std::int64_t>(from[i]);
    }
}

std::unique_ptr<Call> prepare_reverse_sequence(const ops::ReverseSequence& op,
                                               const CallSite& site) {
    const InferContext context = context_of(op, site);
    const Shape& shape = site.inputs[0].shape;
    const std::size_t batch = normalize_axis(context, op.batch_axis(), shape.size());
    const std::size_t sequence = normalize_axis(context, op.seq_axis(), shape.size());
    const auto [first, second] = std::minmax(batch, sequence);
    ReverseSequenceSizes sizes;
    sizes.outer = extents_product(shape, 0, first);
    sizes.first = static_cast<std::int64_t>(shape[first]);
    sizes.middle = extents_product(shape, first + 1, second);
    sizes.second = static_cast<std::int64_t>(shape[second]);
    sizes.block =
        extents_product(shape, second + 1, shape.size()) * element_bytes(site.inputs[0].type);
    sizes.is_batch_first = batch < sequence;
    const auto run = [&op, sizes, type = site.inputs[1].type](const RunArgs& args) {
        auto* lengths = static_cast<std::int64_t*>(args.scratch);
        visit_integer(type, [&](auto tag) {
            const auto* given = static_cast<const tag_type<decltype(tag)>*>(args.inputs[1]);
            read_lengths(op, sizes, given, lengths);
        });
        const std::int64_t row_bytes = sizes.second * sizes.block;
        if (row_bytes == 0) return;
        share(args.team, sizes.rows(), kReverseSequenceGrainBytes / row_bytes + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  reverse_sequence(sizes, args.inputs[0], lengths, args.outputs[0], begin, end);
              });
    };
    return make_call(run, {static_cast<std::size_t>(sizes.batch()) * sizeof(std::int64_t)});
}

}  // namespace

std::unique_ptr<CpuNode> make_reverse_sequence_node(const Node& node, const CompileContext&) {
    return make_function_node(node,
                              {"reverse_sequence", "copies steps, and what follows them at once"},
                              prepare_reverse_sequence);
}

}  // namespace rondo::cpu
