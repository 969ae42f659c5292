#include "transformations/streaming/starting_extent.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <tuple>
#include <vector>

#include "core/extents/extent_origin.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/runtime/transforms.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "transformations/streaming/state_starts.hpp"

namespace rondo::passes {
namespace {

constexpr std::size_t kMaxPlaces = 4096;

// A body that the walk is in; null outside of all.
struct Level {
    const ops::BodyOp* op;
    std::size_t body;
    const Level* outer;
};

struct Place {
    Output tensor;
    std::size_t axis;
    const Level* level;
};

const NodePtr& parameter_of(const ops::BodyOp& op, std::size_t body, const ops::BodyInput& port) {
    return op.bodies()[body]->parameters()[port.parameter];
}

void mark(const Graph& graph, std::set<const Node*>& behind);

void mark_bodies(const ops::BodyOp& op, std::set<const Node*>& behind) {
    for (std::size_t body = 0; body < op.bodies().size(); ++body) {
        for (const ops::BodyInput& port : op.ports(body).inputs) {
            const bool goes_round = port.back_edge.has_value();
            if (goes_round || behind.contains(&op.input(port.input).node())) {
                behind.insert(parameter_of(op, body, port).get());
            }
        }
        mark(*op.bodies()[body], behind);
    }
}

void mark(const Graph& graph, std::set<const Node*>& behind) {
    for (const auto& node : graph.ordered_nodes()) {
        const auto& inputs = node->inputs();
        const bool reads_one = std::any_of(inputs.begin(), inputs.end(), [&](const Output& input) {
            return behind.contains(&input.node());
        });
        if (reads_one) behind.insert(node.get());
        if (const auto* op = as_op<ops::BodyOp>(*node)) mark_bodies(*op, behind);
    }
}

class ExtentWalk {
public:
    explicit ExtentWalk(const std::set<const Node*>& behind) : behind_(behind) {}

    std::optional<ShapeElement> find(const Output& state, std::size_t axis) {
        push(state, axis, nullptr);
        while (!open_.empty() && seen_.size() < kMaxPlaces) {
            const Place at = open_.front();
            open_.pop_front();
            for (const Consumer& reader : at.tensor.consumers()) {
                visit(at, *reader.node, reader.input);
                if (found_) return found_;
            }
        }
        if (!grows_) return {};
        return ShapeElement{0};
    }

private:
    void push(const Output& tensor, std::size_t axis, const Level* level);
    void visit(const Place& at, Node& node, std::size_t input);
    void enter_bodies(const Place& at, const ops::BodyOp& op, std::size_t input);
    void look_beside(const Place& at, const Node& node, const IndependentAxis& rows);
    std::optional<ShapeElement> outside(Output tensor, std::size_t axis, const Level* level) const;

