// Elements or slices of the data that indices name: GatherElements and GatherND copy them,
// ScatterElementsUpdate and ScatterNDUpdate copy the data, in which updates meet them.
#include <cstdint>
#include <cstring>
#include <optional>

#include "core/ops/common/extents.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "plugins/cpu/kernels/indexing/scatter_elements.hpp"
#include "plugins/cpu/kernels/indexing/slice_moves.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/axis_values.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"

namespace rondo::cpu {
namespace {

using ops::ScatterReduction;

constexpr std::int64_t kSlicesGrainBytes = 1 << 18;  // that are worth a thread
constexpr std::int64_t kIndexedGrain = 1 << 14;      // single elements that are worth a thread
constexpr std::int64_t kScatterNdGrain = 1 << 16;    // elements of updates that are worth a thread
constexpr std::int64_t kTupleBytes = 32;             // what reading a tuple costs, as bytes to copy

// Throws ModelError naming the node for an index that is out of range.
void check_places(const Node& node, const ElementPlaces& places, ElementType type,
                  const void* indices) {
    if (const auto bad = places.find_bad(indices)) {
        throw_bad_index(node, type, indices, *bad, places.extent());
    }
}

std::unique_ptr<Call> prepare_gather_elements(const ops::GatherElements& op, const CallSite& site) {
    const Shape& data = site.inputs[0].shape;
    const std::size_t axis = normalize_axis(context_of(op, site), op.axis(), data.size());
    const ElementSizes sizes{extents_of(data), extents_of(site.inputs[1].shape), axis};
    const ElementType indices = site.inputs[1].type;
    const GatherElements gather(sizes, indices, element_bytes(site.inputs[0].type));
    return make_call([&op, indices, gather](const RunArgs& args) {
        check_places(op, gather.places(), indices, args.inputs[1]);
        if (gather.places().loop().size() == 0) return;
        share(args.team, gather.pieces(), kIndexedGrain / gather.piece_size() + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  gather.run({args.inputs[0], args.inputs[1], args.outputs[0]}, begin, end);
              });
    });
}

void copy_shared(Team& team, const void* from, void* to, std::int64_t bytes) {
    share(team, bytes, kSlicesGrainBytes, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                    static_cast<std::size_t>(end - begin));
    });
}

std::unique_ptr<Call> make_scatter_elements(const ops::ScatterElementsUpdate& op,
                                            const ElementSizes& sizes, const CallSite& site) {
    const ElementType type = site.inputs[0].type, indices = site.inputs[1].type;
    const std::int64_t elements = count_of(site.inputs[0].shape);
    const std::int64_t bytes = elements * element_bytes(type);
    std::optional<ScatterMean> mean;
    ScatterLoops loops{};
    if (op.reduction() == ScatterReduction::mean) {
        mean.emplace(type, elements, op.use_init_val());
    } else {
        loops = scatter_loops(op.reduction(), type);
    }
    const auto run = [&op, scatter = ScatterElements(sizes, indices, element_bytes(type)), indices,
                      bytes, mean, loops](const RunArgs& args) {
        check_places(op, scatter.places(), indices, args.inputs[1]);
        copy_shared(args.team, args.inputs[0], args.outputs[0], bytes);
        const ScatterElementsArgs own{args.outputs[0], args.inputs[1], args.inputs[2]};
        if (scatter.places().loop().size() == 0) return;
        if (mean) return scatter.run_mean(own, *mean, args.scratch);
        const bool resets = !op.use_init_val() && op.reduction() != ScatterReduction::none;
        share(args.team, scatter.pieces(), kIndexedGrain / scatter.piece_size() + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  if (resets) scatter.reset(own, loops, begin, end);
                  scatter.run(own, loops, begin, end);
              });
    };
    return make_call(run, {mean ? mean->scratch_bytes() : 0});
}

