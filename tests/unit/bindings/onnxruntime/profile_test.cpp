// Rows of layers in a host's profile.
#include <gmock/gmock.h>

#include "tests/unit/bindings/onnxruntime/models.hpp"
#include "tests/unit/bindings/onnxruntime/stub/host_session.hpp"

namespace rondo::test::onnxruntime_profile_test {
namespace {

using ort::HostSession;
using testing::IsEmpty;
using testing::StartsWith;

class OnnxruntimeProfile : public testing::Test {
protected:
    void SetUp() override {
        ort::host_state() = {};
        ort::host_state().is_profiled = true;
    }
    void TearDown() override { ort::host_state() = {}; }
};

TEST_F(OnnxruntimeProfile, HasARowForEachLayer) {
    const auto model = lstm_model();
    HostSession session(model);
    const Tensors inputs{{"x", sequence(5, 2)}};
    std::int64_t begin = 0;
    std::int64_t end = 0;
    for (int i = 0; i < 2; ++i) {
        begin = session.elapsed();
        expect_same(session.run(inputs).at("out"), run_alone(model, inputs).at("out"));
        end = session.elapsed();
    }
    std::vector<ort::OrtProfilingEvent> layers;
    for (const auto& row : session.end_profiling()) {
        EXPECT_GE(row.duration, 0);
        EXPECT_EQ(row.args.at("provider"), "RondoExecutionProvider");
        if (row.name == "layer") layers.push_back(row);
    }
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_THAT(layers[1].args.at("kernel"), StartsWith("lstm_"));
    EXPECT_GT(std::stoll(layers[1].args.at("duration_ns")), 0);
    EXPECT_LE(layers[0].begin + layers[0].duration, begin);
    EXPECT_GE(layers[1].begin, begin);
    EXPECT_LE(layers[1].begin + layers[1].duration, end);
    session.run(inputs);  // not any more
    EXPECT_THAT(session.end_profiling(), IsEmpty());
}

TEST_F(OnnxruntimeProfile, IsOnlyMadeForSessionsThatWantIt) {
    ort::host_state().is_profiled = false;
    HostSession session(lstm_model());
    session.run({{"x", sequence(2, 1)}});
    EXPECT_THAT(session.end_profiling(), IsEmpty());
}

TEST_F(OnnxruntimeProfile, IsUnknownToOlderReleases) {
    ort::host_state().version = "1.24.4";
    HostSession session(lstm_model());
    session.run({{"x", sequence(2, 1)}});
    EXPECT_THAT(session.end_profiling(), IsEmpty());
}

TEST_F(OnnxruntimeProfile, ReportsFaultsOfTheHost) {
    for (const auto* function : {"CreateProfilingEvent", "ProfilingEventsContainer_AddEvents"}) {
        HostSession session(lstm_model());
        session.run({{"x", sequence(2, 1)}});
        ort::host_state().faults = {function, 0};
        EXPECT_THROW(session.end_profiling(), ort::SessionError) << function;
        ort::host_state().faults = {};
    }
}

}  // namespace
}  // namespace rondo::test::onnxruntime_profile_test
