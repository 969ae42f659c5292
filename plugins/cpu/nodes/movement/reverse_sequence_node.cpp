// ReverseSequence: rows of a batch, each turned round up to its own length.
#include "core/ops/movement/reverse_sequence.hpp"

#include <algorithm>
#include <utility>

#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/movement/reverse_sequence.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/movement/makers.hpp"
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

class ReverseSequenceCall final : public Call {
public:
    ReverseSequenceCall(const Node& node, const ReverseSequenceSizes& sizes, ElementType lengths)
        : node_(node), sizes_(sizes), lengths_(lengths) {}

    std::size_t scratch_bytes() const override {
        return static_cast<std::size_t>(sizes_.batch()) * sizeof(std::int64_t);
    }

    void run(const RunArgs& args) const override {
        auto* lengths = static_cast<std::int64_t*>(args.scratch);
        visit_integer(lengths_, [&](auto tag) {
            read_lengths(node_, sizes_, static_cast<const tag_type<decltype(tag)>*>(args.inputs[1]),
                         lengths);
        });
        const std::int64_t row_bytes = sizes_.second * sizes_.block;
        if (row_bytes == 0) return;
        share(args.team, sizes_.rows(), kReverseSequenceGrainBytes / row_bytes + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  reverse_sequence(sizes_, args.inputs[0], lengths, args.outputs[0], begin, end);
              });
    }

private:
    const Node& node_;
    ReverseSequenceSizes sizes_;
    ElementType lengths_;
};

class ReverseSequenceNode final : public CpuNode {
public:
    explicit ReverseSequenceNode(const Node& node)
        : CpuNode(node, "reverse_sequence", "copies steps, and what follows them at once") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto& op = dynamic_cast<const ops::ReverseSequence&>(node());
        const InferContext context = context_of(op, site);
        const Shape& shape = site.inputs[0].shape;
        const std::size_t batch = normalize_axis(context, op.batch_axis(), shape.size());
        const std::size_t sequence = normalize_axis(context, op.seq_axis(), shape.size());
        const std::size_t first = std::min(batch, sequence);
        const std::size_t second = std::max(batch, sequence);
        ReverseSequenceSizes sizes;
        sizes.outer = extents_product(shape, 0, first);
        sizes.first = static_cast<std::int64_t>(shape[first]);
        sizes.middle = extents_product(shape, first + 1, second);
        sizes.second = static_cast<std::int64_t>(shape[second]);
        sizes.block =
            extents_product(shape, second + 1, shape.size()) * element_bytes(site.inputs[0].type);
        sizes.is_batch_first = batch < sequence;
        return std::make_unique<ReverseSequenceCall>(op, sizes, site.inputs[1].type);
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_reverse_sequence_node(const Node& node, const CompileContext&) {
    return std::make_unique<ReverseSequenceNode>(node);
}

}  // namespace rondo::cpu
