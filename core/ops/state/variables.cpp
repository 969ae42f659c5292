#include "core/ops/state/variables.hpp"

#include <map>

#include "core/graph/infer_context.hpp"
#include "rondo/error.hpp"

namespace rondo::ops {
namespace {

using Readers = std::map<std::string, std::shared_ptr<ReadValueBase>>;

std::string quoted(const std::string& id) { return "variable '" + id + "'"; }

Readers readers_of(const Graph& graph) {
    Readers readers;
    for (const auto& node : graph.ordered_nodes()) {
        const auto read = as<ReadValueBase>(node);
        if (!read) continue;
        const auto [known, is_first] = readers.emplace(read->variable_id(), read);
        if (!is_first) {
            throw ModelError(describe(*node) + ": " + quoted(read->variable_id()) +
                             " is already read by " + describe(*known->second));
        }
    }
    return readers;
}

void check_forms(const Variable& variable) {
    const Output& value = variable.assign->input(0);
    const std::string got =
        "; got " + std::string(to_string(value.element_type())) + to_string(value.shape());
    const std::string expected = ": " + quoted(variable.id) + " is " +
                                 std::string(to_string(variable.type())) +
                                 to_string(variable.shape()) + " by " + describe(*variable.read);
    const bool same_type = value.element_type() == variable.type() ||
                           value.element_type() == ElementType::dynamic ||
                           variable.type() == ElementType::dynamic;
    if (!same_type || !value.shape().intersect(variable.shape())) {
        throw ModelError(describe(*variable.assign) + expected + got);
    }
}

}  // namespace

std::vector<Variable> variables_of(const Graph& graph) {
    Readers readers = readers_of(graph);
    std::map<std::string, const Node*> assigned;
    std::vector<Variable> variables;
    for (const auto& sink : graph.sinks()) {
        const auto assign = as<AssignBase>(sink);
        if (!assign) throw UnsupportedError(describe(*sink) + ": only an Assign can be a sink");
        const std::string& id = assign->variable_id();
        if (const auto [known, is_first] = assigned.emplace(id, sink.get()); !is_first) {
            throw ModelError(describe(*sink) + ": " + quoted(id) + " is already assigned by " +
                             describe(*known->second));
        }
        const auto reader = readers.find(id);
        if (reader == readers.end()) {
            throw ModelError(describe(*sink) + ": " + quoted(id) + " is never read");
        }
        variables.push_back({id, reader->second, assign});
        check_forms(variables.back());
        readers.erase(reader);
    }
    if (!readers.empty()) {
        throw ModelError(describe(*readers.begin()->second) + ": " +
                         quoted(readers.begin()->first) + " is never assigned");
    }
    return variables;
}

void check_init(const Node& read_value, const Shape& shape) {
    const PartialShape& expected = read_value.output_shape(0);
    if (expected.contains(shape)) return;
    throw ModelError(describe(read_value) + ": the init input has shape " + to_string(shape) +
                     "; expected the variable's " + to_string(expected));
}

namespace {

void check_id(const InferContext& context, const ReadValueBase& node) {
    context.check(!node.variable_id().empty(), "variable_id is missing or empty");
}

}  // namespace

void ReadValue::infer(InferContext& context) const {
    check_id(context, *this);
    context.check_input_count(0, 1);
    ElementType type = type_;
    if (context.input_count() == 1) {
        const ElementType init = context.type(0);
        if (type == ElementType::dynamic) type = init;
        context.check(init == type || init == ElementType::dynamic,
                      "the init input is " + std::string(to_string(init)) +
                          "; expected the variable's type " + std::string(to_string(type)));
        context.check(context.shape(0).intersect(shape_).has_value(),
                      "the init input has shape " + to_string(context.shape(0)) +
                          "; expected the variable's " + to_string(shape_));
    } else {
        context.check(type != ElementType::dynamic,
                      "variable_type is missing or 'dynamic', and there is no init input; expected "
                      "a type such as f32");
        context.check(shape_.has_rank(),
                      "variable_shape has no rank, and there is no init input; expected a shape "
                      "such as 1,128");
    }
    context.set_output(0, type, shape_);
}

void ReadValue3::infer(InferContext& context) const {
    check_id(context, *this);
    context.check_input_count(1, 1);
    context.set_output(0, context.type(0), context.shape(0));
}

void AssignBase::infer(InferContext& context) const {
    context.check(!variable_id_.empty(), "variable_id is missing or empty");
    context.check_input_count(1, 1);
    context.set_output(0, context.type(0), context.shape(0));
}

}  // namespace rondo::ops
