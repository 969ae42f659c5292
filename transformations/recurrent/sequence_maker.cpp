#include "transformations/recurrent/sequence_maker.hpp"

#include <algorithm>
#include <numeric>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/recurrent/cells_and_sequences.hpp"
#include "core/ops/source/shape_of.hpp"
#include "transformations/common/extent_origin.hpp"
#include "transformations/recurrent/step_mask.hpp"
#include "transformations/shapes/splats.hpp"

namespace rondo::passes {
namespace {

std::size_t batch_axis(const StepInput& input) { return 1 - input.time_axis; }

bool same_extent(const Output& a, std::size_t axis_of_a, const Output& b, std::size_t axis_of_b) {
    const Dimension& extent = a.shape()[axis_of_a];
    if (extent.is_static() && b.shape()[axis_of_b] == extent) return true;
    return origin_of_extent(a, axis_of_a) == origin_of_extent(b, axis_of_b);
}

class SequenceMaker {
public:
    SequenceMaker(Rewriter& rewriter, const CellFormula& cell, const SequenceRequest& request)
        : rewriter_(rewriter), cell_(cell), request_(request) {}

    std::shared_ptr<Node> make() {
        if (!fits()) return nullptr;
        std::vector<Output> inputs{x()};
        inputs.push_back(state(cell_.hidden_state, "h"));
        if (cell_.type == ops::CellType::lstm) inputs.push_back(state(cell_.cell_state, "c"));
        inputs.push_back(lengths());
        inputs.push_back(constant("W", cell_.w));
        inputs.push_back(constant("R", cell_.r));
        inputs.push_back(constant("B", cell_.b));
        if (cell_.p) inputs.push_back(constant("P", cell_.p));
        ops::RecurrentAttributes attributes = cell_.attributes;
        if (request_.reverse) attributes.direction = ops::Direction::reverse;
        switch (cell_.type) {
            case ops::CellType::lstm: return made<ops::LSTMSequence>(attributes, inputs);
            case ops::CellType::gru: return made<ops::GRUSequence>(attributes, inputs);
            case ops::CellType::rnn: return made<ops::RNNSequence>(attributes, inputs);
        }
        return nullptr;
    }

private:
    const StepInput& input(std::size_t i) const { return request_.inputs[cell_.inputs[i]]; }

    bool fits() const {
        if (cell_.inputs.empty()) return false;
        const StepInput& first = input(0);
        for (std::size_t i = 1; i < cell_.inputs.size(); ++i) {
            const StepInput& other = input(i);
            if (!has_steps_of(first.tensor, first.time_axis, other)) return false;
        }
        if (cell_.type == ops::CellType::lstm &&
            !fits_rows(request_.states[cell_.cell_state], first)) {
            return false;
        }
        return fits_rows(request_.states[cell_.hidden_state], first);
    }

    std::string name(const std::string& role) const { return request_.name + "/" + role; }

    Output constant(const std::string& role, const Tensor& value) {
        return rewriter_.make_constant(name(role), value);
    }

    Output extent(std::size_t axis, const std::string& role) {
        const auto shape = rewriter_.make<ops::ShapeOf>(name("shape"), input(0).tensor);
        return rewriter_.make<ops::Gather>(
            name(role), shape, rewriter_.make_ints(name("axis"), {static_cast<std::int64_t>(axis)}),
            rewriter_.make_ints(name("zero"), {0}));
    }

    // [N,T,I].
    Output x() {
        std::vector<Output> parts;
        for (std::size_t i = 0; i < cell_.inputs.size(); ++i) {
            Output part = input(i).tensor;
            if (input(i).time_axis == 0) {
                part = rewriter_.make<ops::Transpose>(
                    name("X"), part, rewriter_.make_ints(name("X/order"), {1, 0, 2}));
            }
            parts.push_back(part);
        }
        const Output all = parts.size() == 1
                               ? parts.front()
                               : Output(rewriter_.make<ops::Concat>(name("X"), parts, 2));
        return request_.masked != nullptr ? request_.masked->taken(all) : all;
    }

    // [N,1,H].
    Output state(std::size_t number, const std::string& role) {
        const Output& first = request_.states[number];
        const std::int64_t hidden = cell_.attributes.hidden_size;
        if (!is_zero_state(first)) {
            const Output rows = rewriter_.make<ops::Reshape>(
                name(role), first, rewriter_.make_ints(name(role + "/rows"), {-1, 1, hidden}),
                false);
            const auto axis = row_axis(first.shape());
            const bool fits =
                axis && same_extent(first, *axis, input(0).tensor, batch_axis(input(0)));
            return fits ? rows
                        : Output(
                              rewriter_.make<ops::Broadcast>(name(role), rows, state_shape(role)));
        }
        Tensor zero(ElementType::f32, {});
        *zero.data<float>() = 0;
        return rewriter_.make<ops::Broadcast>(name(role), constant("zero", zero),
                                              state_shape(role));
    }

    // [N,1,H], as a vector.
    Output state_shape(const std::string& role) {
        const Output rest =
            rewriter_.make_ints(name(role + "/rest"), {1, cell_.attributes.hidden_size});
        return rewriter_.make<ops::Concat>(
            name(role + "/shape"), std::vector<Output>{extent(batch_axis(input(0)), "N"), rest}, 0);
    }

