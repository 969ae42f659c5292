// Random Scans: several states and inputs, either direction, every axis, outputs joined along every
// axis from either end.
#include "tests/random/recipes/body_parts.hpp"

namespace rondo::test {
namespace {

// An input and the axis that is walked.
struct Scanned {
    Value value;
    std::size_t axis = 0;
};

std::optional<Scanned> pick_scanned(ModelMaker& maker, const std::optional<Extent>& extent) {
    const auto x = maker.pick([&](const Value& value) {
        if (value.rank() < 1 || value.rank() > 4) return false;
        if (!extent) return true;
        for (const Extent& own : value.shape) {
            if (own == *extent) return true;
        }
        return false;
    });
    if (!x) return {};
    std::vector<std::size_t> axes;
    for (std::size_t i = 0; i < x->rank(); ++i) {
        const Extent& own = x->shape[i];
        const bool is_short = own.factor <= 8 && own.n + own.t + own.k <= 1;
        if (extent ? own == *extent : is_short) axes.push_back(i);
    }
    if (axes.empty()) return {};
    const auto last = static_cast<std::int64_t>(axes.size()) - 1;
    return Scanned{*x, axes[static_cast<std::size_t>(maker.number(0, last))]};
}

std::int64_t spelled(ModelMaker& maker, std::size_t axis, std::size_t rank) {
    const auto number = static_cast<std::int64_t>(axis);
    return maker.chance(0.3) ? number - static_cast<std::int64_t>(rank) : number;
}

// The attributes of one kind of ports.
struct Walks {
    std::vector<std::int64_t> axes;
    std::vector<std::int64_t> directions;

    void add(ModelMaker& maker, std::size_t axis, std::size_t rank) {
        axes.push_back(spelled(maker, axis, rank));
        directions.push_back(maker.chance(0.4) ? 1 : 0);
    }
};

std::vector<Scanned> pick_inputs(ModelMaker& maker) {
    std::vector<Scanned> inputs;
    for (std::int64_t i = maker.number(1, 3); i > 0; --i) {
        std::optional<Extent> extent;
        if (!inputs.empty()) extent = inputs[0].value.shape[inputs[0].axis];
        if (auto one = pick_scanned(maker, extent)) inputs.push_back(std::move(*one));
        if (inputs.empty()) return {};
    }
    return inputs;
}

Value next_state(ModelMaker& own, const Value& state) {
    if (own.chance(0.1)) return state;
    const Value fresh = own.bounded(value_like(own, state));
    const Value old = own.add("Mul", {state, own.filled({}, 0.5F)}, state.shape);
    return own.add("Add", {old, own.add("Mul", {fresh, own.filled({}, 0.25F)}, state.shape)},
                   state.shape);
}

bool scan(ModelMaker& maker) {
    const auto scanned = pick_inputs(maker);
    if (scanned.empty()) return false;
    const Extent count = scanned[0].value.shape[scanned[0].axis];
    std::vector<Value> inputs;
    for (std::int64_t i = maker.number(0, 2); i > 0; --i) {
        if (const auto state = maker.pick_of_rank(0, 3)) inputs.push_back(*state);
    }
    RandomBody body(maker);
    ModelMaker& own = body.maker();
    std::vector<Value> states;
    std::vector<Extents> shapes;
    for (const Value& initial : inputs) {
        states.push_back(own.add_parameter({"", ElementType::f32, initial.shape}));
        shapes.push_back(initial.shape);
    }
    Walks in;
    for (const Scanned& one : scanned) {
        Value part{"", ElementType::f32, one.value.shape, one.value.exact};
        part.shape.erase(part.shape.begin() + static_cast<std::ptrdiff_t>(one.axis));
        own.add_parameter(part);
        in.add(maker, one.axis, one.value.rank());
        inputs.push_back(one.value);
    }
    add_nodes(own, maker.number(1, 3), true);
    const bool swapped =
        states.size() == 2 && states[0].shape == states[1].shape && maker.chance(0.5);
    for (std::size_t i = 0; i < states.size(); ++i) {
        body.add_result(swapped ? states[1 - i] : next_state(own, states[i]));
    }
    Walks out;
    for (std::int64_t i = maker.number(states.empty() ? 1 : 0, 2); i > 0; --i) {
        const auto x = own.pick_of_rank(0, 3);
        if (!x) continue;
        body.add_result(value_like(own, *x));
        const auto axis =
            static_cast<std::size_t>(maker.number(0, static_cast<std::int64_t>(x->rank())));
        out.add(maker, axis, x->rank() + 1);
        shapes.push_back(x->shape);
        shapes.back().insert(shapes.back().begin() + static_cast<std::ptrdiff_t>(axis), count);
    }
    if (shapes.empty()) return false;
    maker.set_last_name(own.last_name());
    auto made = maker.add_all("Scan", inputs, shapes, ElementType::f32, [&](NodeBuilder& node) {
        node.with("body", body.graph());
        node.with("num_scan_inputs", static_cast<std::int64_t>(scanned.size()));
        node.with("scan_input_axes", in.axes).with("scan_input_directions", in.directions);
        if (out.axes.empty()) return;
        node.with("scan_output_axes", out.axes).with("scan_output_directions", out.directions);
    });
    for (std::size_t i = states.size(); i < made.size() && !maker.is_filled(count); ++i) {
        made[i].hidden = true;  // without an iteration, its shape may be unknown
        maker.describe(made[i]);
    }
    return true;
}

}  // namespace

std::vector<Recipe> scan_recipes() { return {scan}; }

}  // namespace rondo::test
