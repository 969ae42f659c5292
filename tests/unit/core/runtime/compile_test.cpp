#include "core/runtime/compile.hpp"

#include <filesystem>
#include <functional>

#include "core/runtime/model_cache.hpp"
#include "core/support/mapped_file.hpp"
#include "plugins/reference/reference_plugin.hpp"
#include "rondo/core.hpp"
#include "rondo/log.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ir/ir_files.hpp"
#include "tests/unit/core/runtime/fake_device.hpp"

namespace rondo::test::compile_test {
namespace {

// The fixture's files in a folder, and a cache beside them.
class CachedCompile : public ::testing::Test {
protected:
    void SetUp() override {
        std::filesystem::copy(kFixture + ".xml", model);
        std::filesystem::copy(kFixture + ".bin", folder / "m.bin");
    }

    CompiledModel compile(const std::string& path) const {
        return core.compile_model(path, "CPU", {{property::kCacheDir, folder / "cache"}});
    }
    static std::string loaded(const CompiledModel& compiled) {
        return compiled.get_property(property::kLoadedFromCache);
    }

    Core core;
    TemporaryFolder folder;
    std::string model = folder / "m.xml";
};

// All outputs' bytes for inputs that are always the same.
std::string results(CompiledModel compiled) {
    InferRequest request = compiled.create_infer_request();
    for (std::size_t i = 0; i < compiled.inputs().size(); ++i) {
        Shape shape;
        for (const auto& extent : compiled.inputs()[i].shape.dimensions()) {
            shape.push_back(extent.is_static() ? static_cast<std::size_t>(extent.min()) : 2);
        }
        Tensor tensor(compiled.inputs()[i].element_type, shape);
        for (std::size_t k = 0; k < tensor.size(); ++k) {
            tensor.data<float>()[k] = 0.01f * static_cast<float>(k % 97);
        }
        request.set_input_tensor(i, tensor);
    }
    request.infer();
    std::string bytes;
    for (std::size_t i = 0; i < compiled.outputs().size(); ++i) {
        const Tensor tensor = request.get_output_tensor(i);
        bytes.append(static_cast<const char*>(std::as_const(tensor).data()), tensor.byte_size());
    }
    return bytes;
}

TEST_F(CachedCompile, TheSecondTimeItComesFromTheCache) {
    const std::string expected = results(core.compile_model(model));
    EXPECT_EQ(loaded(core.compile_model(model)), "NO");
    const CompiledModel first = compile(model);
    EXPECT_EQ(loaded(first), "NO");
    const CompiledModel second = compile(model);
    EXPECT_EQ(loaded(second), "YES");
    EXPECT_EQ(results(first), expected);
    EXPECT_EQ(results(second), expected);
    EXPECT_EQ(second.runtime_model().to_text(), first.runtime_model().to_text());
}

TEST_F(CachedCompile, AHitDoesNotReadTheModel) {
    const CompileTarget target{
        "REFERENCE", reference::make_reference_plugin(), {{property::kCacheDir, folder / "cache"}}};
    write_bytes(folder / "noise", "this is no model");
    const ModelCache cache(folder / "cache");
    cache.store(model_key(target, map_file(folder / "noise"), "noise"), *identity_graph());
    const CompiledModel compiled(rondo::compile(target, folder / "noise"));
    EXPECT_EQ(loaded(compiled), "YES");
    EXPECT_EQ(compiled.inputs()[0].any_name(), "x");
}

TEST_F(CachedCompile, ModelsThatWereReadAreCachedToo) {
    const Properties properties{{property::kCacheDir, folder / "cache"}};
    Model read = core.read_model(model);
    EXPECT_EQ(loaded(core.compile_model(read, "CPU", properties)), "NO");
    const CompiledModel second = core.compile_model(read, "CPU", properties);
    EXPECT_EQ(loaded(second), "YES");
    EXPECT_EQ(results(second), results(core.compile_model(model)));
    EXPECT_EQ(loaded(core.compile_model(read, "REFERENCE", properties)), "NO");
}

TEST_F(CachedCompile, OtherWeightsAreAnotherModel) {
    const std::string before = results(compile(model));
    std::string weights = bytes_of(folder / "m.bin");
    for (std::size_t i = 16; i < weights.size(); ++i) {  // after states and lengths
        weights[i] = static_cast<char>(weights[i] ^ 1);
    }
    write_bytes(folder / "m.bin", weights);
    const CompiledModel changed = compile(model);
    EXPECT_EQ(loaded(changed), "NO");
    EXPECT_NE(results(changed), before);
    EXPECT_EQ(loaded(compile(model)), "YES");
}

TEST_F(CachedCompile, AnotherNameStandsForOtherWeights) {
    const std::string other = folder / "other.xml";
    write_bytes(other, bytes_of(model));
    std::string weights = bytes_of(folder / "m.bin");
    for (std::size_t i = 16; i < weights.size(); ++i) {  // after states and lengths
        weights[i] = static_cast<char>(weights[i] ^ 1);
    }
    write_bytes(folder / "other.bin", weights);
    compile(model);
    const CompiledModel compiled = compile(other);
    EXPECT_EQ(loaded(compiled), "NO");
    EXPECT_EQ(results(compiled), results(core.compile_model(other)));
}

// Calls once, between the reading of a model and the passes.
class AfterReading {
public:
    explicit AfterReading(std::function<void()> call) : level_(log_level()) {
        set_log_level(LogLevel::info);
        set_log_callback(
            [call = std::move(call), done = false](LogLevel, const auto& line) mutable {
                if (!done && line.starts_with("read ")) call();
                done = done || line.starts_with("read ");
            });
    }
    AfterReading(const AfterReading&) = delete;
    AfterReading& operator=(const AfterReading&) = delete;
    ~AfterReading() {
        set_log_callback({});
        set_log_level(level_);
    }

private:
    LogLevel level_;
};

// An entry belongs to the weights that were read, whatever has their name when it is written.
TEST_F(CachedCompile, WeightsThatAreReplacedWhileItCompilesAreAnotherModel) {
    std::string weights = bytes_of(folder / "m.bin");
    for (std::size_t i = 16; i < weights.size(); ++i) {  // after states and lengths
        weights[i] = static_cast<char>(weights[i] ^ 1);
    }
    write_bytes(folder / "new.bin", weights);
    const std::string before = results(core.compile_model(model));
    {
        const AfterReading replace(
            [&] { std::filesystem::rename(folder / "new.bin", folder / "m.bin"); });
        EXPECT_EQ(results(compile(model)), before);
    }
    ASSERT_FALSE(std::filesystem::exists(folder / "new.bin"));
    const CompiledModel changed = compile(model);
    EXPECT_EQ(loaded(changed), "NO");
    EXPECT_NE(results(changed), before);
    EXPECT_EQ(results(changed), results(core.compile_model(model)));
    EXPECT_EQ(loaded(compile(model)), "YES");
}

TEST_F(CachedCompile, AModelThatIsReplacedWhileItCompilesIsAnother) {
    write_bytes(folder / "new.xml",
                replaced(bytes_of(model), "<net name=\"", "<net name=\"another "));
    {
        const AfterReading replace([&] { std::filesystem::rename(folder / "new.xml", model); });
        EXPECT_FALSE(compile(model).get_property(property::kModelName).starts_with("another "));
    }
    ASSERT_FALSE(std::filesystem::exists(folder / "new.xml"));
    const CompiledModel changed = compile(model);
    EXPECT_EQ(loaded(changed), "NO");
    EXPECT_TRUE(changed.get_property(property::kModelName).starts_with("another "));
}

TEST_F(CachedCompile, ABrokenEntryIsMadeAnew) {
    compile(model);
    for (const auto& entry : std::filesystem::directory_iterator(folder / "cache")) {
        write_bytes(entry.path().string(), "broken");
    }
    EXPECT_EQ(loaded(compile(model)), "NO");
    EXPECT_EQ(loaded(compile(model)), "YES");
}

TEST_F(CachedCompile, AFolderThatCantBeMadeIsRefused) {
    write_bytes(folder / "cache", "a file");
    expect_error<ModelError>([&] { compile(model); }, "property 'CACHE_DIR': the folder '");
}

TEST_F(CachedCompile, TheFolderMayBeSetForTheDevice) {
    core.set_property("CPU", {{property::kCacheDir, folder / "cache"}});
    EXPECT_EQ(core.get_property("CPU", property::kCacheDir), folder / "cache");
    core.compile_model(model);
    EXPECT_EQ(loaded(core.compile_model(model)), "YES");
    EXPECT_EQ(loaded(core.compile_model(model, "CPU", {{property::kCacheDir, ""}})), "NO");
}

}  // namespace
}  // namespace rondo::test::compile_test
