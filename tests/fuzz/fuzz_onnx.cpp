// Fuzz target: any bytes read as a model, which is reshaped at times, and put through the portable
// passes.
#include "core/graph/graph.hpp"
#include "core/runtime/model/reshape.hpp"
#include "rondo/error.hpp"
#include "tests/fuzz/read_input.hpp"

namespace rondo::test {
namespace {

// 1 becomes 2, 2 becomes 3, others become small.
Dimension other_extent(const Dimension& extent) {
    return extent.is_static() ? Dimension(extent.length() % 3 + 1) : extent;
}

// Reads the model once more where the extents mattered: that may be refused, and nothing else.
void reshape_known_extents(Graph& graph) {
    if (graph.origin() == nullptr) return;
    std::vector<PartialShape> shapes = graph.origin()->shapes();
    for (PartialShape& shape : shapes) {
        if (!shape.has_rank()) continue;
        for (std::size_t i = 0; i < shape.rank(); ++i) shape[i] = other_extent(shape[i]);
    }
    try {
        reshape(graph, shapes);
    } catch (const ModelError&) {
    } catch (const UnsupportedError&) {
    }
}

}  // namespace
}  // namespace rondo::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rondo::test;
    if (size % 3 == 0) query_input(data, size);
    const auto graph = read_input(data, size);
    if (graph == nullptr) return 0;
    if (size % 2 != 0) reshape_known_extents(*graph);
    put_through_passes(*graph);
    return 0;
}
