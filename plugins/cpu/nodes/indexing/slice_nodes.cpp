// GatherND: slices of the data that tuples of indices name. ScatterNDUpdate: a copy of the data in
// which updates meet slices.
#include <cstdint>

#include "core/ops/indexing/gathers.hpp"
#include "core/ops/indexing/scatters.hpp"
#include "plugins/cpu/kernels/indexing/slice_moves.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/bad_index.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/indexing/makers.hpp"
#include "plugins/cpu/nodes/indexing/scatter_copy.hpp"

namespace rondo::cpu {
namespace {

// Inputs 0 and 1 are data and indices; `batch`: axes in front that are common to both.
SliceSizes slice_sizes_of(const CallSite& site, std::size_t batch) {
    const Shape& data = site.inputs[0].shape;
    const Shape& indices = site.inputs[1].shape;
    SliceSizes sizes;
    sizes.batches = extents_product(indices, 0, batch);
    sizes.tuples = extents_product(indices, batch, indices.size() - 1);
    for (std::size_t i = 0; i < indices.back(); ++i) {
        sizes.extents.push_back(static_cast<std::int64_t>(data[batch + i]));
    }
    return sizes;
}

// Elements of a slice of data.
std::int64_t slice_elements_of(const CallSite& site, std::size_t batch) {
    const Shape& data = site.inputs[0].shape;
    return extents_product(data, batch + site.inputs[1].shape.back(), data.size());
}

// Throws ModelError naming the node for an index that is out of range.
void check_tuples(const Node& node, const SlicePlaces& places, ElementType type,
                  const void* indices) {
    const auto bad = places.find_bad(indices);
    if (!bad) return;
    const auto place = static_cast<std::size_t>(*bad % places.sizes().places());
    throw_bad_index(node, type, indices, *bad, places.sizes().extents[place]);
}

constexpr std::int64_t kGrainBytes = 1 << 18;  // that are worth a thread
constexpr std::int64_t kTupleBytes = 32;       // what reading a tuple costs, as bytes to copy

class GatherNDCall final : public Call {
public:
    GatherNDCall(const Node& node, const CallSite& site, std::size_t batch)
        : node_(node),
          indices_(site.inputs[1].type),
          places_(slice_sizes_of(site, batch), indices_),
          slice_(slice_elements_of(site, batch) * element_bytes(site.inputs[0].type)) {}

    void run(const RunArgs& args) const override {
        check_tuples(node_, places_, indices_, args.inputs[1]);
        if (slice_ == 0) return;
        share(args.team, places_.sizes().count(), kGrainBytes / (slice_ + kTupleBytes) + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  gather_slices(places_, slice_, {args.inputs[0], args.inputs[1], args.outputs[0]},
                                begin, end);
              });
    }

private:
    const Node& node_;
    ElementType indices_;
    SlicePlaces places_;
    std::int64_t slice_;  // bytes
};

class GatherNDNode final : public CpuNode {
public:
    explicit GatherNDNode(const Node& node) : CpuNode(node, "gather_nd", "copies slices") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto& op = dynamic_cast<const ops::GatherND&>(node());
        return std::make_unique<GatherNDCall>(op, site, static_cast<std::size_t>(op.batch_dims()));
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_gather_nd_node(const Node& node, const CompileContext&) {
    return std::make_unique<GatherNDNode>(node);
}

namespace {

using ops::ScatterReduction;

constexpr std::int64_t kScatterNdGrain = 1 << 16;  // elements of updates that are worth a thread

class ScatterNDCall final : public Call {
public:
    ScatterNDCall(const ops::ScatterNDUpdate& op, const CallSite& site)
        : op_(op),
          indices_(site.inputs[1].type),
          places_(slice_sizes_of(site, 0), indices_),
          slice_{slice_elements_of(site, 0), element_bytes(site.inputs[0].type)},
          bytes_(count_of(site.inputs[0].shape) * slice_.bytes),
          loops_(scatter_loops(op.reduction(), site.inputs[0].type)) {}

    void run(const RunArgs& args) const override {
        check_tuples(op_, places_, indices_, args.inputs[1]);
        copy_shared(args.team, args.inputs[0], args.outputs[0], bytes_);
        const std::int64_t tuples = places_.sizes().count();
        if (tuples == 0) return;
        // Several tuples may name one slice: each thread takes its part of all of them, in order.
        share(args.team, slice_.count, kScatterNdGrain / tuples + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  scatter_slices(places_, slice_, loops_,
                                 {args.outputs[0], args.inputs[1], args.inputs[2]}, begin, end);
              });
    }

private:
    const ops::ScatterNDUpdate& op_;
    ElementType indices_;
    SlicePlaces places_;
    SliceElements slice_;
    std::int64_t bytes_;  // of the data
    ScatterLoops loops_;
};

class ScatterNDNode final : public CpuNode {
public:
    ScatterNDNode(const ops::ScatterNDUpdate& op, const CompileContext& context)
        : CpuNode(op, "scatter_nd", "copies the data, then takes updates slice by slice"),
          op_(op),
          isa_(context.isa) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto make = [&](const CallSite& from) {
            return std::make_unique<ScatterNDCall>(op_, from);
        };
        const bool widens =
            is_half(site.inputs[0].type) && op_.reduction() != ScatterReduction::none;
        return widens ? make_widened_call(site, isa_, make) : make(site);
    }

private:
    const ops::ScatterNDUpdate& op_;
    Isa isa_;
};

}  // namespace

std::unique_ptr<CpuNode> make_scatter_nd_node(const Node& node, const CompileContext& context) {
    return std::make_unique<ScatterNDNode>(dynamic_cast<const ops::ScatterNDUpdate&>(node),
                                           context);
}

}  // namespace rondo::cpu
