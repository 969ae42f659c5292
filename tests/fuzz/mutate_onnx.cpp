#include "tests/fuzz/mutate_onnx.hpp"

#include <rondo_onnx.pb.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "frontend/onnx/ops/op_list.hpp"
#include "tests/fuzz/mutate.hpp"

namespace rondo::test {
namespace {

using google::protobuf::RepeatedPtrField;
using rondo_onnx::AttributeProto;
using rondo_onnx::GraphProto;
using rondo_onnx::ModelProto;
using rondo_onnx::NodeProto;
using rondo_onnx::SparseTensorProto;
using rondo_onnx::TensorProto;
using rondo_onnx::ValueInfoProto;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::array<std::int64_t, 10> kUsual = {0, 1, 2, 3, 4, 5, 7, -1, -2, -3};
constexpr std::array<std::int64_t, 12> kExtreme = {
    8, 16, 64, 1000, 65536, -65536, 1LL << 31, 1LL << 32, 1LL << 40, -kMax, kMax - 1, kMax};
constexpr std::array<const char*, 24> kTexts = {
    "",        "Tanh",       "Sigmoid", "Relu",  "Affine",   "forward", "reverse", "bidirectional",
    "linear",  "nearest",    "cubic",   "floor", "ceil",     "add",     "mul",     "max",
    "reflect", "SAME_UPPER", "VALID",   "edge",  "constant", "DCR",     "CRD",     "ij,jk->ik"};

// In the folder of model_folder.hpp, and out of it.
constexpr std::array<const char*, 13> kLocations = {
    "data.bin", "./data.bin", "sub/data.bin", "link", "sub/link", "../secret",  "sub/../../secret",
    "pipe",     "sub",        "empty",        "",     "no_such",  "/etc/passwd"};

// A list of nodes: of a graph, a body or a function.
struct Place {
    RepeatedPtrField<NodeProto>* nodes = nullptr;
    GraphProto* graph = nullptr;  // null for a function
};

class OnnxMutator {
public:
    OnnxMutator(ModelProto& model, Rng& rng) : model_(model), rng_(rng) { collect(); }

    void change() {
        using Change = void (OnnxMutator::*)();
        constexpr std::array<Change, 18> kChanges = {
            &OnnxMutator::change_attribute, &OnnxMutator::change_attribute,
            &OnnxMutator::add_attribute,    &OnnxMutator::remove_attribute,
            &OnnxMutator::change_tensor,    &OnnxMutator::change_tensor,
            &OnnxMutator::change_elements,  &OnnxMutator::change_port,
            &OnnxMutator::change_port,      &OnnxMutator::rewire,
            &OnnxMutator::rewire,           &OnnxMutator::change_inputs,
            &OnnxMutator::change_outputs,   &OnnxMutator::change_operator,
            &OnnxMutator::add_node,         &OnnxMutator::add_node,
            &OnnxMutator::move_nodes,       &OnnxMutator::change_model};
        (this->*one_of(kChanges, rng_))();
    }

private:
    void collect() {
        if (model_.has_graph()) collect(*model_.mutable_graph());
        for (auto& function : *model_.mutable_functions()) {
            for (const auto& input : function.input()) names_.push_back(input);
            collect({function.mutable_node(), nullptr});
        }
    }
    void collect(GraphProto& graph) {
        for (auto& tensor : *graph.mutable_initializer()) {
            tensors_.push_back(&tensor);
            names_.push_back(tensor.name());
        }
        for (auto& sparse : *graph.mutable_sparse_initializer()) collect(sparse);
        for (auto* ports :
             {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()}) {
            for (auto& port : *ports) ports_.push_back(&port);
        }
        for (const auto& input : graph.input()) names_.push_back(input.name());
        collect({graph.mutable_node(), &graph});
    }
    void collect(SparseTensorProto& sparse) {
        sparse_.push_back(&sparse);
        names_.push_back(sparse.values().name());
        for (auto* part : {sparse.mutable_values(), sparse.mutable_indices()}) {
            tensors_.push_back(part);
        }
    }
    void collect(const Place& place) {
        places_.push_back(place);
        for (auto& node : *place.nodes) {
            nodes_.push_back(&node);
            for (const auto& output : node.output()) names_.push_back(output);
            for (auto& attribute : *node.mutable_attribute()) collect(attribute);
        }
    }
    void collect(AttributeProto& attribute) {
        attributes_.push_back(&attribute);
        if (attribute.has_t()) tensors_.push_back(attribute.mutable_t());
        if (attribute.has_sparse_tensor()) collect(*attribute.mutable_sparse_tensor());
        if (attribute.has_g()) collect(*attribute.mutable_g());
        for (auto& body : *attribute.mutable_graphs()) collect(body);
    }

    bool chance(std::size_t one_in) { return below(rng_, one_in) == 0; }
    std::int64_t number() { return chance(4) ? one_of(kExtreme, rng_) : one_of(kUsual, rng_); }
    std::string text() { return one_of(kTexts, rng_); }
    std::string value_name() {
        if (names_.empty() || chance(16)) return "";
        return one_of(names_, rng_);
    }
    std::string new_name() { return "new_" + std::to_string(rng_() % 1'000'000); }

