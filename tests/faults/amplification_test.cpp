// Small files that ask for much memory: an error of its own, or a model that takes little.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "rondo/error.hpp"
#include "rondo/rondo.hpp"
#include "tests/support/forked_child.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test::amplification_test {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;
// What a file of a megabyte may take: constants of 80 MB, once more where they are prepared, and
// the nodes. A sanitizer's shadow comes on top.
constexpr std::size_t kMost = 400 * kMegabyte;

std::size_t peak_bytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

// Compiles in a process of its own. `expected` is part of the error, or empty where there is none.
void expect_little(const std::string& bytes, const std::string& expected,
                   const Tensor& weights = {}) {
    ASSERT_LT(bytes.size(), kMegabyte);
    EXPECT_TRUE(succeeds_in_a_child([&] {
        const std::size_t before = peak_bytes();
        std::string error;
        try {
            const Core core;
            core.compile_model(core.read_model(bytes.data(), bytes.size(), weights));
        } catch (const OutOfMemoryError&) {
            error = "out of memory";
        } catch (const Error& caught) {
            error = caught.what();
        }
        EXPECT_TRUE(kIsSanitized || peak_bytes() - before < kMost) << peak_bytes() - before;
        EXPECT_NE(error.find(expected), std::string::npos) << error;
        EXPECT_EQ(error.empty(), expected.empty()) << error;
        return true;
    }));
}

constexpr const char* kConstants = "(property 'MAX_CONSTANT_BYTES')";

TEST(Amplification, SparseTensors) {
    ModelBuilder model;
    model.input("x", ElementType::f32, PartialShape({1})).output("y");
    std::vector<std::string> read = {"x"};
    for (int i = 0; i < 64; ++i) {
        read.push_back("s" + std::to_string(i));
        auto& sparse = *model.graph().add_sparse_initializer();
        *sparse.mutable_values() = to_message(read.back(), Tensor(ElementType::f32, {0}));
        *sparse.mutable_indices() = to_message("places", Tensor(ElementType::i64, {0}));
        sparse.add_dims(static_cast<std::int64_t>(kMegabyte));
    }
    model.node("Concat", read, {"y"}).with("axis", 0);
    expect_little(model.bytes(), kConstants);
}

rondo_onnx::FunctionProto& add_function(ModelBuilder& model) {
    auto& import = *model.message().add_opset_import();
    import.set_domain("own");
    import.set_version(1);
    auto& function = *model.message().add_functions();
    function.set_domain("own");
    function.set_name("F");
    function.add_input("a");
    function.add_output("b");
    function.add_opset_import()->set_version(17);
    return function;
}

NodeBuilder add_node(rondo_onnx::FunctionProto& function, const char* op,
                     const std::vector<std::string>& inputs, const char* output) {
    auto& node = *function.add_node();
    node.set_op_type(op);
    for (const auto& input : inputs) node.add_input(input);
    node.add_output(output);
    return NodeBuilder(node);
}

void call_often(ModelBuilder& model, int calls) {
    std::string last = "x";
    for (int i = 0; i < calls; ++i) {
        const std::string next = "v" + std::to_string(i);
        model.node("F", {last}, {next}, next).domain("own");
        last = next;
    }
    model.output(last);
}

