#include "tests/random/spare_parts.hpp"

#include <rondo_onnx.pb.h>

#include <array>
#include <cstring>

#include "rondo/error.hpp"
#include "tests/random/minimise/graph_parts.hpp"
#include "tests/support/rng.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {
namespace {

using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;
using rondo_onnx::TensorProto;

// One graph of the model, and what can be added to it.
class SpareMaker {
public:
    SpareMaker(GraphProto& graph, bool is_body, Rng& rng, int& count)
        : graph_(graph), is_body_(is_body), rng_(rng), count_(count), values_(made_values(graph)) {}

    std::int64_t number(std::int64_t lo, std::int64_t hi) { return uniform_int(rng_, lo, hi); }
    std::string new_name() { return "spare" + std::to_string(++count_); }

    /// Some value of the graph, which may be a spare one, or of a body's own; "" at times.
    std::string any_value() {
        if (values_.empty() || number(0, 9) == 0) return "";
        return values_[static_cast<std::size_t>(
            number(0, static_cast<std::int64_t>(values_.size()) - 1))];
    }

    /// A node anywhere in the graph, nameless at times.
    void add(const std::string& op, const std::vector<std::string>& inputs,
             const std::string& output, const std::string& domain = "") {
        NodeProto node = make_node(op, inputs, output);
        node.set_name(number(0, 3) == 0 ? "" : new_name());
        node.set_domain(domain);
        add(std::move(node));
    }
    void add(NodeProto node) {
        for (const auto& output : node.output()) values_.push_back(output);
        insert_node(graph_, static_cast<int>(number(0, graph_.node_size())), std::move(node));
    }

    TensorProto& add_initializer(int type) {
        TensorProto& tensor = *graph_.add_initializer();
        tensor.set_name(new_name());
        tensor.set_data_type(type);
        values_.push_back(tensor.name());
        return tensor;
    }

    GraphProto& graph() { return graph_; }
    bool is_body() const { return is_body_; }

