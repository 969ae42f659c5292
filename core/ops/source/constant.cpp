// A tensor known at compile time: weights, axes, shapes.
#include "core/ops/source/source_ops.hpp"

#include <algorithm>

#include "core/graph/infer_context.hpp"

namespace rondo::ops {

void Constant::infer(InferContext& context) const {
    context.check_input_count(0, 0);
    context.check(static_cast<bool>(value_), "the constant has no value");
    context.set_output(0, value_.element_type(), value_.shape());
}

void Constant::release() { value_ = without_elements(value_); }

std::size_t constant_bytes(const Graph& graph) {
    std::size_t bytes = 0;
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            if (const auto* constant = as_op<Constant>(*node))
                bytes += constant->value().byte_size();
        }
    });
    return bytes;
}

namespace {

std::shared_ptr<Constant> make(const std::vector<std::int64_t>& values, const Shape& shape,
                               const std::string& name) {
    Tensor tensor(ElementType::i64, shape);
    std::copy(values.begin(), values.end(), tensor.data<std::int64_t>());
    auto node = make_node<Constant>(std::move(tensor));
    node->set_name(name);
    return node;
}

}  // namespace

std::shared_ptr<Constant> make_i64(const std::vector<std::int64_t>& values,
                                   const std::string& name) {
    return make(values, {values.size()}, name);
}

std::shared_ptr<Constant> make_i64_scalar(std::int64_t value, const std::string& name) {
    return make({value}, {}, name);
}

}  // namespace rondo::ops
