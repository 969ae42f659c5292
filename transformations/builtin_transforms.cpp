// The table of what the transformations do for Core and Model.
#include "core/runtime/transforms.hpp"
#include "transformations/batching/passes.hpp"
#include "transformations/batching/prove_rows.hpp"
#include "transformations/batching/vmap/add_batch_axis.hpp"
#include "transformations/pipelines.hpp"
#include "transformations/streaming/stateful.hpp"

namespace rondo {

const Transforms& builtin_transforms() {
    static constexpr Transforms kTransforms{
        passes::run_portable,
        passes::run_make_streaming,
        passes::run_quantize,
        find_states,
        make_stateful,
        find_and_make_stateful,
        apply_low_latency,
        passes::find_row_axes,
        [](Graph& graph, const Dimension& batch) { return passes::set_batch(graph, batch, {}); },
        passes::add_batch_axis,
    };
    return kTransforms;
}

}  // namespace rondo
