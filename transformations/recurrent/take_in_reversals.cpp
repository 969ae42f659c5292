#include "transformations/recurrent/passes.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/shape_of.hpp"
#include "transformations/common/views.hpp"
#include "transformations/parts/axis_part.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/shapes/extents.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;

constexpr std::size_t kTimeAxis = 1;  // of X [N,T,I]
const AxisOrder kPlain{0, 1, 2};

// The order of a Transpose of three axes; of another node, as they are.
std::optional<AxisOrder> order_by(const Node& node) {
    const auto* transpose = as_op<ops::Transpose>(node);
    if (transpose == nullptr) return kPlain;
    const auto order = order_of(*transpose);
    return order && order->size() == ops::kRankOfX ? order : std::nullopt;
}

class ReversalRewriter {
public:
    ReversalRewriter(Rewriter& rewriter, RecurrentOp& op) : rewriter_(rewriter), op_(op) {}

    void rewrite() {
        if (!op_.is_sequence() || op_.num_directions() != 1 || !lengths_are_full(op_)) return;
        if (!find_x() || !find_y(op_.output(0), ops::kTimeAxisOfY)) return;
        std::vector<Output> inputs = op_.inputs();
        inputs[op_.x_port()] = x();
        const NodePtr made = rewriter_.clone(op_, std::move(inputs));
        auto& turned = dynamic_cast<RecurrentOp&>(*made);
        ops::RecurrentAttributes attributes = op_.attributes();
        attributes.direction = attributes.direction == ops::Direction::forward
                                   ? ops::Direction::reverse
                                   : ops::Direction::forward;
        turned.set_attributes(attributes);
        turned.validate();
        for (const Output& reversed : of_y_) {
            rewriter_.replace(reversed, reversed.node().input(0));
        }
        const NodePtr old = op_.shared_from_this();
        for (std::size_t i = 0; i < op_.output_count(); ++i) {
            if (!op_.consumers(i).empty()) rewriter_.replace(op_.output(i), made->output(i));
        }
        rewriter_.inherit_name(old, *made);
    }

private:
    // X is turned round, and perhaps transposed.
    bool find_x() {
        const Output& x = op_.input(op_.x_port());
        const auto order = order_by(x.node());
        if (!order) return false;
        order_ = *order;
        const bool is_plain = order_ == kPlain;
        const Output reversed = is_plain ? x : x.node().input(0);
        if (reversed_axis(reversed.node()) != order_[kTimeAxis]) return false;
        before_ = reversed.node().input(0);
        return true;
    }

    Output x() {
        if (order_ == kPlain) return before_;
        const std::string name = op_.name() + "/X";
        return rewriter_.make<ops::Transpose>(
            name, before_, rewriter_.make_ints(name + "/order", to_ints(order_)));
    }

    // All readers of Y turn it round, some behind a Squeeze or a Transpose. `axis` is that of time.
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
            if (const auto* transpose = as_op<ops::Transpose>(node)) {
                const auto order = order_of(*transpose);
                return order && find_y(node.output(0), inverse(*order)[axis]);
            }
            return add_reversal(node, axis);
        });
    }

    // What reads the shape alone sees no difference.
    bool add_reversal(Node& node, std::size_t axis) {
        if (as_op<ops::ShapeOf>(node) != nullptr) return true;
        if (reversed_axis(node) != axis) return false;
        if (!rewriter_.can_replace(node.output(0), node.input(0))) return false;
        of_y_.push_back(node.output(0));
        return of_y_.size() == 1;  // of equal ones, one is left soon
    }

    Rewriter& rewriter_;
    RecurrentOp& op_;
    AxisOrder order_;
    Output before_;
    std::vector<Output> of_y_;
};

}  // namespace

bool take_in_reversals(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<RecurrentOp>(
        [&](const auto& op) { ReversalRewriter(rewriter, *op).rewrite(); });
    return rewriter.changed();
}

}  // namespace rondo::passes