    const std::set<const Node*>& behind_;
    std::deque<Place> open_;
    std::deque<Level> levels_;
    std::set<std::tuple<const Node*, std::size_t, std::size_t>> seen_;
    std::optional<ShapeElement> found_;
    bool grows_ = false;
};

void ExtentWalk::push(const Output& tensor, std::size_t axis, const Level* level) {
    if (seen_.emplace(&tensor.node(), tensor.index(), axis).second) {
        open_.push_back({tensor, axis, level});
    }
}

void ExtentWalk::visit(const Place& at, Node& node, std::size_t input) {
    if (const auto* op = as_op<ops::BodyOp>(node)) return enter_bodies(at, *op, input);
    grows_ = grows_ || joined_axis(node) == at.axis;
    const auto all = rows_of_input(node, input, at.axis);
    if (!all) return;
    for (const auto& [output, axis, rows] : *all) {
        look_beside(at, node, rows);
        push(node.output(output), axis, at.level);
    }
}

void ExtentWalk::enter_bodies(const Place& at, const ops::BodyOp& op, std::size_t input) {
    for (std::size_t body = 0; body < op.bodies().size(); ++body) {
        for (const ops::BodyInput& port : op.ports(body).inputs) {
            if (port.input != input) continue;
            if (port.slice && port.slice->axis == static_cast<std::int64_t>(at.axis)) continue;
            levels_.push_back({&op, body, at.level});
            push(parameter_of(op, body, port)->output(0), at.axis, &levels_.back());
        }
    }
}

// The extents of the other operands along these rows.
void ExtentWalk::look_beside(const Place& at, const Node& node, const IndependentAxis& rows) {
    for (std::size_t i = 0; i < rows.inputs.size() && !found_; ++i) {
        const std::size_t axis = rows.inputs[i];
        const Output& other = node.input(i);
        if (axis == IndependentAxis::kWhole || behind_.contains(&other.node())) continue;
        if (!other.shape()[axis].is_static()) {
            found_ = outside(other, axis, at.level);
        } else if (!rows.broadcasts || other.shape()[axis] != Dimension(1)) {
            found_ = ShapeElement{other.shape()[axis].length()};
        }
    }
}

const ops::BodyInput* port_of(const Level& level, const Node& parameter) {
    for (const ops::BodyInput& port : level.op->ports(level.body).inputs) {
        if (parameter_of(*level.op, level.body, port).get() == &parameter) return &port;
    }
    return nullptr;
}

// Where the extent comes from, in the graph outside of all bodies.
std::optional<ShapeElement> ExtentWalk::outside(Output tensor, std::size_t axis,
                                                const Level* level) const {
    while (true) {
        const ExtentOrigin origin = origin_of_extent(tensor, axis);
        if (level == nullptr) {
            if (behind_.contains(&origin.source.node())) return {};
            return extent_element(origin.source, origin.axis);
        }
        const ops::BodyInput* port = port_of(*level, origin.source.node());
        if (port == nullptr || port->back_edge || port->slice) return {};
        tensor = level->op->input(port->input);
        axis = origin.axis;
        level = level->outer;
    }
}

}  // namespace

std::set<const Node*> nodes_behind(const Graph& graph, const std::set<const Node*>& sources) {
    std::set<const Node*> behind = sources;
    mark(graph, behind);
    return behind;
}

std::optional<ShapeElement> starting_extent(const Output& state, std::size_t axis,
                                            const std::set<const Node*>& behind) {
    return ExtentWalk(behind).find(state, axis);
}

namespace {

// Two numbers of rows that no constant of a model is likely to be.
constexpr std::int64_t kRows = 7;
constexpr std::int64_t kOtherRows = 5;
// So many axes are tried.
constexpr std::size_t kMostAxes = 16;
// What other open axes are: long enough for the windows of one model, short enough for another.
constexpr std::array<std::int64_t, 5> kLengths{1536, 512, 288, 96, 11};

class Trial {
public:
    Trial(const Graph& graph, const std::vector<StatePorts>& states,
          const std::vector<InputAxis>& open)
        : graph_(graph), states_(states), open_(open) {}

    // Whether the states must have as many rows as that axis: the first lengths with which the
    // model runs decide.
    bool agrees(const InputAxis& axis) const {
        for (const std::int64_t length : kLengths) {
            if (runs(axis, kRows, length)) return !runs(axis, kOtherRows, length);
        }
        return false;
    }

    bool is_state(std::size_t input) const {
        return std::any_of(states_.begin(), states_.end(),
                           [&](const StatePorts& state) { return state.input == input; });
    }

private:
    bool runs(const InputAxis& axis, std::int64_t rows, std::int64_t length) const;

    const Graph& graph_;
    const std::vector<StatePorts>& states_;
    const std::vector<InputAxis>& open_;
};

bool Trial::runs(const InputAxis& axis, std::int64_t rows, std::int64_t length) const {
    const auto copy = graph_.clone();
    std::vector<PartialShape> shapes;
    for (const auto& parameter : copy->parameters()) shapes.push_back(parameter->output_shape(0));
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (is_state(i) || !shapes[i].has_rank()) continue;
        for (std::size_t j = 0; j < shapes[i].rank(); ++j) {
            if (!shapes[i][j].is_static()) shapes[i][j] = length;
        }
    }
    shapes[axis.input][axis.axis] = kRows;
    for (const InputAxis& state : open_) shapes[state.input][state.axis] = rows;
    try {
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            as<ops::Parameter>(copy->parameters()[i])->set_shape(shapes[i]);
        }
        copy->validate();
        run_portable_passes(*copy, {});  // choices that depend on shapes are made now
    } catch (const ModelError&) {
        return false;
    } catch (const UnsupportedError&) {
        return false;
    }
    return std::all_of(states_.begin(), states_.end(), [&](const StatePorts& state) {
        return copy->results()[state.output]->output_shape(0).intersect(shapes[state.input]);
    });
}

}  // namespace

std::optional<InputAxis> probed_extents(const Graph& graph, const std::vector<StatePorts>& states,
                                        const std::vector<InputAxis>& open) {
    const Trial trial(graph, states, open);
    std::optional<InputAxis> found;
    std::size_t tried = 0;
    for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
        const PartialShape& shape = graph.parameters()[i]->output_shape(0);
        if (trial.is_state(i) || !shape.has_rank()) continue;
        for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
            if (shape[axis].is_static()) continue;
            if (++tried > kMostAxes) return {};
            if (!trial.agrees({i, axis})) continue;
            if (found) return {};
            found = InputAxis{i, axis};
        }
    }
    return found;
}

}  // namespace rondo::passes
