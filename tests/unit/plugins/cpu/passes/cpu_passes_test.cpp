#include "plugins/cpu/passes/cpu_passes.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::test::cpu_passes_test {
namespace {

std::shared_ptr<Graph> small_graph() {
    GraphBuilder b;
    b.output("y", b.make<ops::Unary>("tanh", ops::UnaryFunction::tanh, b.input("x", "[?]")));
    return b.graph();
}

TEST(CpuPasses, HaveNamesAndReasons) {
    std::set<std::string> names;
    for (const auto& pass : cpu::cpu_passes()) {
        EXPECT_TRUE(names.insert(pass.name).second) << pass.name;
        EXPECT_GT(std::string(pass.why).size(), 20u) << pass.name;
    }
}

TEST(CpuPasses, ArePrintedDumpedAndStopped) {
    std::vector<std::string> lines;
    std::string text;
    TransformOptions options;
    options.validate = true;
    options.print = [&](const std::string& line) { lines.push_back(line); };
    options.dump_after = "name_outputs";
    options.dump = [&](const std::string& dumped) { text += dumped; };
    options.stop_after = "fold_decompression";
    cpu::run_cpu_passes(*small_graph(), options);
    ASSERT_EQ(lines.size(), 7u);
    EXPECT_TRUE(lines[0].starts_with("name_outputs: changed")) << lines[0];
    EXPECT_TRUE(lines[6].starts_with("fold_decompression (unchanged)")) << lines[6];
    EXPECT_NE(text.find("Tanh"), std::string::npos) << text;
}

TEST(CpuPasses, TheEnvironmentNamesAPass) {
    EXPECT_EQ(cpu::options_of_environment().stop_after, "");
    const EnvironmentVariable stop("RONDO_CPU_STOP_AFTER", "name_outputs");
    const EnvironmentVariable dump("RONDO_CPU_DUMP_AFTER", "fuse_transposes");
    EXPECT_EQ(cpu::options_of_environment().stop_after, "name_outputs");
    EXPECT_EQ(cpu::options_of_environment().dump_after, "fuse_transposes");
    const EnvironmentVariable wrong("RONDO_CPU_STOP_AFTER", "fuse_bais");
    expect_error<ModelError>([] { cpu::options_of_environment(); },
                             "environment variable RONDO_CPU_STOP_AFTER is 'fuse_bais', but the "
                             "CPU device has no such pass; did you mean 'fuse_bias'? There are: ");
}

TEST(NameOutputs, NamesWhatHasNone) {
    const auto graph = small_graph();
    cpu::run_cpu_passes(*graph);
    EXPECT_EQ(graph->results()[0]->output(0).names(), std::set<std::string>{"y"});
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const auto tanh = b.make<ops::Unary>("tanh", ops::UnaryFunction::tanh, x);
    const auto nameless =
        std::make_shared<Graph>("test", std::vector<NodePtr>{x.node_ptr()},
                                std::vector<NodePtr>{b.make<ops::Result>("result", tanh)});
    cpu::run_cpu_passes(*nameless);
    EXPECT_EQ(nameless->results()[0]->output(0).names(), std::set<std::string>{"tanh"});
}

}  // namespace
}  // namespace rondo::test::cpu_passes_test
