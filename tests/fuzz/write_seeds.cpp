// Writes valid inputs for the fuzz targets to begin with.
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "core/runtime/cache/exported_model.hpp"
#include "core/runtime/frontend.hpp"
#include "core/runtime/model_cache.hpp"
#include "rondo/core.hpp"
#include "rondo/properties.hpp"
#include "tests/fuzz/cache_key.hpp"
#include "tests/fuzz/special_seeds.hpp"
#include "tests/random/random_model.hpp"
#include "tests/support/files/npz_bytes.hpp"
#include "tests/support/rng.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kModels = 48;
constexpr std::uintmax_t kLargest = 16384;  // a larger file is changed mostly in its weights
const std::string kData = RONDO_SOURCE_DIR "/tests/data";

constexpr std::array kCommands = {
    "info\nm.onnx\n-explain",
    "info\nm.xml\n--json\n--rows",
    "info\n--coverage\nm.onnx\nm.xml",
    "info\nm.onnx\n--text\n-d\nREFERENCE\n-p\nPERF_COUNT=YES",
    "info\nm.xml\n--graph\nm.dot\n--why\nlstm",
    "compile\nm.onnx\n-o\nn.xml\n--weights\nf16\n--batch\n2",
    "compile\nm.onnx\n-o\nn.onnx\n--for\nonnx\n--stateful\nauto",
    "compile\nm.xml\n-o\nn.xml\n--for\nopenvino\n--streaming\nauto\n--print-passes",
    "compile\nm.onnx\n-o\nn.xml\n--batch-axis\n?\n--stop-after\nfold_constants\n--dump-after\nfold",
    "run\n-m\nm.onnx\n-i\nx=x.npy\n-o\nout",
    "run\n-m\nm.xml\n-d\nREFERENCE\n-i\nx.npy\n-o\nout\n--cdir\ncache",
    "compare\n-m\nm.onnx\n-i\nx=x.npy\n--atol\n1e-3\n--rtol\n0\n--json",
    "compare\n-m\nm.xml\n-ref_model\nm.onnx\n-data_shape\nx[1,3,4]\n--seed\n7",
    "benchmark\n-m\nm.onnx\n-niter\n1\n-data_shape\nx[1,5,4]\n-hint\nlatency",
    "benchmark\n-m\nm.xml\n-niter\n1\n-data_shape\n[2,3,4]\n-pc\n-report_type\ndetailed_counters",
    "--version",
    "benchmark\n--help"};

class SeedWriter {
public:
    explicit SeedWriter(fs::path folder) : folder_(std::move(folder)) {}

    void write_all() {
        for (std::uint64_t seed = 0; seed < kModels; ++seed) {
            const std::string bytes = random_model(seed).bytes;
            if (bytes.size() > kLargest) continue;
            put("onnx", bytes);
            if (seed % 4 == 0) add_ir(bytes);
        }
        for (const auto& file : files_of(kData + "/exporters", ".onnx"))
            put("onnx", bytes_of(file));
        for (const auto& file : files_of(kData + "/exporters", ".npy")) {
            put("npy", bytes_of(file));
            if (fs::file_size(file) < 1024) {
                put("npy", npz_of_two("x.npy", "y.npy", bytes_of(file)));
            }
        }
        for (const auto& file : files_of(kData + "/ir", ".xml")) {
            put("ir", bytes_of(file) + bytes_of(fs::path(file).replace_extension(".bin")));
            add_entry(*read_file(file));
        }
        add_entry_beside_weights();
        for (const auto& [kind, bytes] : special_seeds()) put(kind, bytes);
        for (const char* command : kCommands) put("command", command);
        add_calls();
    }

private:
    static std::vector<std::string> files_of(const std::string& folder, const std::string& ending) {
        std::vector<std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            const bool fits = entry.path().extension() == ending && entry.file_size() <= kLargest;
            if (fits) files.push_back(entry.path().string());
        }
        std::sort(files.begin(), files.end());
        return files;
    }

    void put(const std::string& kind, const std::string& bytes) {
        fs::create_directories(folder_ / kind);
        write_bytes((folder_ / kind / (kind + std::to_string(count_++))).string(), bytes);
    }
    // The IR that the portable passes make of a model.
    void add_ir(const std::string& bytes) {
        const Core core;
        Model model = core.read_model(bytes.data(), bytes.size());
        core.transform(model);
        const TemporaryFolder folder;
        save_model(model, folder / "m.xml", ElementType::f32);
        put("ir", bytes_of(folder / "m.xml") + bytes_of(folder / "m.bin"));
        add_entry(*model.graph());
    }
    void add_entry(const Graph& graph) {
        const TemporaryFolder folder;
        const ModelCache cache(folder.path());
        cache.store(kCacheKey, graph);
        put("cache", bytes_of(cache.path_of(kCacheKey)));
        std::ostringstream exported;
        write_exported(graph, {{property::kPerfCount, "YES"}}, exported);
        put("cache", exported.str());
    }
    // Its constants stay in the model's own weights.
    void add_entry_beside_weights() {
        const TemporaryFolder folder;
        const ModelCache cache(folder.path());
        std::vector<OpenedFile> opened;
        ModelSource source = source_of(kCachedModel);
        source.opened_files = &opened;
        cache.store(kCacheKey, *read_model(source), kCachedModel, opened);
        if (!cache.load(kCacheKey, kCachedModel)) throw InternalError("a seed is no entry");
        put("cache", bytes_of(cache.path_of(kCacheKey)));
    }
    void add_calls() {
        Rng rng(1);
        for (int i = 0; i < 16; ++i) {
            std::string calls(300, '\0');
            for (char& call : calls) call = static_cast<char>(rng());
            put("c_api", calls);
        }
    }

    fs::path folder_;
    std::size_t count_ = 0;
};

}  // namespace
}  // namespace rondo::test

int main(int argc, char** argv) {
    try {
        if (argc != 2) throw rondo::ModelError("usage: write_fuzz_seeds FOLDER");
        rondo::test::SeedWriter(argv[1]).write_all();
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
