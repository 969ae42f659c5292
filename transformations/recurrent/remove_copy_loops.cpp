#include "transformations/recurrent/passes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "transformations/analysis/loop_run.hpp"
#include "transformations/analysis/slices.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/formula.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

PartialShape without(const PartialShape& shape, std::size_t axis) {
    std::vector<Dimension> extents = shape.dimensions();
    extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(axis));
    return PartialShape(std::move(extents));
}

class PartsOfLoop {
public:
    PartsOfLoop(Rewriter& rewriter, ops::IteratedOp& loop)
        : rewriter_(rewriter), loop_(loop), run_(loop) {}

    void replace() {
        if (!loop_.body().sinks().empty()) return;
        for (const ops::BodyOutput& port : loop_.body_ports().outputs) {
            if (loop_.consumers(port.output).empty()) continue;
            const Output value = loop_.body().results()[port.result]->input(0);
            const auto part = run_.part_of(behind_views(value));
            if (!part || !runs_over(*part)) continue;
            const Output old = loop_.output(port.output);
            const Output made = port.concat ? joined(port, *part, value) : last(*part, value);
            if (made && rewriter_.can_replace(old, made)) rewriter_.replace(old, made);
        }
    }

private:
    std::string name() const { return loop_.name() + "/parts"; }

    bool runs_over(const LoopPart& part) const {
        if (!part.tensor.shape().has_rank() || part.axis >= part.tensor.shape().rank()) {
            return false;
        }
        const StepInput input{part.tensor, part.axis};
        return run_.runs_once_a_step({&input, 1});
    }

    // The tensor, its axis of steps where the loop joins them. Views of an element change nothing.
    Output joined(const ops::BodyOutput& port, const LoopPart& part, const Output& value) {
        const PartialShape& shape = value.shape();
        const ops::PartRange& range = *port.concat;
        if (range.part_size != 1 || range.axis < 0 || !shape.has_rank()) return {};
        const auto to = static_cast<std::size_t>(range.axis);
        if (to >= shape.rank() || shape[to] != Dimension(1)) return {};
        const bool has_extents =
            same_extents(without(part.tensor.shape(), part.axis), without(shape, to));
        if (!has_extents) return {};
        Output result = make_axis_move(rewriter_, part.tensor, part.axis, to, name());
        if (range.is_reversed() != part.reverse) {
            result = make_reversal(rewriter_, result, to, name() + "/turned");
        }
        return result;
    }

    // The part of the last iteration, which is there.
    Output last(const LoopPart& part, const Output& value) {
        const PartialShape element = without(part.tensor.shape(), part.axis);
        const bool is_element = value.shape().has_rank() && same_extents(element, value.shape());
        if (!is_element || !run_.surely_runs()) return {};
        const std::int64_t place = part.reverse ? 0 : -1;
        Formula by(rewriter_, name());
        return by.gather(part.tensor, by.integer(place), static_cast<std::int64_t>(part.axis));
    }

    Rewriter& rewriter_;
    ops::IteratedOp& loop_;
    const LoopRun run_;
};

}  // namespace

bool remove_copy_loops(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::IteratedOp>(
        [&](const auto& loop) { PartsOfLoop(rewriter, *loop).replace(); });
    return rewriter.changed();
}

}  // namespace rondo::passes
