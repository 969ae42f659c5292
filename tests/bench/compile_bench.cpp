// Reading and compiling a model file that the system has in memory, code generation included.
#include <benchmark/benchmark.h>

#include <stdlib.h>  // mkdtemp

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/compile_models.hpp"

namespace rondo::cpu::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kCompileRepetitions = 41;

// A model in a folder of its own, as ONNX and as IR; written when it is first asked for.
class ModelFiles {
public:
    explicit ModelFiles(const ModelSizes& sizes) : sizes_(sizes) {}
    ModelFiles(const ModelFiles&) = delete;
    ModelFiles& operator=(const ModelFiles&) = delete;
    ~ModelFiles() {
        std::error_code ignored;
        if (!folder_.empty()) fs::remove_all(folder_, ignored);
    }

    std::string path(const char* ending) {
        if (folder_.empty()) write();
        return folder_ / (std::string("model.") + ending);
    }

private:
    void write() {
        std::string name = (fs::temp_directory_path() / "rondo-bench-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw ModelError("can't make " + name);
        folder_ = name;
        std::ofstream(path("onnx"), std::ios::binary) << onnx_model(sizes_);
        const Core core;
        Model model = core.read_model(path("onnx"));
        core.transform(model);
        save_model(model, path("xml"));
    }

    ModelSizes sizes_;
    fs::path folder_;
};

using Files = std::shared_ptr<ModelFiles>;

void run_compile(benchmark::State& state, const Files& files, const char* ending) {
    const std::string path = files->path(ending);
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            Core().compile_model(path, "CPU", {{property::kInferenceNumThreads, "1"}}));
    }
}

// The model from the cache of compiled ones, which the call before the loop fills.
void run_cached(benchmark::State& state, const Files& files) {
    const std::string path = files->path("onnx");
    const Properties properties = {{property::kInferenceNumThreads, "1"},
                                   {property::kCacheDir, files->path("cache")}};
    Core().compile_model(path, "CPU", properties);
    for (auto _ : state) {
        benchmark::DoNotOptimize(Core().compile_model(path, "CPU", properties));
    }
}

template <typename... Args>
void add(const std::string& name, Args&&... args) {
    benchmark::RegisterBenchmark(name.c_str(), std::forward<Args>(args)...)
        ->Iterations(1)
        ->Repetitions(kCompileRepetitions)
        ->Unit(benchmark::kMillisecond)
        ->ReportAggregatesOnly()
        ->ComputeStatistics("min", [](const std::vector<double>& times) {
            return *std::min_element(times.begin(), times.end());
        });
}

}  // namespace

// Each but the last of about 1 MB.
void add_compile_benchmarks() {
    for (const ModelSizes& sizes : {ModelSizes{"LSTM", 1, 176, 176, false},
                                    {"LSTM", 2, 128, 128, false},
                                    {"LSTM", 1, 128, 128, true},
                                    {"GRU", 1, 208, 208, false},
                                    {"LSTM", 4, 1024, 1024, false}}) {
        const auto files = std::make_shared<ModelFiles>(sizes);
        const std::string name = std::string("compile/") + sizes.op +
                                 "/layers:" + std::to_string(sizes.layers) +
                                 "/H:" + std::to_string(sizes.hidden) +
                                 (sizes.both_directions ? "/both_directions" : "");
        add(name + "/onnx", run_compile, files, "onnx");
        add(name + "/ir", run_compile, files, "xml");
        add(name + "/cached", run_cached, files);
    }
}

}  // namespace rondo::cpu::bench
