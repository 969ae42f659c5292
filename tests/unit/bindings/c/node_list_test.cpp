// Tests of the lists of nodes in bindings/c/model.cpp.
#include <algorithm>
#include <cstring>
#include <string>

#include "tests/unit/bindings/c/c_api.hpp"

namespace rondo::test::node_list_test {
namespace {

using NodeListHandle = std::unique_ptr<rondo_node_list_t, Freer<rondo_node_list_free>>;

NodeListHandle nodes_of_detector() {
    rondo_node_list_t* nodes = nullptr;
    expect_ok(rondo_model_nodes(read_detector(make_core()).get(), &nodes));
    return NodeListHandle(nodes);
}

const rondo_node_info_t* find_type(const NodeListHandle& nodes, const char* type) {
    for (std::size_t i = 0; i < rondo_node_list_size(nodes.get()); ++i) {
        const rondo_node_info_t* node = rondo_node_list_at(nodes.get(), i);
        if (std::strcmp(node->type, type) == 0) return node;
    }
    ADD_FAILURE() << "there is no " << type;
    return nullptr;
}

std::string attribute(const rondo_node_info_t* node, const char* name) {
    const rondo_property_t* end = node->attributes + node->attribute_count;
    const auto* found = std::find_if(node->attributes, end, [&](const rondo_property_t& one) {
        return std::strcmp(one.name, name) == 0;
    });
    return found == end ? "(none)" : found->value;
}

// The list outlives the model, whose handle is freed.
TEST(CNodeList, ShowsANode) {
    const auto nodes = nodes_of_detector();
    const rondo_node_info_t* lstm = find_type(nodes, "LSTMSequence");
    ASSERT_NE(lstm, nullptr);
    EXPECT_STREQ(lstm->name, "LSTM_0");
    EXPECT_STREQ(lstm->opset, "opset5");
    EXPECT_EQ(attribute(lstm, "direction"), "forward");
    EXPECT_EQ(attribute(lstm, "hidden_size"), "24");
    EXPECT_EQ(attribute(lstm, "activations"), "sigmoid, tanh, tanh");
    EXPECT_EQ(lstm->constant_bytes, 0u);
    ASSERT_EQ(rondo_port_list_size(lstm->outputs), 3u);
    EXPECT_STREQ(rondo_port_list_at(lstm->outputs, 0)->shape, "[1,1,?,24]");
    EXPECT_STREQ(rondo_port_list_at(lstm->outputs, 2)->shape, "[1,1,24]");
}

TEST(CNodeList, InputsNameProducersThatComeBefore) {
    const auto nodes = nodes_of_detector();
    std::size_t inputs = 0;
    for (std::size_t i = 0; i < rondo_node_list_size(nodes.get()); ++i) {
        const rondo_node_info_t* node = rondo_node_list_at(nodes.get(), i);
        for (std::size_t k = 0; k < node->input_count; ++k, ++inputs) {
            ASSERT_LT(node->inputs[k].node, i) << node->name;
            const auto* producer = rondo_node_list_at(nodes.get(), node->inputs[k].node);
            EXPECT_LT(node->inputs[k].output, rondo_port_list_size(producer->outputs));
        }
    }
    EXPECT_GT(inputs, 10u);
    const rondo_node_info_t* lstm = find_type(nodes, "LSTMSequence");
    ASSERT_NE(lstm, nullptr);
    ASSERT_EQ(lstm->input_count, 7u);
    const auto* r = rondo_node_list_at(nodes.get(), lstm->inputs[5].node);
    EXPECT_STREQ(r->type, "Const");
    EXPECT_EQ(r->constant_bytes, 4u * 24 * 24 * sizeof(float));  // R [1,4*24,24]
}

TEST(CNodeList, EndsAtItsSize) {
    const auto nodes = nodes_of_detector();
    const std::size_t size = rondo_node_list_size(nodes.get());
    EXPECT_NE(rondo_node_list_at(nodes.get(), size - 1), nullptr);
    EXPECT_EQ(rondo_node_list_at(nodes.get(), size), nullptr);
}

}  // namespace
}  // namespace rondo::test::node_list_test
