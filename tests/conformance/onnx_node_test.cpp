// ONNX's own node tests, on both devices; those of LSTM, GRU and RNN on every instruction set.
#include <gtest/gtest.h>

#include "rondo/rondo.hpp"
#include "tests/conformance/onnx_node_data.hpp"
#include "tests/support/isa.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::onnx_node_test {
namespace {

// The tolerance of onnx.backend.test.runner.
constexpr double kRelative = 1e-3;
constexpr double kAbsolute = 1e-7;

constexpr const char* kNoData =
    "no ONNX node tests here: install libonnx-testdata, or set RONDO_ONNX_NODE_DATA to their "
    "folder";

// The inverse transforms' data were computed in f32: their zeros are off by 2e-6.
double absolute_of(const std::string& name) {
    return name.starts_with("test_dft_inverse") ? 1e-5 : kAbsolute;
}

// Values of 16 bits may be rounded in other places: two steps of their type.
double relative_of(ElementType type) {
    if (type == ElementType::f16) return 0x1p-9;
    return type == ElementType::bf16 ? 0x1p-6 : kRelative;
}

void expect_outputs(CompiledModel& model, const OnnxDataSet& set, double absolute) {
    InferRequest request = model.create_infer_request();
    ASSERT_EQ(model.inputs().size(), set.inputs.size());
    ASSERT_EQ(model.outputs().size(), set.outputs.size());
    for (std::size_t k = 0; k < set.inputs.size(); ++k) request.set_input_tensor(k, set.inputs[k]);
    request.infer();
    for (std::size_t k = 0; k < set.outputs.size(); ++k) {
        SCOPED_TRACE("output " + model.outputs()[k].any_name());
        const Tensor& expected = set.outputs[k];
        expect_near(request.get_output_tensor(k), expected, absolute,
                    relative_of(expected.element_type()));
    }
}

void expect_test_passes(const std::string& name, const std::string& device) {
    const std::string folder = onnx_node_data_dir() + "/" + name;
    const auto sets = read_data_sets(folder);
    ASSERT_FALSE(sets.empty()) << folder << " has no data";
    const Core core;
    CompiledModel model = core.compile_model(folder + "/model.onnx", device);
    for (const auto& set : sets) expect_outputs(model, set, absolute_of(name));
}

TEST(OnnxNodeData, IsAllThere) {
    const auto names = recurrent_node_tests();
    if (names.empty()) GTEST_SKIP() << kNoData;
    EXPECT_GE(names.size(), 12u);  // as of ONNX 1.12; 18 as of 1.23
}

class OnnxNodes : public ::testing::TestWithParam<std::string> {};

TEST_P(OnnxNodes, PassOnTheCpu) {
    for (const auto& isa : instruction_sets()) {
        SCOPED_TRACE(isa);
        const IsaScope scope(isa);
        expect_test_passes(GetParam(), "CPU");
    }
}

TEST_P(OnnxNodes, PassOnTheReference) { expect_test_passes(GetParam(), "REFERENCE"); }

// All operators that the frontend lists.
void expect_all_pass(const std::string& device) {
    const auto names = readable_node_tests();
    if (names.empty()) GTEST_SKIP() << kNoData;
    EXPECT_GE(names.size(), 400u);  // as of ONNX 1.12
    for (const auto& name : names) {
        SCOPED_TRACE(name);
        EXPECT_NO_THROW(expect_test_passes(name, device));
    }
}

TEST(OnnxNodeData, AllListedOperatorsPassOnTheCpu) { expect_all_pass("CPU"); }
TEST(OnnxNodeData, AllListedOperatorsPassOnTheReference) { expect_all_pass("REFERENCE"); }

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OnnxNodes);
INSTANTIATE_TEST_SUITE_P(Data, OnnxNodes, ::testing::ValuesIn(recurrent_node_tests()),
                         [](const auto& info) { return info.param.substr(5); });

}  // namespace
}  // namespace rondo::test::onnx_node_test