    Output lengths() {
        if (request_.masked != nullptr) return request_.masked->lengths();
        return rewriter_.make<ops::Broadcast>(name("lengths"), extent(input(0).time_axis, "T"),
                                              extent(batch_axis(input(0)), "N"));
    }

    template <typename Op>
    std::shared_ptr<Node> made(const ops::RecurrentAttributes& attributes,
                               const std::vector<Output>& inputs) {
        Op op;
        op.set_attributes(attributes);
        op.set_name(request_.name);
        return rewriter_.clone(op, inputs);
    }

    Rewriter& rewriter_;
    const CellFormula& cell_;
    const SequenceRequest& request_;
};

// What a value is cut from or a view of.
Output made_of(Output value) {
    const auto is_part = [](const Node& node) {
        return node.traits().view || as_op<ops::Slice>(node) != nullptr ||
               as_op<ops::Split>(node) != nullptr || as_op<ops::VariadicSplit>(node) != nullptr;
    };
    while (is_part(value.node())) value = value.node().input(0);
    return value;
}

// Whether zeros were broadcast to that extent along the axis of their rows.
bool is_made_for(const Output& state, std::size_t rows, const Output& x, std::size_t batch) {
    const auto splat = splat_of(state);
    if (!splat || splat->extents.size() <= rows || splat->extents[rows].number) return false;
    const ShapeElement& extent = splat->extents[rows];
    return origin_of_extent(extent.tensor, extent.axis) == origin_of_extent(x, batch);
}

bool is_all_zero(const Tensor& tensor) {
    if (tensor.element_type() != ElementType::f32) return false;
    const Tensor dense = tensor.contiguous();
    const float* elements = dense.data<float>();
    return std::all_of(elements, elements + dense.size(), [](float one) { return one == 0; });
}

}  // namespace

bool has_steps_of(const Output& tensor, std::size_t time_axis, const StepInput& input) {
    return same_extent(tensor, 1 - time_axis, input.tensor, batch_axis(input)) &&
           same_extent(tensor, time_axis, input.tensor, input.time_axis);
}

std::shared_ptr<Node> make_sequence(Rewriter& rewriter, const CellFormula& cell,
                                    const SequenceRequest& request) {
    for (const std::size_t number : cell.inputs) {
        const PartialShape& shape = request.inputs[number].tensor.shape();
        if (!shape.has_rank() || shape.rank() != ops::kRankOfX) return nullptr;
    }
    return SequenceMaker(rewriter, cell, request).make();
}

bool is_zero_state(const Output& state) {
    const Output value = made_of(state);
    const Tensor known = known_value(
        as_op<ops::Broadcast>(value.node()) != nullptr ? made_of(value.node().input(0)) : value);
    return known && is_all_zero(known);
}

bool fits_rows(const Output& state, const StepInput& input) {
    const std::size_t batch = batch_axis(input);
    const auto rows = row_axis(state.shape());
    if (rows && same_extent(state, *rows, input.tensor, batch)) return true;
    // One row becomes more in the first step, if there is one.
    const bool is_one = rows && state.shape()[*rows] == Dimension(1);
    if (is_one) return input.tensor.shape()[input.time_axis].min() > 0;
    const Dimension& extent = input.tensor.shape()[batch];
    if (!is_zero_state(state)) return rows && state.shape()[*rows].intersect(extent).has_value();
    return (extent.is_static() && extent.length() > 1) ||
           (rows && is_made_for(state, *rows, input.tensor, batch));
}

std::optional<std::size_t> row_axis(const PartialShape& shape) {
    if (!shape.has_rank() || shape.rank() < 2) return {};
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i + 1 < shape.rank(); ++i) {
        if (shape[i] == Dimension(1)) continue;
        if (found) return {};
        found = i;
    }
    return found ? found : std::optional(shape.rank() - 2);
}

bool has_rows_of(const PartialShape& shape, std::int64_t units) {
    if (!shape.has_rank() || shape.rank() < 2 || shape[shape.rank() - 1] != Dimension(units)) {
        return false;
    }
    for (std::size_t i = 0; i + 2 < shape.rank(); ++i) {
        if (shape[i] != Dimension(1)) return false;
    }
    return true;
}

Output make_all_steps(Rewriter& rewriter, const Output& y, std::size_t time_axis,
                      const std::string& name) {
    const Output steps =
        rewriter.make<ops::Squeeze>(name, y, rewriter.make_ints(name + "/direction", {1}));
    if (time_axis == 1) return steps;
    return rewriter.make<ops::Transpose>(name, steps,
                                         rewriter.make_ints(name + "/order", {1, 0, 2}));
}

Output make_last_state(Rewriter& rewriter, const Output& state, const PartialShape& like,
                       const std::string& name) {
    const std::size_t rank = like.rank();
    if (rank == 2) {
        return rewriter.make<ops::Squeeze>(name, state,
                                           rewriter.make_ints(name + "/direction", {1}));
    }
    std::vector<std::int64_t> pattern(rank, 1);
    pattern[*row_axis(like)] = -1;
    pattern[rank - 1] = state.shape()[2].length();
    return rewriter.make<ops::Reshape>(name, state, rewriter.make_ints(name + "/shape", pattern),
                                       false);
}

}  // namespace rondo::passes
