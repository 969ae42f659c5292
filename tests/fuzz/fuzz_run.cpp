// Fuzz target: what was accepted is planned and run on CPU, with each instruction set in turn, and
// on REFERENCE.
#include "core/graph/printer.hpp"
#include "core/support/errors.hpp"
#include "tests/fuzz/graph_runs.hpp"
#include "tests/fuzz/read_input.hpp"
#include "tests/support/isa.hpp"

namespace rondo::test {
namespace {

void check_devices(const Graph& graph, std::size_t seed) {
    const auto runs = small_inputs(graph);
    if (!runs) return;
    const IsaScope isa(isa_of(seed));
    const auto expected = run_on("REFERENCE", graph, *runs);
    const auto text = difference(run_on("CPU", graph, *runs), expected, graph, *runs);
    internal_check(text.empty(), isa_of(seed) + ": " + text + "\n" + to_text(graph));
}

}  // namespace
}  // namespace rondo::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rondo::test;
    const auto graph = read_input(data, size);
    if (graph && put_through_passes(*graph)) check_devices(*graph, size);
    return 0;
}
