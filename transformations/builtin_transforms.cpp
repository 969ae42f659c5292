// The table of what the transformations do for Core and Model.
#include "core/runtime/transforms.hpp"
#include "transformations/lift/add_batch_axis.hpp"
#include "transformations/pipelines.hpp"
#include "transformations/rows/passes.hpp"
#include "transformations/rows/prove_rows.hpp"
#include "transformations/state/stateful.hpp"

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
