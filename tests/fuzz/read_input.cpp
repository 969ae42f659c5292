#include "tests/fuzz/read_input.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "core/runtime/frontend.hpp"
#include "core/runtime/properties/property_values.hpp"
#include "core/runtime/transforms.hpp"
#include "core/support/errors.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "tests/fuzz/joined_files.hpp"
#include "tests/fuzz/joined_ir.hpp"
#include "tests/fuzz/model_folder.hpp"

namespace rondo::test {
namespace {

constexpr std::size_t kMostIterations = 100'000;

ModelFolder& model_folder() {
    static ModelFolder folder;
    return folder;
}

ModelSource source_of(std::string_view bytes) {
    ModelSource source;
    std::string_view model = bytes;
    if (has_files(bytes)) {
        const JoinedFiles files = split_files(bytes);
        model_folder().set_data(files.data);
        source.path = model_folder().model_path();
        model = files.model;
    }
    if (is_ir(bytes)) {
        const JoinedIr ir = split_ir(bytes);
        model = ir.xml;
        source.weights = Tensor(ElementType::u8, {ir.weights.size()});
        std::copy(ir.weights.begin(), ir.weights.end(), static_cast<char*>(source.weights.data()));
    }
    source.data = reinterpret_cast<const std::byte*>(model.data());
    source.size = model.size();
    return source;
}

// No pass makes a loop that has lost its limit.
void check_loops(const Graph& graph) {
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            const auto* loop = as_op<ops::IteratedOp>(*node);
            internal_check(loop == nullptr || loop->most_iterations() == kMostIterations,
                           "a loop has lost its limit of iterations");
        }
    });
}

std::shared_ptr<Graph> read(const ModelSource& source) {
    try {
        for (const Frontend& frontend : builtin_frontends()) {
            if (frontend.can_read(source)) return frontend.read(source);
        }
    } catch (const ModelError&) {
    } catch (const UnsupportedError&) {
    }
    return nullptr;
}

}  // namespace

std::shared_ptr<Graph> read_input(const std::uint8_t* data, std::size_t size) {
    ModelSource source = source_of({reinterpret_cast<const char*>(data), size});
    std::vector<OpenedFile> opened;
    source.opened_files = &opened;
    auto graph = read(source);
    for (const OpenedFile& file : opened) {
        internal_check(model_folder().holds(file.path), "a model has opened " + file.path);
    }
    return graph;
}

void query_input(const std::uint8_t* data, std::size_t size) {
    const ModelSource source = source_of({reinterpret_cast<const char*>(data), size});
    try {
        for (const Frontend& frontend : builtin_frontends()) {
            if (frontend.query == nullptr || !frontend.can_read(source)) continue;
            for (const NodeSupport& row : frontend.query(source)) {
                internal_check(row.supported == row.reason.empty(), "a row without a reason");
            }
        }
    } catch (const ModelError&) {
    } catch (const UnsupportedError&) {
    }
}

bool put_through_passes(Graph& graph) {
    TransformOptions options;
    options.validate = true;
    ModelLimits limits;
    limits.iterations = kMostIterations;
    set_limits(graph, limits);
    try {
        run_portable_passes(graph, options);
        check_loops(graph);
        return true;
    } catch (const ModelError&) {
    } catch (const UnsupportedError&) {
    }
    return false;
}

}  // namespace rondo::test
