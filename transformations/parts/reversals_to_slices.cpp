#include "transformations/parts/reversals_to_slices.hpp"

#include <cstdint>
#include <limits>

#include "core/ops/movement/slice.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/recurrent/reversed_axis.hpp"

namespace rondo::passes {
namespace {

constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int32_t>::min();

}  // namespace

bool reversals_to_slices(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<Node>([&](const NodePtr& node) {
        const auto axis = reversed_axis(*node);
        if (!axis || as_op<ops::Slice>(*node) != nullptr) return;
        const std::string& name = node->name();
        const auto ints = [&](const char* role, std::int64_t value) {
            return rewriter.make_ints(name + role, {value});
        };
        const auto slice = rewriter.make<ops::Slice>(
            name, node->input(0), ints("/start", -1), ints("/stop", kBeforeAll), ints("/step", -1),
            ints("/axis", static_cast<std::int64_t>(*axis)));
        rewriter.replace(node->output(0), slice->output(0));
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
