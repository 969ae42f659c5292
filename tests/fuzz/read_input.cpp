#include "tests/fuzz/read_input.hpp"

#include <algorithm>
#include <string_view>

#include "core/runtime/frontend.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "tests/fuzz/joined_ir.hpp"

namespace rondo::test {
namespace {

ModelSource source_of(std::string_view bytes) {
    ModelSource source;
    std::string_view model = bytes;
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

}  // namespace

std::shared_ptr<Graph> read_input(const std::uint8_t* data, std::size_t size) {
    const ModelSource source = source_of({reinterpret_cast<const char*>(data), size});
    try {
        for (const Frontend& frontend : builtin_frontends()) {
            if (frontend.can_read(source)) return frontend.read(source);
        }
    } catch (const ModelError&) {
    } catch (const UnsupportedError&) {
    }
    return nullptr;
}

bool put_through_passes(Graph& graph) {
    TransformOptions options;
    options.validate = true;
    try {
        run_portable_passes(graph, options);
        return true;
    } catch (const ModelError&) {
    } catch (const UnsupportedError&) {
    }
    return false;
}

}  // namespace rondo::test