    /// A node of the graph with this operator; null without one.
    NodeProto* any_node(const std::string& op) {
        std::vector<NodeProto*> found;
        for (auto& node : *graph_.mutable_node()) {
            if (node.op_type() == op) found.push_back(&node);
        }
        if (found.empty()) return nullptr;
        return found[static_cast<std::size_t>(
            number(0, static_cast<std::int64_t>(found.size()) - 1))];
    }

private:
    GraphProto& graph_;
    bool is_body_;
    Rng& rng_;
    int& count_;
    std::vector<std::string> values_;
};

void add_unknown_domain(SpareMaker& maker) {
    maker.add("Tokenizer", {maker.any_value(), maker.any_value()}, maker.new_name(), "org.example");
}

void add_unknown_operator(SpareMaker& maker) {
    maker.add("StringNormalizer", {maker.any_value()}, maker.new_name());
}

void add_broken_attributes(SpareMaker& maker) {
    NodeProto node = make_node("LSTM", {maker.any_value()}, maker.new_name());
    NodeBuilder(node).with("hidden_size", "sixty-four").with("clip", 1.0f).with("clip", 2.0f);
    maker.add(std::move(node));
}

void add_wrong_inputs(SpareMaker& maker) {
    maker.add("MatMul", {maker.any_value(), maker.any_value(), maker.any_value()},
              maker.new_name());
}

void add_text(SpareMaker& maker) {
    NodeProto node = make_node("Constant", {}, maker.new_name());
    if (maker.number(0, 1) == 0) {
        NodeBuilder(node).with("value_string", "abc");
    } else {
        NodeBuilder(node).with("value_strings", std::vector<std::string>{"a", "b"});
    }
    maker.add(std::move(node));
}

// Read by a node that nothing reads.
void add_text_initializer(SpareMaker& maker) {
    TensorProto& text = maker.add_initializer(TensorProto::STRING);
    text.add_dims(2);
    text.add_string_data("a");
    text.add_string_data("b");
    maker.add("LabelEncoder", {maker.any_value(), text.name()}, maker.new_name(), "ai.onnx.ml");
}

void add_absent_file(SpareMaker& maker) {
    TensorProto& tensor = maker.add_initializer(TensorProto::FLOAT);
    tensor.set_data_location(TensorProto::EXTERNAL);
    auto& place = *tensor.add_external_data();
    place.set_key("location");
    place.set_value("../no such file");
}

void add_broken_initializer(SpareMaker& maker) {
    constexpr std::array kTypes = {TensorProto::FLOAT, TensorProto::COMPLEX64, TensorProto::INT8};
    TensorProto& tensor =
        maker.add_initializer(kTypes[static_cast<std::size_t>(maker.number(0, 2))]);
    tensor.add_dims(maker.number(-2, 1000));
    tensor.set_raw_data("?");
}

// Like some inputs of old files, its input isn't one that a caller gives.
void add_listed_initializer(SpareMaker& maker) {
    const std::string name = maker.add_initializer(TensorProto::STRING).name();
    maker.graph().add_input()->set_name(name);
}

void add_broken_sparse_initializer(SpareMaker& maker) {
    maker.graph().add_sparse_initializer()->mutable_values()->set_name(maker.new_name());
}

void add_circle(SpareMaker& maker) {
    const std::string a = maker.new_name();
    const std::string b = maker.new_name();
    maker.add("Add", {a, maker.any_value()}, b);
    maker.add("Relu", {b}, a);
}

void add_reader_of_nothing(SpareMaker& maker) {
    maker.add("Relu", {maker.new_name()}, maker.new_name());
}

// Its body reads values from outside, takes one of their names, and calls what isn't there.
void add_body(SpareMaker& maker) {
    ModelBuilder body;
    const std::string name = maker.any_value();
    body.node("Relu", {maker.any_value()}, {name.empty() ? "made" : name});
    body.node("Foo", {maker.any_value()}, {"foo"}).domain("org.example");
    body.output("foo");
    NodeProto node = make_node("If", {maker.any_value()}, maker.new_name());
    NodeBuilder(node).with("then_branch", body.graph()).with("else_branch", body.graph());
    maker.add(std::move(node));
}

void add_node_without_outputs(SpareMaker& maker) {
    NodeProto node = make_node("Relu", {maker.any_value()}, "");
    if (maker.number(0, 1) == 0) node.clear_output();
    maker.add(std::move(node));
}

// The elements in a typed field, where they are in raw_data.
template <typename Element, typename Field>
void move_elements(TensorProto& tensor, Field& field) {
    const std::string raw = std::move(*tensor.mutable_raw_data());
    tensor.clear_raw_data();
    std::vector<Element> elements(raw.size() / sizeof(Element));
    std::memcpy(elements.data(), raw.data(), elements.size() * sizeof(Element));
    field.Add(elements.begin(), elements.end());
}

// A second time, in another form if there is one.
void add_known_initializer(SpareMaker& maker) {
    GraphProto& graph = maker.graph();
    if (graph.initializer_size() == 0) return;
    const int at = static_cast<int>(maker.number(0, graph.initializer_size() - 1));
    TensorProto tensor = graph.initializer(at);
    if (tensor.data_type() == TensorProto::FLOAT && !tensor.raw_data().empty()) {
        move_elements<float>(tensor, *tensor.mutable_float_data());
    } else if (tensor.data_type() == TensorProto::INT64 && !tensor.raw_data().empty()) {
        move_elements<std::int64_t>(tensor, *tensor.mutable_int64_data());
    }
    *graph.add_initializer() = std::move(tensor);
}

// An output of a body that a node makes which can't be read; another body's is made so, too.
std::string add_result(GraphProto& body, const std::string& name) {
    NodeProto node = make_node("Foo", made_values(body), name);
    node.set_domain("org.example");
    insert_node(body, body.node_size(), std::move(node));
    body.add_output()->set_name(name);
    return name;
}

void add_output_of_if(SpareMaker& maker) {
    NodeProto* node = maker.any_node("If");
    if (node == nullptr) return;
    for (GraphProto* body : bodies_of(*node)) {
        if (body->output_size() != node->output_size()) return;
    }
    for (GraphProto* body : bodies_of(*node)) add_result(*body, maker.new_name());
    node->add_output(maker.new_name());
}

// Joined from the iterations.
void add_output_of_loop(SpareMaker& maker) {
    NodeProto* node = maker.any_node("Loop");
    if (node == nullptr) return;
    GraphProto& body = *body_named(*node, "body");
    if (body.output_size() != node->output_size() + 1) return;
    add_result(body, maker.new_name());
    node->add_output(maker.new_name());
}

void add_output_of_scan(SpareMaker& maker) {
    NodeProto* node = maker.any_node("Scan");
    if (node == nullptr) return;
    GraphProto& body = *body_named(*node, "body");
    const bool fits =
        body.output_size() == node->output_size() && body.input_size() == node->input_size();
    if (!fits) return;
    add_result(body, maker.new_name());
    node->add_output(maker.new_name());
    for (auto& attribute : *node->mutable_attribute()) {
        const std::string& name = attribute.name();
        const bool is_list = name == "scan_output_axes" || name == "scan_output_directions";
        if (is_list) attribute.add_ints(0);
    }
}

// Moves the last element of a list to place `at`.
template <typename List>
void move_last_to(List& list, int at) {
    for (int i = list.size() - 1; i > at; --i) list.SwapElements(i, i - 1);
}

// A loop carries text, and nothing reads what it is in the end.
void add_carried_text(SpareMaker& maker) {
    NodeProto* node = maker.any_node("Loop");
    if (node == nullptr) return;
    GraphProto& body = *body_named(*node, "body");
    const bool fits =
        body.output_size() == node->output_size() + 1 && body.input_size() == node->input_size();
    if (!fits) return;
    const int carried = node->input_size() - 2;
    node->add_input(maker.add_initializer(TensorProto::STRING).name());
    node->add_output(maker.new_name());
    move_last_to(*node->mutable_output(), carried);
    auto& parameter = *body.add_input();
    parameter.set_name(maker.new_name());
    parameter.mutable_type()->mutable_tensor_type()->set_elem_type(TensorProto::STRING);
    const std::string next = maker.number(0, 1) == 0 ? parameter.name() : maker.new_name();
    if (next != parameter.name()) {
        insert_node(body, 0, make_node("Identity", {parameter.name()}, next));
    }
    body.add_output()->set_name(next);
    move_last_to(*body.mutable_output(), carried + 1);
}

void add_text_input(SpareMaker& maker) {
    if (maker.is_body()) return;
    auto& input = *maker.graph().add_input();
    input.set_name(maker.new_name());
    if (maker.number(0, 1) == 0) {
        input.mutable_type()->mutable_tensor_type()->set_elem_type(TensorProto::STRING);
    } else {
        input.mutable_type()->mutable_map_type();
    }
}

// One that could stay.
void add_sound_node(SpareMaker& maker) {
    maker.add("Identity", {maker.any_value()}, maker.new_name());
}

constexpr void (*kParts[])(SpareMaker&) = {
    add_absent_file,
    add_body,
    add_broken_attributes,
    add_broken_initializer,
    add_broken_sparse_initializer,
    add_carried_text,
    add_circle,
    add_known_initializer,
    add_listed_initializer,
    add_node_without_outputs,
    add_output_of_if,
    add_output_of_loop,
    add_output_of_scan,
    add_reader_of_nothing,
    add_sound_node,
    add_text,
    add_text_initializer,
    add_text_input,
    add_unknown_domain,
    add_unknown_operator,
    add_wrong_inputs,
};

// The graph and all bodies.
void collect(GraphProto& graph, std::vector<GraphProto*>& graphs) {
    graphs.push_back(&graph);
    for (auto& node : *graph.mutable_node()) {
        for (GraphProto* body : bodies_of(node)) collect(*body, graphs);
    }
}

// Chosen again for each part: inserting nodes moves those that own bodies.
GraphProto& any_graph(GraphProto& graph, Rng& rng) {
    std::vector<GraphProto*> graphs;
    collect(graph, graphs);
    return *graphs[static_cast<std::size_t>(
        uniform_int(rng, 0, static_cast<std::int64_t>(graphs.size()) - 1))];
}

}  // namespace

std::string with_spare_parts(const std::string& bytes, std::uint64_t seed) {
    rondo_onnx::ModelProto message;
    if (!message.ParseFromString(bytes)) throw ModelError("no ONNX message");
    Rng rng(seed + 0x5bae);
    int count = 0;
    for (std::int64_t left = uniform_int(rng, 3, 12); left > 0; --left) {
        GraphProto& graph = any_graph(*message.mutable_graph(), rng);
        SpareMaker maker(graph, &graph != &message.graph(), rng, count);
        kParts[uniform_int(rng, 0, static_cast<std::int64_t>(std::size(kParts)) - 1)](maker);
    }
    return message.SerializeAsString();
}

}  // namespace rondo::test
