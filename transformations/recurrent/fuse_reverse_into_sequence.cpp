#include "transformations/recurrent/passes.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/extents/full_lengths.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/analysis/slices.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/formula.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;

constexpr std::size_t kTimeAxis = 1;  // of X [N,T,I]
const AxisOrder kPlain{0, 1, 2};

class ReversalRewriter {
public:
    ReversalRewriter(Rewriter& rewriter, RecurrentOp& op) : by_(rewriter, op.name()), op_(op) {}

    void rewrite() {
        if (!op_.is_sequence() || op_.num_directions() != 1 || !lengths_are_full(op_)) return;
        if (!find_x() || !find_y(op_.output(0), ops::kTimeAxisOfY)) return;
        std::vector<Output> inputs = op_.inputs();
        inputs[op_.x_port()] = x();
        ops::RecurrentAttributes attributes = op_.attributes();
        attributes.direction = attributes.direction == ops::Direction::forward
                                   ? ops::Direction::reverse
                                   : ops::Direction::forward;
        const auto made = by_.recurrent_like(op_, op_.name(), attributes, std::move(inputs));
        for (const Output& reversed : of_y_) {
            by_.rewriter().replace(reversed, reversed.node().input(0));
        }
        take_place(by_.rewriter(), op_, *made);
    }

private:
    // Whether X is reversed along time, and perhaps transposed after that.
    bool find_x() {
        const Output& x = op_.input(op_.x_port());
        order_ = order_of(x.node()).value_or(kPlain);
        const bool is_plain = order_ == kPlain;
        const Output reversed = is_plain ? x : x.node().input(0);
        if (reversed_axis(reversed.node()) != order_[kTimeAxis]) return false;
        before_ = reversed.node().input(0);
        return true;
    }

    Output x() { return order_ == kPlain ? before_ : by_.transpose(before_, to_ints(order_)); }

    // Whether all readers of Y reverse it along `axis`, the time axis, some of them after a Squeeze
    // or a Transpose.
    bool find_y(const Output& y, std::size_t axis) {
        const auto& readers = y.consumers();
        return std::all_of(readers.begin(), readers.end(), [&](const Consumer& reader) {
            Node& node = *reader.node;
            if (as_op<ops::Squeeze>(node) != nullptr) {
                const auto axes = view_axes(node);
                if (!axes || std::count(axes->begin(), axes->end(), axis) > 0) return false;
                const auto before = std::count_if(axes->begin(), axes->end(),
                                                  [&](std::size_t one) { return one < axis; });
                return find_y(node.output(0), axis - static_cast<std::size_t>(before));
            }
            if (const auto order = order_of(node)) {
                return find_y(node.output(0), inverse(*order)[axis]);
            }
            return add_reversal(node, axis);
        });
    }

    // What reads the shape alone sees no difference.
    bool add_reversal(Node& node, std::size_t axis) {
        if (as_op<ops::ShapeOf>(node) != nullptr) return true;
        if (reversed_axis(node) != axis) return false;
        if (!by_.rewriter().can_replace(node.output(0), node.input(0))) return false;
        of_y_.push_back(node.output(0));
        return of_y_.size() == 1;  // of equal ones, one is left soon
    }

    Formula by_;
    RecurrentOp& op_;
    AxisOrder order_;
    Output before_;
    std::vector<Output> of_y_;
};

}  // namespace

bool fuse_reverse_into_sequence(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<RecurrentOp>(
        [&](const auto& op) { ReversalRewriter(rewriter, *op).rewrite(); });
    return rewriter.changed();
}

}  // namespace rondo::passes
