// Fuzz target: what a graph gives before and after the portable passes.
#include "core/graph/printer.hpp"
#include "core/support/errors.hpp"
#include "rondo/core.hpp"
#include "tests/fuzz/graph_runs.hpp"
#include "tests/fuzz/read_input.hpp"

namespace rondo::test {
namespace {

void check_passes(const Graph& graph) {
    const auto runs = small_inputs(graph);
    const auto passed = graph.clone();
    if (!runs || !put_through_passes(*passed)) return;
    const auto expected = run_on("REFERENCE", graph, *runs);
    const auto text = difference(run_on("REFERENCE", *passed, *runs), expected, graph, *runs);
    internal_check(text.empty(), text + "\n" + to_text(graph) + "\n" + to_text(*passed));
}

}  // namespace
}  // namespace rondo::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rondo::test;
    if (const auto graph = read_input(data, size)) check_passes(*graph);
    return 0;
}
