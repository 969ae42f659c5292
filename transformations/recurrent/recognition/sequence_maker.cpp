#include "transformations/recurrent/recognition/sequence_maker.hpp"

#include <algorithm>
#include <utility>

#include "core/extents/extent_origin.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/splats.hpp"
#include "transformations/recurrent/recognition/step_mask.hpp"

namespace rondo::passes {
namespace {

std::size_t batch_axis(const StepInput& input) { return 1 - input.time_axis; }

class SequenceMaker {
public:
    SequenceMaker(Rewriter& rewriter, const CellFormula& cell, const SequenceRequest& request)
        : by_(rewriter, request.name), cell_(cell), request_(request) {}

    NodePtr make() {
        if (!fits()) return nullptr;
        std::vector<Output> inputs{x(), state(cell_.hidden_state)};
        if (cell_.is_lstm()) inputs.push_back(state(cell_.cell_state));
        inputs.push_back(lengths());
        ops::RecurrentAttributes attributes = cell_.attributes;
        if (request_.reverse) attributes.direction = ops::Direction::reverse;
        return make_op(by_, request_.name, cell_, attributes, true, std::move(inputs));
    }

private:
    const StepInput& input(std::size_t i) const { return request_.inputs[cell_.inputs[i]]; }

    bool fits() const {
        if (cell_.inputs.empty()) return false;
        const StepInput& first = input(0);
        for (std::size_t i = 1; i < cell_.inputs.size(); ++i) {
            if (!has_steps_of(first.tensor, first.time_axis, input(i))) return false;
        }
        return (!cell_.is_lstm() || fits_rows(request_.states[cell_.cell_state], first)) &&
               fits_rows(request_.states[cell_.hidden_state], first);
    }

    // N and T, as vectors of one.
    Output rows() { return extent(batch_axis(input(0))); }
    Output steps() { return extent(input(0).time_axis); }
    Output extent(std::size_t axis) {
        return by_.run_extent(input(0).tensor, static_cast<std::int64_t>(axis));
    }

    // [N,T,I].
    Output x() {
        std::vector<Output> parts;
        for (std::size_t i = 0; i < cell_.inputs.size(); ++i) {
            const Output& part = input(i).tensor;
            parts.push_back(input(i).time_axis == 0 ? by_.transpose(part, {1, 0, 2}) : part);
        }
        const Output all = parts.size() == 1 ? parts.front() : by_.concat(parts, 2);
        return request_.masked != nullptr ? request_.masked->taken(all) : all;
    }

    // [N,1,H].
    Output state(std::size_t number) {
        const Output& first = request_.states[number];
        const std::int64_t hidden = cell_.attributes.hidden_size;
        const bool is_zero = is_zero_state(first);
        const Output value =
            is_zero ? by_.number(ElementType::f32, 0) : by_.reshape(first, {-1, 1, hidden});
        const auto axis = row_axis(first.shape());
        const bool fits =
            !is_zero && axis && same_extent(first, *axis, input(0).tensor, batch_axis(input(0)));
        return fits ? value : by_.broadcast(value, by_.concat({rows(), by_.ints({1, hidden})}, 0));
    }

    Output lengths() {
        return request_.masked != nullptr ? request_.masked->lengths()
                                          : by_.broadcast(steps(), rows());
    }

    Formula by_;
    const CellFormula& cell_;
    const SequenceRequest& request_;
};

// What a value is cut from or a view of.
Output made_of(Output value) {
    while (value.node().traits().view || cuts_parts(value.node())) value = value.node().input(0);
    return value;
}

// Whether zeros were broadcast to that extent along the axis of their rows.
bool is_made_for(const Output& state, std::size_t rows, const Output& x, std::size_t batch) {
    const auto splat = splat_of(state);
    if (!splat || splat->extents.size() <= rows || splat->extents[rows].number) return false;
    return is_extent(splat->extents[rows], x, batch);
}

bool is_all_zero(const Tensor& tensor) {
    const float* elements = tensor ? tensor.data<float>() : nullptr;
    return elements != nullptr &&
           std::all_of(elements, elements + tensor.size(), [](float one) { return one == 0; });
}

}  // namespace

bool has_steps_of(const Output& tensor, std::size_t time_axis, const StepInput& input) {
    return same_extent(tensor, 1 - time_axis, input.tensor, batch_axis(input)) &&
           same_extent(tensor, time_axis, input.tensor, input.time_axis);
}

NodePtr make_op(Formula& by, const std::string& name, const CellFormula& cell,
                ops::RecurrentAttributes attributes, bool is_sequence, std::vector<Output> inputs) {
    for (const auto& [role, weights] : {std::pair("W", cell.w), std::pair("R", cell.r),
                                        std::pair("B", cell.b), std::pair("P", cell.p)}) {
        if (!weights) continue;
        Shape shape = weights.shape();
        if (!is_sequence) shape.erase(shape.begin());
        inputs.push_back(by.rewriter().make_constant(by.name(role), weights.reshaped(shape)));
    }
    return by.recurrent(name, cell.type, is_sequence, std::move(attributes), std::move(inputs));
}

NodePtr make_sequence(Rewriter& rewriter, const CellFormula& cell, const SequenceRequest& request) {
    for (const std::size_t number : cell.inputs) {
        const PartialShape& shape = request.inputs[number].tensor.shape();
        if (!shape.has_rank() || shape.rank() != ops::kRankOfX) return nullptr;
    }
    return SequenceMaker(rewriter, cell, request).make();
}

bool is_zero_state(const Output& state) {
    const Output value = made_of(state);
    const bool is_repeated = as_op<ops::Broadcast>(value.node()) != nullptr;
    return is_all_zero(known_floats(is_repeated ? made_of(value.node().input(0)) : value));
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

Output make_all_steps(Formula& by, const Output& y, std::size_t time_axis) {
    const Output steps = by.squeeze(y, {1});
    return time_axis == 1 ? steps : by.transpose(steps, {1, 0, 2});
}

Output make_last_state(Formula& by, const Output& state, const PartialShape& like) {
    const std::size_t rank = like.rank();
    if (rank == 2) return state.shape().rank() == 2 ? state : by.squeeze(state, {1});
    std::vector<std::int64_t> pattern(rank, 1);
    pattern[*row_axis(like)] = -1;
    pattern[rank - 1] = state.shape()[state.shape().rank() - 1].length();
    return by.reshape(state, pattern);
}

}  // namespace rondo::passes