    void change_numbers(google::protobuf::RepeatedField<google::protobuf::int64>& numbers) {
        const int size = numbers.size();
        switch (below(rng_, size == 0 ? 1 : 5)) {
            case 0: numbers.Add(number()); return;
            case 1: numbers.RemoveLast(); return;
            case 2: numbers.SwapElements(0, size - 1); return;
            default: one_of(numbers, rng_) = number();
        }
    }

    void change_attribute() {
        if (attributes_.empty()) return;
        AttributeProto& attribute = *one_of(attributes_, rng_);
        switch (attribute.type()) {
            case AttributeProto::INT: attribute.set_i(number()); break;
            case AttributeProto::INTS: change_numbers(*attribute.mutable_ints()); break;
            case AttributeProto::FLOAT: attribute.set_f(some_float()); break;
            case AttributeProto::FLOATS: attribute.add_floats(some_float()); break;
            case AttributeProto::STRING: attribute.set_s(text()); break;
            case AttributeProto::STRINGS: attribute.add_strings(text()); break;
            case AttributeProto::TENSOR: change(*attribute.mutable_t()); break;
            default: break;
        }
        if (chance(16))
            attribute.set_type(static_cast<AttributeProto::AttributeType>(below(rng_, 12)));
        if (chance(16)) attribute.set_name(one_of(attributes_, rng_)->name());
    }
    float some_float() {
        constexpr std::array<float, 9> kFloats = {0,
                                                  1,
                                                  -1,
                                                  0.5F,
                                                  1e-30F,
                                                  1e30F,
                                                  std::numeric_limits<float>::infinity(),
                                                  std::numeric_limits<float>::quiet_NaN(),
                                                  3};
        return one_of(kFloats, rng_);
    }
    // One of another node, so that attributes meet operators that don't expect them.
    void add_attribute() {
        if (attributes_.empty()) return;
        const AttributeProto copy = *one_of(attributes_, rng_);
        *one_of(nodes_, rng_)->add_attribute() = copy;
    }
    void remove_attribute() {
        auto& attributes = *one_of(nodes_, rng_)->mutable_attribute();
        if (!attributes.empty()) remove(attributes, below(rng_, size_of_list(attributes)));
    }

    void change_tensor() {
        if (!sparse_.empty() && chance(4)) {
            change_numbers(*one_of(sparse_, rng_)->mutable_dims());
        } else if (!tensors_.empty()) {
            change(*one_of(tensors_, rng_));
        }
    }
    void change(TensorProto& tensor) {
        if (tensor.data_location() == TensorProto::EXTERNAL && !chance(4)) {
            change_external(tensor);
            return;
        }
        switch (below(rng_, 8)) {
            case 0: tensor.set_data_type(static_cast<int>(below(rng_, 24))); break;
            case 1: tensor.mutable_raw_data()->append(8, '\0'); break;
            case 2: tensor.clear_raw_data(); break;
            case 3: resize(tensor); break;
            case 4: tensor.set_name(value_name()); break;
            default: change_numbers(*tensor.mutable_dims());
        }
    }
    // Another shape with as many elements as it says, so that the tensor itself stays valid.
    void resize(TensorProto& tensor) {
        if (tensor.dims().empty()) return;
        const std::size_t extent = below(rng_, 6);
        const auto old = static_cast<std::size_t>(tensor.dims(0));
        std::string& raw = *tensor.mutable_raw_data();
        if (old == 0 || raw.size() % old != 0) return;
        raw.resize(raw.size() / old * extent, '\1');
        tensor.set_dims(0, static_cast<std::int64_t>(extent));
    }
    void change_elements() {
        if (tensors_.empty()) return;
        TensorProto& tensor = *one_of(tensors_, rng_);
        std::string& raw = *tensor.mutable_raw_data();
        const bool wide = tensor.data_type() == TensorProto::INT64;
        const std::size_t width = wide ? 8 : 4;
        if (raw.size() < width) return;
        char* at = raw.data() + below(rng_, raw.size() / width) * width;
        const std::int64_t integer = number();
        const float real = some_float();
        if (wide) {
            std::memcpy(at, &integer, width);
        } else if (tensor.data_type() == TensorProto::FLOAT) {
            std::memcpy(at, &real, width);
        } else {
            std::memcpy(at, &integer, width);
        }
    }

    // Names another place of elements that lie in another file.
    void change_external(TensorProto& tensor) {
        auto& entries = *tensor.mutable_external_data();
        if (chance(8)) tensor.set_data_location(TensorProto::DEFAULT);
        if (entries.empty() || chance(8)) *entries.Add() = {};
        if (chance(8)) remove(entries, below(rng_, size_of_list(entries)));
        if (entries.empty()) return;
        auto& entry = one_of(entries, rng_);
        if (entry.key() == "location") {
            entry.set_value(one_of(kLocations, rng_));
        } else {
            entry.set_value(chance(8) ? text() : std::to_string(number()));
        }
        if (chance(8)) entry.set_key(one_of(entries, rng_).key());
    }

