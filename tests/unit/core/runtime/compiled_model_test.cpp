#include "rondo/compiled_model.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "rondo/core.hpp"
#include "tests/unit/core/ir/ir_files.hpp"
#include "tests/unit/plugins/cpu/stacked_graph.hpp"

namespace rondo::test::compiled_model_test {
namespace {

using ops::CellType;

// x [T,N,I] -> two layers that feed each other -> y [T,1,N,H]
//          `-> a layer alone -> z [T,1,N,H]
StackedGraph time_first_model(ElementType stored) {
    StackMaker maker({.stored = stored});
    GraphBuilder& b = maker.builder();
    const Output x = b.transpose(maker.input("x", {7, 2, 5}, 2), {1, 0, 2}, "batch_first");
    const Output lengths = maker.full_lengths(x);
    const auto lower = maker.layer("layer_0", CellType::lstm, x, lengths);
    const auto upper = maker.layer("layer_1", CellType::gru, maker.handed_on(lower), lengths);
    const auto alone = maker.layer("alone", CellType::lstm, x, lengths);
    b.output("y", b.transpose(upper->output(0), {2, 1, 0, 3}, "time_first_y"));
    b.output("ho", lower->output(1));
    b.output("z", b.transpose(alone->output(0), {2, 1, 0, 3}, "time_first_z"));
    b.output("co", alone->output(2));
    return maker.finish();
}

std::vector<Tensor> run(CompiledModel compiled, const std::vector<Tensor>& inputs) {
    InferRequest request = compiled.create_infer_request();
    for (std::size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
    request.infer();
    std::vector<Tensor> outputs;
    for (const PortInfo& port : compiled.outputs()) {
        outputs.push_back(request.get_tensor(port.any_name()));
    }
    return outputs;
}

std::set<std::string> node_types(const Model& model) {
    std::set<std::string> types;
    for (const NodeInfo& node : model.nodes()) types.insert(node.type);
    return types;
}

// What runs each node: joined layers are joined again.
std::multiset<std::pair<std::string, std::string>> kernels_of(const CompiledModel& compiled) {
    std::multiset<std::pair<std::string, std::string>> kernels;
    for (const KernelInfo& row : compiled.kernels()) {
        if (row.node_type.find("Sequence") != std::string::npos) {
            kernels.emplace(row.node_name + " " + row.node_type, row.kernel);
        }
    }
    return kernels;
}

TEST(CompiledModel, TheRuntimeModelIsSavedAndCompiledAgain) {
    for (const auto stored : {ElementType::dynamic, ElementType::f16}) {
        const Core core;
        const TemporaryFolder folder;
        const auto made = time_first_model(stored);
        const CompiledModel compiled = core.compile_model(Model(made.graph));
        const auto kernels = kernels_of(compiled);
        std::set<std::string> joined;
        for (const KernelInfo& row : compiled.kernels()) joined.insert(row.node_type);
        EXPECT_TRUE(joined.contains("SequenceStack"));
        EXPECT_TRUE(joined.contains("StridedSequence"));

        const Model runtime = compiled.runtime_model();
        const auto types = node_types(runtime);
        EXPECT_FALSE(types.contains("SequenceStack"));
        EXPECT_FALSE(types.contains("StridedSequence"));
        save_model(runtime, folder / "runtime.xml");
        const Model read = core.read_model(folder / "runtime.xml");
        EXPECT_EQ(read.output("z").any_name(), "z");
        const auto expected = run(compiled, made.inputs);
        for (const CompiledModel& again : {core.compile_model(runtime), core.compile_model(read)}) {
            EXPECT_EQ(kernels_of(again), kernels);
            const auto actual = run(again, made.inputs);
            ASSERT_EQ(actual.size(), expected.size());
            for (std::size_t i = 0; i < actual.size(); ++i) expect_same(actual[i], expected[i]);
        }
    }
}

// Each call hands out a model of its own, beside which the compiled one goes on.
TEST(CompiledModel, RuntimeModelsAreIndependent) {
    const Core core;
    const auto made = time_first_model(ElementType::dynamic);
    const CompiledModel compiled = core.compile_model(Model(made.graph));
    const auto expected = run(compiled, made.inputs);
    Model first = compiled.runtime_model();
    const std::string before = first.to_text();
    EXPECT_EQ(compiled.runtime_model().to_text(), before);
    core.transform(first);
    first = {};
    EXPECT_EQ(compiled.runtime_model().to_text(), before);
    const auto actual = run(compiled, made.inputs);
    for (std::size_t i = 0; i < actual.size(); ++i) expect_same(actual[i], expected[i]);
}

}  // namespace
}  // namespace rondo::test::compiled_model_test
