// Recurrent layers whose weights were saved in 16 bits before, and after, the portable passes ran.
#include <gtest/gtest.h>

#include <set>

#include "rondo/core.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ir/ir_files.hpp"
#include "tests/unit/frontend/onnx/ops/recurrent/onnx_recurrent.hpp"

namespace rondo::onnx::saved_weights_test {
namespace {

using test::OnnxRecurrent;

OnnxRecurrent layer(const std::string& op_type, const std::string& direction, bool linear) {
    OnnxRecurrent node{op_type, direction, 4, 2, 5, 6};
    node.linear_before_reset = linear;
    auto rng = test::test_rng();
    node.fill(rng, true);
    // Multiples of 1/16: then rounding the halves of a bias, or their sum, changes nothing.
    for (std::size_t i = 0; i < node.b.size(); ++i) {
        node.b.data<float>()[i] = static_cast<float>(test::uniform_int(rng, -15, 15)) / 16;
    }
    return node;
}

// The layer ran on weights of that width, and nothing else was left to do with them.
void expect_narrow_kernel(const CompiledModel& compiled, const std::string& suffix) {
    const std::set<std::string> unwanted{"Split", "VariadicSplit", "Concat", "Add"};
    bool found = false;
    for (const auto& row : compiled.kernels()) {
        found |= row.kernel.ends_with(suffix);
        EXPECT_FALSE(unwanted.contains(row.node_type)) << row.node_name << ": " << row.kernel;
        EXPECT_TRUE(row.node_type != "Convert" || row.kernel == "none") << row.node_name;
        EXPECT_EQ(row.reason.find("packed in each run"), std::string::npos) << row.reason;
    }
    EXPECT_TRUE(found) << suffix;
}

std::vector<Tensor> run(CompiledModel compiled, const std::vector<Tensor>& inputs) {
    InferRequest request = compiled.create_infer_request();
    for (std::size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
    request.infer();
    std::vector<Tensor> outputs;
    for (std::size_t i = 0; i < compiled.outputs().size(); ++i) {
        outputs.push_back(request.get_output_tensor(i));
    }
    return outputs;
}

void check(const OnnxRecurrent& node, ElementType type, const std::string& suffix) {
    SCOPED_TRACE(node.op_type + " " + node.direction + " " + suffix);
    const test::TemporaryFolder folder;
    const Core core;
    const std::string bytes = node.model().bytes();
    Model model = core.read_model(bytes.data(), bytes.size());
    save_model(model, folder / "as_read.xml", type);
    core.transform(model);
    save_model(model, folder / "transformed.xml", type);
    const auto as_read = core.compile_model(folder / "as_read.xml");
    const auto transformed = core.compile_model(folder / "transformed.xml");
    expect_narrow_kernel(as_read, suffix);
    expect_narrow_kernel(transformed, suffix);
    const auto actual = run(as_read, node.inputs());
    const auto expected = run(transformed, node.inputs());
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) test::expect_same(actual[i], expected[i]);
}

void check_types(const std::string& op_type, bool linear = false) {
    for (const char* direction : {"forward", "bidirectional"}) {
        const OnnxRecurrent node = layer(op_type, direction, linear);
        check(node, ElementType::f16, "_f16w");
        check(node, ElementType::bf16, "_bf16w");
    }
}

TEST(OnnxSavedWeights, LstmStaysNarrow) { check_types("LSTM"); }
TEST(OnnxSavedWeights, GruStaysNarrow) { check_types("GRU"); }
TEST(OnnxSavedWeights, GruWithLinearBeforeResetStaysNarrow) { check_types("GRU", true); }
TEST(OnnxSavedWeights, RnnStaysNarrow) { check_types("RNN"); }

}  // namespace
}  // namespace rondo::onnx::saved_weights_test