    void change_port() {
        if (ports_.empty()) return;
        ValueInfoProto& port = *one_of(ports_, rng_);
        auto& tensor = *port.mutable_type()->mutable_tensor_type();
        auto& dims = *tensor.mutable_shape()->mutable_dim();
        switch (below(rng_, 8)) {
            case 0: tensor.set_elem_type(static_cast<int>(below(rng_, 20))); return;
            case 1: tensor.clear_shape(); return;
            case 2: port.set_name(value_name()); return;
            case 3: dims.Add()->set_dim_value(number()); return;
            case 4:
                if (!dims.empty()) dims.RemoveLast();
                return;
            default: break;
        }
        if (dims.empty()) return;
        auto& dim = one_of(dims, rng_);
        if (chance(2)) {
            dim.set_dim_param("N");
        } else {
            dim.set_dim_value(number());
        }
    }

    void rewire() {
        auto& inputs = *one_of(nodes_, rng_)->mutable_input();
        if (!inputs.empty()) one_of(inputs, rng_) = value_name();
    }
    void change_inputs() {
        auto& inputs = *one_of(nodes_, rng_)->mutable_input();
        if (chance(2) || inputs.empty()) {
            *inputs.Add() = value_name();
        } else {
            remove(inputs, below(rng_, size_of_list(inputs)));
        }
    }
    void change_outputs() {
        const Place& place = one_of(places_, rng_);
        if (place.graph != nullptr && chance(2)) {
            auto& outputs = *place.graph->mutable_output();
            if (chance(2) || outputs.empty()) {
                outputs.Add()->set_name(value_name());
            } else {
                remove(outputs, below(rng_, size_of_list(outputs)));
            }
            return;
        }
        auto& outputs = *one_of(nodes_, rng_)->mutable_output();
        if (chance(2) || outputs.empty()) {
            *outputs.Add() = chance(2) ? new_name() : value_name();
        } else if (chance(2)) {
            one_of(outputs, rng_) = value_name();
        } else {
            outputs.RemoveLast();
        }
    }
    void change_operator() { set_operator(*one_of(nodes_, rng_)); }
    void set_operator(NodeProto& node) {
        if (!model_.functions().empty() && chance(2)) {
            const auto& function = one_of(*model_.mutable_functions(), rng_);
            node.set_op_type(function.name());
            node.set_domain(function.domain());
            return;
        }
        const auto ops = onnx::op_list();
        const auto& op = ops[below(rng_, ops.size())];
        node.set_op_type(std::string(op.name));
        node.set_domain(std::string(op.domain));
    }

    // A node on values that are there, whose output is the graph's.
    void add_node() {
        const Place& place = one_of(places_, rng_);
        NodeProto node = *one_of(nodes_, rng_);
        for (auto& output : *node.mutable_output()) output = new_name();
        for (auto& input : *node.mutable_input()) {
            if (chance(2)) input = value_name();
        }
        if (chance(2)) set_operator(node);
        if (node.output().empty()) node.add_output(new_name());
        if (place.graph != nullptr) place.graph->add_output()->set_name(node.output(0));
        *place.nodes->Add() = node;
    }
    void move_nodes() {
        auto& nodes = *one_of(places_, rng_).nodes;
        if (nodes.empty()) return;
        const auto at = below(rng_, size_of_list(nodes));
        if (chance(2)) {
            remove(nodes, at);
        } else {
            nodes.SwapElements(static_cast<int>(at), nodes.size() - 1);
        }
    }
    void change_model() {
        if (chance(4) || model_.opset_import().empty()) {
            model_.set_ir_version(number());
        } else {
            one_of(*model_.mutable_opset_import(), rng_)
                .set_version(static_cast<std::int64_t>(below(rng_, 28)));
        }
    }

    template <typename Items>
    static std::size_t size_of_list(const Items& items) {
        return static_cast<std::size_t>(items.size());
    }
    template <typename Items>
    static void remove(Items& items, std::size_t at) {
        items.DeleteSubrange(static_cast<int>(at), 1);
    }

    ModelProto& model_;
    Rng& rng_;
    std::vector<Place> places_;
    std::vector<NodeProto*> nodes_;
    std::vector<AttributeProto*> attributes_;
    std::vector<TensorProto*> tensors_;
    std::vector<SparseTensorProto*> sparse_;
    std::vector<ValueInfoProto*> ports_;
    std::vector<std::string> names_;

public:
    bool has_nodes() const { return !nodes_.empty(); }
};

}  // namespace

std::string mutated_onnx(const std::string& bytes, Rng& rng) {
    ModelProto model;
    if (!model.ParseFromString(bytes)) return {};
    const std::size_t count = 1 + below(rng, 3);
    for (std::size_t i = 0; i < count; ++i) {
        OnnxMutator mutator(model, rng);  // its pointers hold for one change
        if (!mutator.has_nodes()) return {};
        mutator.change();
    }
    return model.SerializeAsString();
}

}  // namespace rondo::test
