// Fuzz target: any bytes read as a model and put through the portable passes.
#include <cstddef>
#include <cstdint>

#include "core/runtime/frontend.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"

// Bytes may be refused as the user's mistake or as unsupported; any other exception is our bug.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rondo;
    ModelSource source;
    source.data = reinterpret_cast<const std::byte*>(data);
    source.size = size;
    try {
        for (const Frontend& frontend : builtin_frontends()) {
            if (!frontend.can_read(source)) continue;
            const auto graph = frontend.read(source);
            TransformOptions options;
            options.validate = true;
            run_portable_passes(*graph, options);
            break;
        }
    } catch (const ModelError&) {
    } catch (const UnsupportedError&) {
    }
    return 0;
}
