#include "tests/fuzz/special_seeds.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/support/narrow_type.hpp"
#include "rondo/core.hpp"
#include "tests/fuzz/joined_files.hpp"
#include "tests/fuzz/joined_ir.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ir/ir_files.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {
namespace {

using rondo_onnx::FunctionProto;
using rondo_onnx::SparseTensorProto;
using rondo_onnx::TensorProto;
using Names = std::vector<std::string>;

constexpr ElementType f32 = ElementType::f32;
constexpr const char* kDomain = "local";

void import(ModelBuilder& model, const char* domain) {
    auto& made = *model.message().add_opset_import();
    made.set_domain(domain);
    made.set_version(1);
}

// Bytes 0 and 1, which are elements of every type.
Tensor counting(ElementType type, const Shape& shape) {
    Tensor tensor(type, shape);
    auto* bytes = static_cast<unsigned char*>(tensor.data());
    for (std::size_t i = 0; i < tensor.byte_size(); ++i) bytes[i] = i % 2;
    return tensor;
}

SparseTensorProto sparse(const std::string& name, const Tensor& indices) {
    SparseTensorProto made;
    *made.mutable_values() = to_message(name, tensor_of<float>({2}, {7, -0.5F}));
    *made.mutable_indices() = to_message(name + "_places", indices);
    for (const std::int64_t extent : {2, 3}) made.add_dims(extent);
    return made;
}

// y = relu(x + s) + c, where s and c are sparse.
std::string sparse_model() {
    ModelBuilder model;
    model.input("x", f32, {2, 3}).output("y");
    *model.graph().add_sparse_initializer() = sparse("s", tensor_of<std::int64_t>({2}, {1, 5}));
    model.node("Add", {"x", "s"}, {"sum"});
    model.node("Relu", {"sum"}, {"positive"});
    model.node("Constant", {}, {"c"});
    auto& value = *model.graph().mutable_node(2)->add_attribute();
    value.set_name("sparse_value");
    value.set_type(rondo_onnx::AttributeProto::SPARSE_TENSOR);
    *value.mutable_sparse_tensor() = sparse("c", tensor_of<std::int64_t>({2, 2}, {0, 1, 1, 2}));
    model.node("Add", {"positive", "c"}, {"y"});
    return model.bytes();
}

FunctionProto& function(ModelBuilder& model, const std::string& name, const Names& inputs,
                        const Names& outputs) {
    auto& made = *model.message().add_functions();
    made.set_name(name);
    made.set_domain(kDomain);
    for (const auto& input : inputs) made.add_input(input);
    for (const auto& output : outputs) made.add_output(output);
    for (const auto& [domain, version] : {std::pair{"", 17}, std::pair{kDomain, 1}}) {
        auto& imported = *made.add_opset_import();
        imported.set_domain(domain);
        imported.set_version(version);
    }
    return made;
}

NodeBuilder node_in(FunctionProto& function, const std::string& op, const Names& inputs,
                    const Names& outputs) {
    auto& made = *function.add_node();
    made.set_op_type(op);
    for (const auto& input : inputs) made.add_input(input);
    for (const auto& output : outputs) made.add_output(output);
    return NodeBuilder(made);
}

// A body without inputs that adds a constant to a value of the function around it.
rondo_onnx::GraphProto branch(const std::string& value, float number) {
    ModelBuilder body;
    body.node("Constant", {}, {"k"}).with("value", tensor_of<float>({1}, {number}));
    body.node("Add", {value, "k"}, {value + "_next"});
    body.output(value + "_next");
    return body.graph();
}

// Scaled has a constant and an attribute of its own, Twice calls it, Chosen has bodies that read
// what is around them.
std::string function_model() {
    ModelBuilder model;
    import(model, kDomain);
    model.input("x", f32, {2}).input("c", ElementType::boolean, {}).output("y");
    auto& scaled = function(model, "Scaled", {"a"}, {"b"});
    scaled.add_attribute("slope");
    node_in(scaled, "Constant", {}, {"k"}).with("value", tensor_of<float>({2}, {2, 3}));
    node_in(scaled, "Mul", {"a", "k"}, {"wide"});
    node_in(scaled, "LeakyRelu", {"wide"}, {"b"});
    auto& alpha = *scaled.mutable_node(2)->add_attribute();
    alpha.set_name("alpha");
    alpha.set_type(rondo_onnx::AttributeProto::FLOAT);
    alpha.set_ref_attr_name("slope");
    auto& twice = function(model, "Twice", {"a"}, {"b"});
    node_in(twice, "Scaled", {"a"}, {"once"}).domain(kDomain).with("slope", 0.5F);
    node_in(twice, "Scaled", {"once"}, {"b"}).domain(kDomain);
    auto& chosen = function(model, "Chosen", {"c", "a"}, {"b"});
    node_in(chosen, "If", {"c"}, {"b"})
        .with("then_branch", branch("a", 1))
        .with("else_branch", branch("a", 2));
    model.node("Twice", {"x"}, {"t"}).domain(kDomain);
    model.node("Chosen", {"c", "t"}, {"y"}).domain(kDomain);
    return model.bytes();
}

// A constant of that type that is widened, and x in that type and back.
std::string narrow_model(ElementType type) {
    ModelBuilder model(type == ElementType::f4e2m1 || type == ElementType::f8e8m0 ? 23 : 21);
    model.input("x", f32, {3}).output("y").output("z");
    const Tensor w = counting(type, {3});
    std::string packed(packed_bytes(type, w.size()), '\0');
    pack(type, {static_cast<const std::uint8_t*>(w.data()), w.size()},
         reinterpret_cast<std::uint8_t*>(packed.data()));
    model.initializer("w", w);
    model.graph().mutable_initializer(0)->set_raw_data(packed);
    model.node("Cast", {"w"}, {"wide"}).with("to", to_onnx(f32));
    model.node("Cast", {"x"}, {"narrow"}).with("to", to_onnx(type));
    model.node("Cast", {"narrow"}, {"back"}).with("to", to_onnx(f32));
    model.node("Add", {"wide", "back"}, {"y"});
    model.node("Concat", {"narrow", "w"}, {"z"}).with("axis", 0);
    return model.bytes();
}

std::string quantized_model(std::int64_t bits) {
    ModelBuilder model(21);
    import(model, "com.microsoft");
    model.input("x", f32, {3, 18}).output("y");
    model.initializer("w", counting(ElementType::u8, {2, 2, 2 * static_cast<std::size_t>(bits)}));
    model.initializer("scales", tensor_of<float>({2, 2}, {1, 10, 100, 0.5F}));
    model.initializer("zeros", counting(ElementType::u8, {2, bits == 8 ? 2U : 1U}));
    model.node("MatMulNBits", {"x", "w", "scales", "zeros"}, {"y"})
        .domain("com.microsoft")
        .with("bits", bits)
        .with("K", 18)
        .with("N", 2)
        .with("block_size", 16);
    return model.bytes();
}

void lie_outside(TensorProto& tensor, std::size_t offset, std::size_t length) {
    tensor.clear_raw_data();
    tensor.set_data_location(TensorProto::EXTERNAL);
    for (const auto& [key, value] :
         std::vector<std::pair<const char*, std::string>>{{"location", kDataFile},
                                                          {"offset", std::to_string(offset)},
                                                          {"length", std::to_string(length)}}) {
        auto& entry = *tensor.add_external_data();
        entry.set_key(key);
        entry.set_value(value);
    }
}

// Weights that lie in the file: one aligned, one not, one of booleans.
std::string external_model() {
    ModelBuilder model;
    model.input("x", f32, {2, 3}).output("y");
    model.initializer("w", counting(f32, {3, 4}));
    model.initializer("b", counting(f32, {4}));
    model.initializer("mask", counting(ElementType::boolean, {2, 4}));
    model.node("MatMul", {"x", "w"}, {"product"});
    model.node("Add", {"product", "b"}, {"sum"});
    model.node("Where", {"mask", "sum", "product"}, {"y"});
    lie_outside(*model.graph().mutable_initializer(0), 0, 48);
    lie_outside(*model.graph().mutable_initializer(1), 49, 16);
    lie_outside(*model.graph().mutable_initializer(2), 65, 8);
    std::string data;
    for (int i = 0; i < 128; ++i) data += static_cast<char>(i % 2);
    return join_files(model.bytes(), data);
}

// The IR of a Const of four elements, `size` bytes from `offset` on, that is converted to f32.
std::string constant_ir(const std::string& type, const std::string& offset,
                        const std::string& size) {
    const std::string port =
        R"(<output><port id="0" precision="FP32"><dim>4</dim></port></output>)";
    const std::string into = R"(<input><port id="0"><dim>4</dim></port></input>)";
    std::string behind = port;
    behind.replace(behind.find("id=\"0\""), 6, "id=\"1\"");
    return R"(<?xml version="1.0"?><net name="n" version="11"><layers>)"
           R"(<layer id="0" name="w" type="Const" version="opset1"><data element_type=")" +
           type + R"(" shape="4" offset=")" + offset + R"(" size=")" + size + R"("/>)" + port +
           R"(</layer><layer id="1" name="wide" type="Convert" version="opset1">)"
           R"(<data destination_type="f32"/>)" +
           into + behind + R"(</layer><layer id="2" name="y" type="Result" version="opset1">)" +
           into +
           R"(</layer></layers><edges>)"
           R"(<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>)"
           R"(<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>)" +
           std::string("\x01\x23\x01\x00\x01\x02\x01\x3f\x00\x01\x3c\x3f\x01\x02\x03\x04\x3f\x3f",
                       18);
}

