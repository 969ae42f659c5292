// Builds small graphs for tests, node by node.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {

/// Names every node: with the given name, or "node_1", "node_2" and so on.
class GraphBuilder {
public:
    template <typename T, typename... Args>
    std::shared_ptr<T> make(const std::string& name, Args&&... args) {
        auto node = make_node<T>(std::forward<Args>(args)...);
        node->set_name(name.empty() ? "node_" + std::to_string(++unnamed_) : name);
        return node;
    }

    /// An input with its name also as tensor name; the shape is text: "[2,?,3]".
    Output input(const std::string& name, std::string_view shape,
                 ElementType type = ElementType::f32) {
        parameters_.push_back(make<ops::Parameter>(name, type, PartialShape::parse(shape)));
        const Output output(parameters_.back(), 0);
        output.set_names({name});
        return output;
    }
    /// A result that reads `value`; its name becomes a tensor name of `value`.
    void output(const std::string& name, const Output& value) {
        value.add_names({name});
        results_.push_back(make<ops::Result>(name + "/result", value));
    }
    std::shared_ptr<Graph> graph() const {
        return std::make_shared<Graph>("test", parameters_, results_, sinks_);
    }

    /// Reads the variable `id`, of f32 and a shape such as "[?,3]"; the node is "read_<id>".
    Output read(const std::string& id, std::string_view shape, std::vector<Output> init = {}) {
        return make<ops::ReadValue>("read_" + id, std::move(init), id, ElementType::f32,
                                    PartialShape::parse(shape));
    }
    /// Gives the variable its next value; the node is "assign_<id>".
    void assign(const std::string& id, const Output& value) {
        sinks_.push_back(make<ops::Assign>("assign_" + id, value, id));
    }

    Output constant(Tensor value, const std::string& name = "") {
        return make<ops::Constant>(name, std::move(value));
    }
    Output ints(const std::vector<std::int64_t>& values) {
        return constant(tensor_of<std::int64_t>({values.size()}, values));
    }
    Output transpose(const Output& data, const std::vector<std::int64_t>& order,
                     const std::string& name = "") {
        return make<ops::Transpose>(name, data, ints(order));
    }
    Output reshape(const Output& data, const std::vector<std::int64_t>& pattern,
                   bool special_zero = true) {
        return make<ops::Reshape>("", data, ints(pattern), special_zero);
    }
    Output squeeze(const Output& data, const std::vector<std::int64_t>& axes) {
        return make<ops::Squeeze>("", data, ints(axes));
    }
    Output unsqueeze(const Output& data, const std::vector<std::int64_t>& axes) {
        return make<ops::Unsqueeze>("", data, ints(axes));
    }

private:
    std::vector<NodePtr> parameters_;
    std::vector<NodePtr> results_;
    std::vector<NodePtr> sinks_;
    int unnamed_ = 0;
};

}  // namespace rondo::test
