// Layers as exporters spell them give their reference outputs, and become sequences.
#include <gtest/gtest.h>

#include <filesystem>

#include "rondo/rondo.hpp"
#include "tests/conformance/reference_cases.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::test::exporters_test {
namespace {

namespace fs = std::filesystem;

struct Spelling {
    const char* name;
    const char* op;     // what it becomes
    std::size_t count;  // of such ops
};

std::ostream& operator<<(std::ostream& out, const Spelling& spelling) {
    return out << spelling.name;
}

constexpr Spelling kSpellings[] = {
    {"keras_18_gru_all_both_static", "GRUSequence", 1},
    {"keras_18_gru_all_unrolled_static", "GRUSequence", 1},
    {"tf2onnx_13_lstm_all_both", "LSTMSequence", 1},
    {"tf2onnx_13_lstm_all_masked", "LSTMSequence", 1},
    {"tf2onnx_15_gru_all", "GRUSequence", 1},
    {"torch_graph_18_gru_2l_bi_bf", "GRUSequence", 2},
    {"torch_graph_18_loop_grucell_last", "GRUSequence", 1},
    {"torch_graph_18_rnn_relu_1l_static", "RNNSequence", 1},
    {"torch_script_17_loop_joined_lstm", "LSTMSequence", 1},
    {"torch_script_17_loop_lstmcell", "LSTMSequence", 1},
    {"torch_script_17_lstm_1l_bf", "LSTMSequence", 1},
    {"torch_script_17_packed_lstm_bi", "LSTMSequence", 1},
};

class Exporters : public ::testing::TestWithParam<Spelling> {
protected:
    fs::path folder() const {
        return fs::path(RONDO_SOURCE_DIR) / "tests" / "data" / "exporters" / GetParam().name;
    }
    std::string model() const { return (folder() / "model.onnx").string(); }
};

TEST_P(Exporters, GiveTheirReferenceOutputs) {
    for (const char* device : {"CPU", "REFERENCE"}) {
        SCOPED_TRACE(device);
        CompiledModel ready = Core().compile_model(model(), device);
        EXPECT_GE(expect_reference_outputs(ready, folder() / "ref"), 1);
    }
}

TEST_P(Exporters, BecomeSequences) {
    const Core core;
    Model model = core.read_model(this->model());
    core.transform(model);
    const std::string_view wanted = GetParam().op;
    for (const char* op :
         {"LSTMSequence", "GRUSequence", "RNNSequence", "Loop", "TensorIterator"}) {
        EXPECT_EQ(count_nodes(*model.graph(), op), op == wanted ? GetParam().count : 0U) << op;
    }
}

INSTANTIATE_TEST_SUITE_P(Spellings, Exporters, ::testing::ValuesIn(kSpellings),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace rondo::test::exporters_test
