#include "transformations/state/passes.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/ops/control/loop.hpp"
#include "rondo/error.hpp"
#include "transformations/state/state_starts.hpp"
#include "transformations/state/variable_maker.hpp"

namespace rondo::passes {
namespace {

using ops::IteratedOp;
using ops::RecurrentOp;

// A state that becomes a variable.
struct Hidden {
    NodePtr node;
    std::size_t port;
    std::string id;
    std::size_t result = 0;  ///< of a loop's body
    PartialShape shape{};    ///< of a loop's value, in each iteration
};

[[noreturn]] void refuse(const Node& node, const std::string& why) {
    throw UnsupportedError(describe(node) +
                           ": its state can't be kept from chunk to chunk: " + why);
}

bool has_open_steps(const Node& node) {
    const auto* op = as_op<RecurrentOp>(node);
    if (op == nullptr || !op->is_sequence()) return false;
    const PartialShape& x = op->input(op->x_port()).shape();
    return !x.has_rank() || !x[1].is_static();
}

void check_layer(const RecurrentOp& op) {
    if (runs_backwards(op)) {
        refuse(op, "it runs backwards, so that it needs later steps first");
    }
    if (const RecurrentOp* next = next_layer(op)) {
        refuse(op, "its last state starts " + describe(*next));
    }
}

class Finder {
public:
    explicit Finder(const Graph& graph) : nodes_(graph.ordered_nodes()) {
        time_is_open_ = std::any_of(nodes_.begin(), nodes_.end(),
                                    [](const NodePtr& node) { return has_open_steps(*node); });
    }

    std::vector<Hidden> find() {
        for (const auto& node : nodes_) {
            if (const auto op = as<RecurrentOp>(node)) look_at(op);
            if (const auto loop = as<IteratedOp>(node)) look_at(loop);
            for (const auto& body : node->bodies()) check_body(*node, *body);
        }
        return std::move(found_);
    }

private:
    void look_at(const std::shared_ptr<RecurrentOp>& op);
    void look_at(const std::shared_ptr<IteratedOp>& loop);
    void check_body(const Node& owner, const Graph& body) const;
    // Whether the state becomes a variable; throws where it should, but can't.
    bool is_hidden(const Node& node, std::size_t port) const;

    std::vector<NodePtr> nodes_;
    bool time_is_open_ = false;
    std::vector<Hidden> found_;
};

bool Finder::is_hidden(const Node& node, std::size_t port) const {
    const Output& start = node.input(port);
    if (is_always_the_same(start)) return true;
    if (!is_fed(start)) refuse(node, "it starts from a value that is computed from inputs");
    return false;
}

void Finder::look_at(const std::shared_ptr<RecurrentOp>& op) {
    if (time_is_open_ && op->is_sequence() && !has_open_steps(*op)) return;
    const std::size_t before = found_.size();
    std::size_t number = 0;
    for (const std::size_t port : {op->h_port(), op->c_port()}) {
        if (port == RecurrentOp::npos) continue;
        const std::string id = op->name() + "/variable_" + std::to_string(number++);
        if (is_hidden(*op, port)) found_.push_back({op, port, id});
    }
    if (found_.size() != before) check_layer(*op);
}

void Finder::look_at(const std::shared_ptr<IteratedOp>& loop) {
    const auto& inputs = loop->body_ports().inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i].back_edge) continue;
        const auto& parameter = *loop->body().parameters()[inputs[i].parameter];
        if (!is_floating(parameter.output_type(0))) continue;
        if (dynamic_cast<const ops::Loop*>(loop.get()) != nullptr) {
            refuse(*loop, "only a TensorIterator's rounds are steps for certain");
        }
        if (!is_hidden(*loop, inputs[i].input)) continue;
        if (runs_backwards(*loop))
            refuse(*loop,
                   "it runs backwards, so that it needs later steps "
                   "first");
        found_.push_back({loop, inputs[i].input,
                          loop->name() + "/" + parameter.name() + "/variable_" + std::to_string(i),
                          *inputs[i].back_edge, parameter.output_shape(0)});
    }
}

void Finder::check_body(const Node& owner, const Graph& body) const {
    for (const auto& node : body.ordered_nodes()) {
        for (const auto& inner : node->bodies()) check_body(owner, *inner);
        const auto* op = as_op<RecurrentOp>(*node);
        if (op != nullptr && is_always_the_same(op->input(op->h_port()))) {
            refuse(*node, "it stands in a body of " + describe(owner));
        }
    }
}

void convert(const Hidden& state, VariableMaker& maker) {
    const Output start = state.node->input(state.port);
    VariableMaker::Variable variable{state.id, {}, state.shape};
    if (const auto op = as<RecurrentOp>(state.node)) {
        variable.next = last_state(*op, state.port);
        variable.shape = shape_of_state(*op, state.port);
    } else {
        variable.next = last_value(*as<IteratedOp>(state.node), state.result);
    }
    if (!variable.shape.is_static() || !is_zero(start)) variable.init = {start};
    maker.add(*state.node, state.port, variable);
}

}  // namespace

bool hidden_states_to_variables(Graph& graph) {
    const auto states = Finder(graph).find();
    VariableMaker maker(graph);
    for (const Hidden& state : states) convert(state, maker);
    return maker.finish();
}

}  // namespace rondo::passes
