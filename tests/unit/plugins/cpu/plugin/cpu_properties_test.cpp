#include "plugins/cpu/plugin/cpu_properties.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/isa.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::cpu::cpu_properties_test {
namespace {

using test::expect_error;

void expect_bad(const char* name, const char* value, const char* message) {
    expect_error<ModelError>([&] { check_device_property(name, value); }, message);
}

TEST(CpuProperties, DefaultsPassTheirOwnChecks) {
    for (const char* name : {property::kPerformanceHint, property::kNumStreams,
                             property::kInferenceNumThreads, property::kInferencePrecisionHint,
                             property::kPerfCount, property::kPerformanceHintNumRequests,
                             property::kEnableCpuPinning, property::kCpuDenormalsOptimization}) {
        EXPECT_NO_THROW(check_device_property(name, device_properties().at(name))) << name;
    }
    EXPECT_FALSE(device_properties().at(property::kFullDeviceName).empty());
    EXPECT_EQ(device_properties().at(property::kExecutionDevices), "CPU");
    EXPECT_EQ(device_properties().at(property::kOptimizationCapabilities), "FP32 BF16 INT8");
}

TEST(CpuProperties, SupportedPropertiesNamesAll) {
    const auto all = device_properties();
    for (const auto& [name, value] : all) {
        EXPECT_NE(all.at(property::kSupportedProperties).find(name), std::string::npos) << name;
    }
}

TEST(CpuProperties, GoodValues) {
    EXPECT_NO_THROW(check_device_property(property::kPerformanceHint, "throughput"));
    EXPECT_NO_THROW(check_device_property(property::kPerformanceHint, "CUMULATIVE_THROUGHPUT"));
    EXPECT_NO_THROW(check_device_property(property::kNumStreams, "AUTO"));
    EXPECT_NO_THROW(check_device_property(property::kNumStreams, "4"));
    EXPECT_NO_THROW(check_device_property(property::kNumStreams, "-1"));
    EXPECT_NO_THROW(check_device_property(property::kPerfCount, "yes"));
    EXPECT_NO_THROW(check_device_property(property::kInferencePrecisionHint, "bf16"));
    EXPECT_NO_THROW(check_device_property(property::kInferencePrecisionHint, "F32"));
    EXPECT_NO_THROW(check_device_property(property::kEnableCpuPinning, "True"));
}

TEST(CpuProperties, BadValuesNamePropertyValueAndWhatWasExpected) {
    expect_bad(property::kPerformanceHint, "FAST",
               "'PERFORMANCE_HINT': got 'FAST'; expected LATENCY, THROUGHPUT");
    expect_bad(property::kNumStreams, "-3",
               "'NUM_STREAMS': got '-3'; expected AUTO for the device's own choice");
    expect_bad(property::kInferenceNumThreads, "two", "'INFERENCE_NUM_THREADS': got 'two'");
    expect_bad(property::kInferenceNumThreads, "1000000", "to 1024");
    expect_bad(property::kPerfCount, "maybe", "expected YES or NO");
    expect_bad(property::kEnableCpuPinning, "2", "'ENABLE_CPU_PINNING': got '2'; expected YES");
    expect_bad(property::kCpuDenormalsOptimization, "", "expected YES or NO");
    expect_bad(property::kPerformanceHintNumRequests, "-1",
               "expected 0 for the device's own choice");
    expect_bad(property::kInferencePrecisionHint, "fast", "expected f32 or bf16");
    expect_bad(property::kFullDeviceName, "x", "can only be read");
}

TEST(CpuProperties, OtherPrecisionsAreRefused) {
    for (const char* type : {"f16", "F16", "i8", "f64"}) {
        expect_error<UnsupportedError>(
            [&] { check_device_property(property::kInferencePrecisionHint, type); },
            "computes in f32 or bf16");
    }
}

Resources resources(Properties settings, int cores) {
    settings.merge(device_properties());
    return resources_of(settings, cores);
}

TEST(CpuProperties, ResourcesFollowHintStreamsAndThreads) {
    EXPECT_EQ(resources({}, 8).threads, 8);
    EXPECT_EQ(resources({}, 8).streams, 1);
    EXPECT_EQ(resources({{property::kPerformanceHint, "THROUGHPUT"}}, 8).threads, 1);
    EXPECT_EQ(resources({{property::kPerformanceHint, "THROUGHPUT"}}, 8).streams, 8);
    EXPECT_EQ(resources({{property::kInferenceNumThreads, "3"}}, 8).threads, 3);
    EXPECT_EQ(resources({{property::kNumStreams, "2"}}, 8).threads, 4);
    EXPECT_EQ(resources({{property::kNumStreams, "20"}}, 8).threads, 1);
    EXPECT_EQ(resources({{property::kNumStreams, "20"}}, 8).streams, 20);
}

TEST(CpuProperties, RequestsBoundTheStreamsOfAHint) {
    const auto with = [](const char* hint, const char* requests) {
        return resources(
            {{property::kPerformanceHint, hint}, {property::kPerformanceHintNumRequests, requests}},
            8);
    };
    EXPECT_EQ(with("THROUGHPUT", "2").streams, 2);
    EXPECT_EQ(with("THROUGHPUT", "2").threads, 4);
    EXPECT_EQ(with("THROUGHPUT", "50").streams, 8);
    EXPECT_EQ(with("LATENCY", "4").streams, 1);
    EXPECT_EQ(resources({{property::kNumStreams, "-1"}}, 8).streams, 1);
}

TEST(CpuProperties, SwitchesAreReportedAsYesAndNo) {
    const auto x = test::parameter("x", {2});
    const auto graph = test::graph_of({x}, {make_node<ops::Unary>(ops::UnaryFunction::tanh, x)});
    const auto device = test::on_cpu(*graph, {{property::kPerfCount, "true"},
                                              {property::kEnableCpuPinning, "no"},
                                              {property::kCpuDenormalsOptimization, "No"}});
    const Properties reported = device.executable->properties();
    EXPECT_EQ(reported.at(property::kPerfCount), "YES");
    EXPECT_EQ(reported.at(property::kEnableCpuPinning), "NO");
    EXPECT_EQ(reported.at(property::kCpuDenormalsOptimization), "NO");
}

TEST(CpuProperties, ACompiledModelReportsWhatTheyCameTo) {
    const auto x = test::parameter("x", {2});
    const auto graph = test::graph_of({x}, {make_node<ops::Unary>(ops::UnaryFunction::tanh, x)});
    const auto device =
        test::on_cpu(*graph, {{property::kNumStreams, "3"}, {property::kInferenceNumThreads, "6"}});
    const Properties reported = device.executable->properties();
    EXPECT_EQ(reported.at(property::kNumStreams), "3");
    EXPECT_EQ(reported.at(property::kInferenceNumThreads), "6");
    EXPECT_EQ(reported.at(property::kOptimalNumberOfInferRequests), "3");
}

TEST(CpuProperties, ThePluginTellsItsVersion) {
    const auto version = make_cpu_plugin()->version();
    EXPECT_FALSE(version.build_number.empty());
    EXPECT_TRUE(version.description.starts_with("CPU"));
    const test::IsaScope scope("plain");
    EXPECT_EQ(make_cpu_plugin()->version().description, "CPU, kernels up to plain (RONDO_ISA)");
}

}  // namespace
}  // namespace rondo::cpu::cpu_properties_test