std::unique_ptr<Call> prepare_scatter_elements(const ops::ScatterElementsUpdate& op, Isa isa,
                                               const CallSite& site) {
    const InferContext context = context_of(op, site);
    const Shape& data = site.inputs[0].shape;
    // A scalar has no axis that could be known.
    const auto named = ops::single_int(context, 3, "axis").value_or(0);
    const std::size_t axis = normalize_axis(context, named, data.size());
    const ElementSizes sizes{extents_of(data), extents_of(site.inputs[1].shape), axis};
    const auto make = [&](const CallSite& own) { return make_scatter_elements(op, sizes, own); };
    const bool keeps_type =
        op.reduction() == ScatterReduction::none || op.reduction() == ScatterReduction::mean;
    return keeps_type ? make(site) : make_widened_call(site, isa, make);
}

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

std::unique_ptr<Call> prepare_gather_nd(const ops::GatherND& op, const CallSite& site) {
    const auto batch = static_cast<std::size_t>(op.batch_dims());
    const ElementType indices = site.inputs[1].type;
    const std::int64_t slice =  // bytes
        slice_elements_of(site, batch) * element_bytes(site.inputs[0].type);
    return make_call(
        [&op, indices, slice,
         places = SlicePlaces(slice_sizes_of(site, batch), indices)](const RunArgs& args) {
            check_tuples(op, places, indices, args.inputs[1]);
            if (slice == 0) return;
            share(args.team, places.sizes().count(), kSlicesGrainBytes / (slice + kTupleBytes) + 1,
                  [&](std::int64_t begin, std::int64_t end) {
                      gather_slices(places, slice,
                                    {args.inputs[0], args.inputs[1], args.outputs[0]}, begin, end);
                  });
        });
}

std::unique_ptr<Call> make_scatter_nd(const ops::ScatterNDUpdate& op, const CallSite& site) {
    const ElementType type = site.inputs[0].type, indices = site.inputs[1].type;
    const SliceElements slice{slice_elements_of(site, 0), element_bytes(type)};
    return make_call([&op, indices, slice, places = SlicePlaces(slice_sizes_of(site, 0), indices),
                      bytes = count_of(site.inputs[0].shape) * slice.bytes,
                      loops = scatter_loops(op.reduction(), type)](const RunArgs& args) {
        check_tuples(op, places, indices, args.inputs[1]);
        copy_shared(args.team, args.inputs[0], args.outputs[0], bytes);
        const std::int64_t tuples = places.sizes().count();
        if (tuples == 0) return;
        // Several tuples may name one slice: each thread takes its part of all of them, in order.
        share(args.team, slice.count, kScatterNdGrain / tuples + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  scatter_slices(places, slice, loops,
                                 {args.outputs[0], args.inputs[1], args.inputs[2]}, begin, end);
              });
    });
}

std::unique_ptr<Call> prepare_scatter_nd(const ops::ScatterNDUpdate& op, Isa isa,
                                         const CallSite& site) {
    const auto make = [&](const CallSite& own) { return make_scatter_nd(op, own); };
    const bool keeps_type = op.reduction() == ScatterReduction::none;
    return keeps_type ? make(site) : make_widened_call(site, isa, make);
}

}  // namespace

std::unique_ptr<CpuNode> make_gather_elements_node(const Node& node, const CompileContext&) {
    return make_function_node(node, {"gather_elements", "copies elements one by one"},
                              prepare_gather_elements);
}

std::unique_ptr<CpuNode> make_scatter_elements_node(const Node& node,
                                                    const CompileContext& context) {
    return make_function_node(
        node, {"scatter_elements", "copies the data, then takes updates one by one"}, context.isa,
        prepare_scatter_elements);
}

std::unique_ptr<CpuNode> make_gather_nd_node(const Node& node, const CompileContext&) {
    return make_function_node(node, {"gather_nd", "copies slices"}, prepare_gather_nd);
}

std::unique_ptr<CpuNode> make_scatter_nd_node(const Node& node, const CompileContext& context) {
    return make_function_node(node,
                              {"scatter_nd", "copies the data, then takes updates slice by slice"},
                              context.isa, prepare_scatter_nd);
}

}  // namespace rondo::cpu