TEST(Amplification, ConstantsOfFunctions) {
    ModelBuilder model;
    model.input("x", ElementType::f32, PartialShape({1, 1}));
    auto& function = add_function(model);
    add_node(function, "Constant", {}, "c").with("value", Tensor(ElementType::f32, {1, 100'000}));
    add_node(function, "Add", {"a", "c"}, "b");
    call_often(model, 2000);
    expect_little(model.bytes(), kConstants);
}

TEST(Amplification, BodiesOfFunctions) {
    ModelBuilder branch, model;
    std::string last = "a";
    for (int i = 0; i < 1000; ++i) {
        const std::string next = "n" + std::to_string(i);
        branch.node("Neg", {last}, {next}, next);
        last = next;
    }
    branch.output(last);
    model.input("x", ElementType::f32, PartialShape({1}));
    auto& function = add_function(model);
    add_node(function, "Constant", {}, "c").with("value", scalar_of<bool>(true));
    add_node(function, "If", {"c"}, "b")
        .with("then_branch", branch.graph())
        .with("else_branch", branch.graph());
    call_often(model, 1000);
    const std::string bytes = model.bytes();
    EXPECT_TRUE(succeeds_in_a_child([&] {
        const std::size_t before = peak_bytes();
        Core core;
        core.set_property("CPU", {{property::kMaxNodes, "20000"}});
        EXPECT_THROW(core.read_model(bytes.data(), bytes.size()), UnsupportedError);
        EXPECT_LT(peak_bytes() - before, kMost);
        return true;
    }));
}

// Each branch would fold to 16 MB.
TEST(Amplification, FoldingInManyBodies) {
    ModelBuilder branch, model;
    branch.initializer("c", Tensor(ElementType::f32, {4096}));
    std::string last = "c";
    for (int i = 0; i < 10; ++i) {
        const std::string next = "n" + std::to_string(i);
        branch.node("Concat", {last, last}, {next}, next).with("axis", 0);
        last = next;
    }
    branch.node("Add", {last, "x"}, {"r"});
    branch.output("r");
    model.input("x", ElementType::f32, PartialShape({1}));
    model.input("c", ElementType::boolean, PartialShape(std::vector<Dimension>{}));
    for (int i = 0; i < 20; ++i) {
        const std::string name = "y" + std::to_string(i);
        model.node("If", {"c"}, {name}, name)
            .with("then_branch", branch.graph())
            .with("else_branch", branch.graph());
        model.output(name);
    }
    expect_little(model.bytes(), "");
}

std::string constant_layer(int id, const std::string& data) {
    return R"(<layer id=")" + std::to_string(id) + R"(" name="c)" + std::to_string(id) +
           R"(" type="Const" version="opset1"><data )" + data +
           R"(/><output><port id="0"/></output></layer>)";
}

// Nodes of all types that are wider in memory read the same 512 KB.
TEST(Amplification, NarrowConstants) {
    constexpr std::size_t kBytes = kMegabyte / 2;
    std::string layers, edges;
    for (int id = 0; id < 400; ++id) {
        const char* type = id % 3 == 0 ? "u4" : id % 3 == 1 ? "nf4" : "boolean";
        const std::size_t count = id % 3 == 2 ? kBytes : 2 * kBytes;
        layers += constant_layer(2 * id, "element_type=\"" + std::string(type) + "\" shape=\"" +
                                             std::to_string(count) + "\" offset=\"0\" size=\"" +
                                             std::to_string(kBytes) + "\"");
        layers += R"(<layer id=")" + std::to_string(2 * id + 1) + R"(" name="r)" +
                  std::to_string(id) +
                  R"(" type="Result" version="opset1"><input><port id="0"/></input></layer>)";
        edges += R"(<edge from-layer=")" + std::to_string(2 * id) +
                 R"(" from-port="0" to-layer=")" + std::to_string(2 * id + 1) +
                 R"(" to-port="0"/>)";
    }
    expect_little(R"(<?xml version="1.0"?><net name="n" version="11"><layers>)" + layers +
                      "</layers><edges>" + edges + "</edges></net>",
                  kConstants, Tensor(ElementType::u8, {kBytes}));
}

TEST(Amplification, Axes) {
    ModelBuilder model;
    PartialShape shape = PartialShape::of_rank(20'000);
    model.input("x", ElementType::f32, shape);
    std::string last = "x";
    for (int i = 0; i < 300; ++i) {
        const std::string next = "v" + std::to_string(i);
        model.node("Relu", {last}, {next}, next);
        last = next;
    }
    model.output(last);
    expect_little(model.bytes(), "has 20000 axes; expected 64 at most");
}

}  // namespace
}  // namespace rondo::test::amplification_test
