// Fuzz target: any bytes as an entry of the model cache and as an exported model, as they are and
// with a digest that fits them. What is loaded is compiled and run on small inputs.
#include <cstddef>
#include <cstdint>
#include <sstream>

#include "core/runtime/model_cache.hpp"
#include "core/support/digest.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "rondo/properties.hpp"
#include "tests/fuzz/cache_key.hpp"
#include "tests/fuzz/graph_runs.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test {
namespace {

std::string forged(std::string bytes) {
    if (bytes.size() < sizeof(Digest)) return bytes;
    bytes.resize(bytes.size() - sizeof(Digest));
    Digester digester;
    digester.add(bytes.data(), bytes.size());
    const Digest digest = digester.digest();
    return bytes.append(reinterpret_cast<const char*>(&digest), sizeof(digest));
}

// load() gives null for what isn't an entry, and what it gives is a valid graph, which the device
// gets as it is: no pass has looked at it.
void load(const std::string& bytes) {
    static const TemporaryFolder folder;
    static const ModelCache cache(folder.path());
    write_bytes(cache.path_of(kCacheKey), bytes);
    const auto graph = cache.load(kCacheKey, kCachedModel);
    if (!graph) return;
    graph->validate();
    if (const auto runs = small_inputs(*graph)) run_on("CPU", *graph, *runs);
}

// Such an entry has a key that export_model() writes, with properties.
void import(const std::string& bytes) {
    std::istringstream stream(bytes);
    try {
        Core().import_model(stream, "CPU", {{property::kMaxCompileTime, "1500"}});
    } catch (const ModelError&) {
    } catch (const UnsupportedError&) {
    } catch (const OutOfMemoryError&) {
    }
}

}  // namespace
}  // namespace rondo::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    rondo::test::load(bytes);
    const std::string forged = rondo::test::forged(bytes);
    rondo::test::load(forged);
    rondo::test::import(bytes);
    rondo::test::import(forged);
    return 0;
}
