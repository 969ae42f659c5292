// Fuzz target: any XML over any weights; what can be read survives a round trip.
#include <string>

#include "core/support/errors.hpp"
#include "tests/fuzz/read_input.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test {
namespace {

void check_round_trip(const Graph& graph) {
    static const TemporaryFolder folder;
    const std::string path = folder / "again.xml";
    const std::string text = to_text(graph);
    if (!was_written(graph, path)) return;
    const std::string again = to_text(*read_file(path));
    internal_check(again == text, "a round trip has changed the graph\n" + text + "\n" + again);
}

}  // namespace
}  // namespace rondo::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rondo::test;
    if (const auto graph = read_input(data, size)) check_round_trip(*graph);
    return 0;
}