// With its XML in UTF-16 or UTF-32.
std::string in_wide_text(const std::string& joined, const WideEncoding& encoding) {
    const JoinedIr ir = split_ir(joined);
    return encoded(kByteOrderMark + std::string(ir.xml), encoding) + std::string(ir.weights);
}

// What isn't read would be of no use.
void check_is_read(const Seed& seed) {
    const Core core;
    if (seed.kind == "ir") {
        const JoinedIr ir = split_ir(seed.bytes);
        Tensor weights(ElementType::u8, {ir.weights.size()});
        std::copy(ir.weights.begin(), ir.weights.end(), static_cast<char*>(weights.data()));
        core.read_model(ir.xml.data(), ir.xml.size(), weights);
        return;
    }
    const TemporaryFolder folder;
    const JoinedFiles files = split_files(seed.bytes);
    write_bytes(folder / "m.onnx", std::string(files.model));
    write_bytes(folder / kDataFile, std::string(files.data));
    core.read_model(folder / "m.onnx");
}

}  // namespace

std::vector<Seed> special_seeds() {
    std::vector<Seed> seeds = {{"onnx", sparse_model()}, {"onnx", function_model()}};
    for (const ElementType type :
         {ElementType::f8e4m3, ElementType::f8e8m0, ElementType::f4e2m1, ElementType::i4,
          ElementType::u4, ElementType::i2, ElementType::u2}) {
        seeds.push_back({"onnx", narrow_model(type)});
    }
    for (const std::int64_t bits : {2, 4, 8}) seeds.push_back({"onnx", quantized_model(bits)});
    for (const auto& [type, offset, size] :
         std::vector<std::array<const char*, 3>>{{"i4", "1", "2"},
                                                 {"u4", "0", "2"},
                                                 {"u2", "3", "1"},
                                                 {"i2", "2", "1"},
                                                 {"f4e2m1", "1", "2"},
                                                 {"nf4", "1", "2"},
                                                 {"f8e4m3", "5", "4"},
                                                 {"boolean", "1", "4"},
                                                 {"f16", "3", "8"},
                                                 {"f32", "1", "16"}}) {
        seeds.push_back({"ir", constant_ir(type, offset, size)});
    }
    for (const std::size_t unit : {std::size_t{2}, std::size_t{4}}) {
        for (const bool big_endian : {false, true}) {
            seeds.push_back(
                {"ir", in_wide_text(constant_ir("f32", "1", "16"), {unit, big_endian})});
        }
    }
    seeds.push_back({"files", external_model()});
    for (const Seed& seed : seeds) check_is_read(seed);
    return seeds;
}

}  // namespace rondo::test
