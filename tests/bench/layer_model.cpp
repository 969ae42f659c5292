#include "tests/bench/layer_model.hpp"

#include <algorithm>

#include "core/graph/graph.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/bench/random_floats.hpp"

namespace rondo::cpu::bench {
namespace {

NodePtr constant(const Tensor& value, const char* name) {
    const auto node = make_node<ops::Constant>(value);
    node->set_name(name);
    return node;
}

NodePtr random_constant(const Shape& shape, const char* name) {
    Tensor tensor(ElementType::f32, shape);
    const auto values = random_floats(static_cast<std::int64_t>(tensor.size()));
    std::copy(values.begin(), values.end(), tensor.data<float>());
    return constant(tensor, name);
}

NodePtr zeros(const Shape& shape, const char* name) {
    Tensor tensor(ElementType::f32, shape);
    std::fill_n(tensor.data<float>(), tensor.size(), 0.0f);
    return constant(tensor, name);
}

}  // namespace

Model layer_model(const LayerModelCase& layer) {
    const auto N = static_cast<std::size_t>(layer.batch), T = static_cast<std::size_t>(layer.time);
    const auto H = static_cast<std::size_t>(layer.hidden);
    const std::size_t D = layer.bidirectional ? 2 : 1;
    const auto x = make_node<ops::Parameter>(ElementType::f32,
                                             PartialShape{layer.batch, layer.time, layer.hidden});
    x->set_name("x");
    Tensor lengths(ElementType::i64, {N});
    std::fill_n(lengths.data<std::int64_t>(), N, static_cast<std::int64_t>(T));
    const auto node = std::make_shared<ops::LSTMSequence>(
        std::vector<Output>{x, zeros({N, D, H}, "h0"), zeros({N, D, H}, "c0"),
                            constant(lengths, "lengths"), random_constant({D, 4 * H, H}, "w"),
                            random_constant({D, 4 * H, H}, "r"), random_constant({D, 4 * H}, "b")});
    node->set_name("layer");
    ops::RecurrentAttributes attributes;
    attributes.hidden_size = layer.hidden;
    if (layer.bidirectional) attributes.direction = ops::Direction::bidirectional;
    node->set_attributes(attributes);
    node->validate();
    const auto result = make_node<ops::Result>(node->output(0));
    result->set_name("y");
    return Model(
        std::make_shared<Graph>("layer", std::vector<NodePtr>{x}, std::vector<NodePtr>{result}));
}

}  // namespace rondo::cpu::bench
