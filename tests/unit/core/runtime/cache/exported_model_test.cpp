#include "core/runtime/cache/exported_model.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "core/ir/output_file.hpp"
#include "core/runtime/cache/cache_entry.hpp"
#include "rondo/core.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test::exported_model_test {
namespace {

Tensor first_output(CompiledModel compiled) {
    InferRequest request = compiled.create_infer_request();
    Tensor x(ElementType::f32, {1, 2, 3});
    for (std::size_t i = 0; i < 6; ++i) x.data<float>()[i] = 0.1f * static_cast<float>(i) - 0.2f;
    request.set_input_tensor(x);
    request.infer();
    return request.get_output_tensor();
}

class ExportedModelTest : public ::testing::TestWithParam<const char*> {
protected:
    std::string exported(const Properties& properties = {}) const {
        std::ostringstream stream;
        core.compile_model(kFixture + ".xml", GetParam(), properties).export_model(stream);
        return stream.str();
    }
    CompiledModel imported(const std::string& bytes, const Properties& properties = {}) const {
        std::istringstream stream(bytes);
        return core.import_model(stream, GetParam(), properties);
    }

    Core core;
};
INSTANTIATE_TEST_SUITE_P(Devices, ExportedModelTest, testing::Values("CPU", "REFERENCE"));

TEST_P(ExportedModelTest, GivesTheSameBits) {
    const auto compiled = core.compile_model(kFixture + ".xml", GetParam());
    const auto again = imported(exported());
    expect_same(first_output(again), first_output(compiled));
    EXPECT_EQ(again.inputs()[0].names, compiled.inputs()[0].names);
}

TEST_P(ExportedModelTest, KeepsSwitchesWhichTheImportReplaces) {
    const std::string bytes = exported({{property::kPerfCount, "YES"}});
    EXPECT_EQ(imported(bytes).get_property(property::kPerfCount), "YES");
    const auto replaced = imported(bytes, {{property::kPerfCount, "NO"}});
    EXPECT_EQ(replaced.get_property(property::kPerfCount), "NO");
}

TEST_P(ExportedModelTest, SaysThatThereIsNoFolderForTemporaryFiles) {
    const EnvironmentVariable tmpdir("TMPDIR", "/nowhere");
    expect_error<ModelError>([&] { exported(); },
                             "export_model: there is no folder for temporary files (TMPDIR");
}

TEST_P(ExportedModelTest, RefusesDamage) {
    const std::string good = exported();
    std::string changed = good;
    changed[changed.size() / 2] ^= 1;
    const std::string wrong = "these bytes are not from export_model()";
    for (const auto& bytes : {std::string(), std::string(999, 'x'), changed,
                              good.substr(0, good.size() - 1), good + "x"}) {
        expect_error<ModelError>([&] { imported(bytes); }, wrong);
    }
    std::istringstream stream(good);
    expect_error<ModelError>([&] { core.import_model(stream, "GPU"); }, "unknown device 'GPU'");
}

TEST(ExportedModel, LeavesNumbersOfThreadsToTheMachine) {
    const Core core;
    std::stringstream stream;
    core.compile_model(kFixture + ".xml", "CPU",
                       {{property::kInferenceNumThreads, "1"}, {property::kNumStreams, "3"}})
        .export_model(stream);
    const auto exported = read_exported(stream, {});
    EXPECT_FALSE(exported.properties.contains(property::kInferenceNumThreads));
    EXPECT_FALSE(exported.properties.contains(property::kNumStreams));
    EXPECT_EQ(exported.properties.at(property::kPerformanceHint), "LATENCY");
}

// The writer of a stream doesn't choose folders or limits here.
TEST(ExportedModel, TakesNoOtherPropertiesFromTheStream) {
    const TemporaryFolder folder;
    const std::string path = folder / "m";
    ir::OutputFile file(path);
    write_entry(
        file, *read_file(kFixture + ".xml"),
        {"rondo compiled model 1\nCACHE_DIR=here\nMAX_NODES=9000000\nPERF_COUNT=YES\n", "", {}});
    file.finish();
    file.publish();
    std::istringstream stream(bytes_of(path));
    const auto exported = read_exported(stream, {});
    EXPECT_EQ(exported.properties, (Properties{{property::kPerfCount, "YES"}}));
}

TEST(ExportedModel, ReportsAStreamThatFails) {
    std::ostringstream stream;
    stream.setstate(std::ios::badbit);
    const auto compiled = Core().compile_model(kFixture + ".xml");
    expect_error<ModelError>([&] { compiled.export_model(stream); }, "takes no more bytes");
}

}  // namespace
}  // namespace rondo::test::exported_model_test
