#include "rondo/core.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <thread>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/runtime/fake_device.hpp"

namespace rondo::test::core_test {
namespace {

std::string file_with(const std::string& name, const std::string& text) {
    const std::string path = temporary_path(name);
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

TEST(Core, ListsItsDevices) {
    const Core core;
    EXPECT_EQ(core.get_available_devices(), (std::vector<std::string>{"CPU", "REFERENCE"}));
    EXPECT_EQ(core.get_versions("CPU").at("CPU").build_number, get_version().build_number);
}

TEST(Core, RefusesAnUnknownDevice) {
    const Core core;
    const Model model(identity_graph());
    expect_error<ModelError>([&] { core.compile_model(model, "GPU"); },
                             "unknown device 'GPU'; there are: 'CPU', 'REFERENCE'");
}

TEST(Core, TakesOpenVinosNamesOfItsOnlyDevice) {
    Core core;
    core.set_property("AUTO", {{property::kNumStreams, "2"}});
    for (const char* name : {"AUTO", "CPU.0", "MULTI:CPU", "HETERO:CPU", ""}) {
        EXPECT_EQ(core.get_property(name, property::kNumStreams), "2") << name;
        EXPECT_EQ(core.get_versions(name).count("CPU"), 1u) << name;
        auto compiled = core.compile_model(Model(identity_graph()), name);
        EXPECT_EQ(compiled.get_property(property::kNumStreams), "2") << name;
    }
    EXPECT_EQ(core.get_available_devices().size(), 2u);
}

TEST(Core, RunsAModelOnEveryDevice) {
    Core core;
    for (const auto& device : core.get_available_devices()) {
        auto request = core.compile_model(Model(identity_graph()), device).create_infer_request();
        const Tensor x = tensor_of<float>({1, 2}, {3, 4});
        request.set_tensor("x", x);
        request.infer();
        expect_near(request.get_tensor("y"), x, 0);
    }
}

TEST(Core, CompilingLeavesTheModelAlone) {
    const Core core;
    const Model model(identity_graph());
    const std::string before = model.to_text();
    core.compile_model(model, "CPU");
    EXPECT_EQ(model.to_text(), before);
}

TEST(Core, RefusesFilesThatAreNoModels) {
    const Core core;
    expect_error<ModelError>([&] { core.read_model("/nowhere/model.onnx"); },
                             "/nowhere/model.onnx: can't read the file: No such file");
    expect_error<ModelError>([&] { core.read_model(temporary_path(".")); }, "not a regular file");
    const std::string empty = file_with("empty.onnx", "");
    expect_error<ModelError>([&] { core.read_model(empty); }, "empty.onnx: the file is empty");
    const std::string noise = file_with("noise.onnx", "\xff\xff\xff\xff this is no model");
    expect_error<ModelError>([&] { core.read_model(noise); },
                             "noise.onnx: the file is not a model in a known format");
    expect_error<ModelError>([&] { core.read_model("j", 1); },
                             "the model: the byte is not a model");
    expect_error<ModelError>([&] { core.read_model(nullptr, 0); }, "the model: it is empty");
}

TEST(Core, RefusesAnEmptyModel) {
    const Core core;
    Model model;
    expect_error<ModelError>([&] { core.compile_model(model); }, "the model is empty");
    expect_error<ModelError>([&] { core.transform(model); }, "the model is empty");
    expect_error<ModelError>([&] { model.inputs(); }, "the model is empty");
    expect_error<ModelError>([] { CompiledModel().inputs(); }, "compiled model is empty");
    expect_error<ModelError>([] { CompiledModel().create_infer_request(); }, "is empty");
}

TEST(Core, KeepsPropertiesADevice) {
    Core core;
    core.set_property("CPU", {{property::kPerfCount, "YES"}});
    EXPECT_EQ(core.get_property("CPU", property::kPerfCount), "YES");
    auto compiled = core.compile_model(Model(identity_graph()), "CPU");
    EXPECT_EQ(compiled.get_property(property::kPerfCount), "YES");
    compiled = core.compile_model(Model(identity_graph()), "CPU", {{property::kPerfCount, "NO"}});
    EXPECT_EQ(compiled.get_property(property::kPerfCount), "NO");
}

TEST(Core, EveryDeviceHasTheCoresOwnProperties) {
    Core core;
    for (const auto& device : core.get_available_devices()) {
        const std::string all = core.get_property(device, property::kSupportedProperties);
        for (const char* name : {property::kCacheDir, property::kDeviceId,
                                 property::kAvailableDevices, property::kSupportedProperties}) {
            EXPECT_NE(all.find(name), std::string::npos) << device << ": " << all;
            EXPECT_NO_THROW(core.get_property(device, name));
        }
        EXPECT_NO_THROW(core.set_property(device, {{property::kDeviceId, "0"}}));
        core.set_property(device, {{property::kKeepInputs, "true"}});
        EXPECT_EQ(core.get_property(device, property::kKeepInputs), "YES");
        expect_error<ModelError>(
            [&] {
                core.set_property(device, {{property::kDeviceId, "1"}});
            },
            "'DEVICE_ID': got '1'; expected '' or '0'");
        expect_error<ModelError>(
            [&] {
                core.set_property(device, {{property::kAvailableDevices, "x"}});
            },
            "'AVAILABLE_DEVICES' can only be read");
    }
}

TEST(Core, ACompiledModelNamesAllItsProperties) {
    const auto compiled = Core().compile_model(Model(identity_graph()), "CPU");
    EXPECT_EQ(compiled.get_property(property::kModelName), "identity");
    EXPECT_EQ(compiled.get_property(property::kLoadedFromCache), "NO");
    const std::string all = compiled.get_property(property::kSupportedProperties);
    for (const char* name : {property::kModelName, property::kLoadedFromCache,
                             property::kNumStreams, property::kExecutionDevices}) {
        EXPECT_NE(all.find(name), std::string::npos) << all;
    }
}

// The callbacks hold their threads until all are there: fewer threads would never get that far.
TEST(Core, AsManyRequestsRunAtOnceAsThereAreStreams) {
    for (const Properties& properties : {Properties{{property::kNumStreams, "3"}},
                                         Properties{{property::kPerformanceHint, "THROUGHPUT"},
                                                    {property::kInferenceNumThreads, "3"}}}) {
        auto compiled = Core().compile_model(Model(identity_graph()), "CPU", properties);
        EXPECT_EQ(compiled.get_property(property::kNumStreams), "3");
        EXPECT_EQ(compiled.get_property(property::kOptimalNumberOfInferRequests), "3");
        std::atomic<int> inside{0};
        std::atomic<int> met{0};
        std::vector<InferRequest> requests;
        for (int i = 0; i < 3; ++i) {
            requests.push_back(compiled.create_infer_request());
            requests.back().set_tensor("x", tensor_of<float>({1, 2}, {3, 4}));
            requests.back().set_callback([&](std::exception_ptr) {
                ++inside;
                for (int wait = 0; wait < 4000 && inside < 3; ++wait) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
                met += inside == 3;
            });
        }
        for (auto& request : requests) request.start_async();
        for (auto& request : requests) request.wait();
        EXPECT_EQ(met, 3);
    }
}

TEST(Core, RefusesBadProperties) {
    Core core;
    expect_error<ModelError>(
        [&] {
            core.set_property("CPU", {{"SPEED", "11"}});
        },
        "device CPU has no property 'SPEED'; there are: ");
    expect_error<ModelError>([&] { core.get_property("CPU", "SPEED"); }, "PERF_COUNT");
    expect_error<ModelError>(
        [&] {
            core.set_property("CPU", {{property::kFullDeviceName, "x"}});
        },
        "'FULL_DEVICE_NAME' can only be read");
    auto compiled = core.compile_model(Model(identity_graph()), "CPU");
    expect_error<ModelError>([&] { compiled.get_property("SPEED"); }, "unknown property 'SPEED'");
}

TEST(Core, RefusesLibrariesThatAreNoPlugins) {
    Core core;
    expect_error<ModelError>([&] { core.register_plugin("/nowhere/x.so", "X"); },
                             "/nowhere/x.so: can't load the plugin");
    expect_error<ModelError>([&] { core.register_plugin("libpthread.so.0", "X"); },
                             "is not a plugin: it doesn't define rondo_plugin_version()");
    expect_error<ModelError>([&] { core.register_plugin("/nowhere/x.so", "CPU"); },
                             "there is a device 'CPU' already");
    EXPECT_EQ(core.get_available_devices().size(), 2u);  // a failed one leaves no trace
}

TEST(Core, LoadsAPlugin) {
    Core core;
    core.register_plugin(RONDO_TEST_PLUGIN, "ECHO");
    EXPECT_EQ(core.get_available_devices().back(), "ECHO");
    EXPECT_EQ(core.get_versions("ECHO").at("ECHO").description, "a plugin for tests");
    auto compiled = core.compile_model(Model(identity_graph()), "ECHO");
    EXPECT_EQ(compiled.runtime_model().to_text(), Model(identity_graph()).to_text());
    auto request = compiled.create_infer_request();
    request.set_tensor("x", tensor_of<float>({1, 2}, {3, 4}));
    request.infer();
    expect_near(request.get_tensor("y"), tensor_of<float>({1, 2}, {3, 4}), 0);
}

TEST(Core, APluginMayBearAnyName) {
    Core core;
    core.register_plugin(RONDO_TEST_PLUGIN, "AUTO");
    EXPECT_EQ(core.get_versions("AUTO").at("AUTO").description, "a plugin for tests");
}

TEST(Core, APluginsObjectsOutliveTheCore) {
    Tensor output;
    {
        auto core = std::make_unique<Core>();
        core->register_plugin(RONDO_TEST_PLUGIN, "ECHO");
        auto compiled = core->compile_model(Model(identity_graph()), "ECHO");
        auto request = compiled.create_infer_request();
        core.reset();
        compiled = {};
        request.set_tensor("x", tensor_of<float>({1, 2}, {3, 4}));
        request.infer();
        output = request.get_tensor("y");
    }
    expect_near(output, tensor_of<float>({1, 2}, {3, 4}), 0);
}

}  // namespace
}  // namespace rondo::test::core_test
