// Fuzz target: any XML over the weights of a small LSTM; what can be read survives a round trip.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/support/check.hpp"
#include "rondo/error.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo {
namespace {

Tensor fixture_weights() {
    const std::string bytes = test::bytes_of(test::kFixture + ".bin");
    internal_check(!bytes.empty(), "the weights of the IR fixture are missing");
    Tensor weights(ElementType::u8, {bytes.size()});
    std::copy(bytes.begin(), bytes.end(), static_cast<char*>(weights.data()));
    return weights;
}

// Null if the text isn't a model; the reader must then throw an error of the right kind.
std::shared_ptr<Graph> read_if_valid(const std::uint8_t* data, std::size_t size) {
    static const Tensor weights = fixture_weights();
    ModelSource source;
    source.data = reinterpret_cast<const std::byte*>(data);
    source.size = size;
    source.weights = weights;
    try {
        return ir::read(source);
    } catch (const ModelError&) {
    } catch (const UnsupportedError&) {
    }
    return nullptr;
}

void check_round_trip(const Graph& graph) {
    static const test::TemporaryFolder folder;
    const std::string path = folder / "again.xml";
    const std::string text = to_text(graph);
    ir::write(graph, path);
    const std::string again = to_text(*test::read_file(path));
    internal_check(again == text, "a round trip has changed the graph\n" + text + "\n" + again);
}

}  // namespace
}  // namespace rondo

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (const auto graph = rondo::read_if_valid(data, size)) rondo::check_round_trip(*graph);
    return 0;
}
