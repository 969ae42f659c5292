// The command `rondo benchmark`.
#include <regex>

#include "tests/unit/tools/rondo/command.hpp"

namespace rondo::tool {
namespace {

TEST_F(Command, BenchmarksSynchronously) {
    const Outcome outcome =
        rondo_command("benchmark -m " + onnx +
                      " -data_shape \"pixels[1,8,8][4,8,8]\" -api sync "
                      "-niter 20 -pc -latency_percentile 90 -json_stats -report_type "
                      "detailed_counters -report_folder " +
                      at(""));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    for (const char* part : {"[Step 1/11]", "[Step 11/11]", "First inference took", "Count:",
                             "20 iterations", "90 percentile:", "Throughput:", "LSTMSequence"}) {
        EXPECT_NE(outcome.text.find(part), std::string::npos) << part << "\n" << outcome.text;
    }
    const std::regex layer(
        "EXECUTED +[0-9.]+ us  LSTMSequence +lstm_(avx512|avx2|plain)_f32 (serial|[a-z]+_split "
        "[0-9]+) +/lstm/LSTM\n");
    EXPECT_TRUE(std::regex_search(outcome.text, layer)) << outcome.text;
    EXPECT_NE(read("benchmark_report.json").find("\"iterations_num\": 20"), std::string::npos);
    EXPECT_NE(read("benchmark_report.csv").find("iterations;20"), std::string::npos);
    EXPECT_NE(read("benchmark_counters.csv").find("LSTMSequence"), std::string::npos);
}

TEST_F(Command, BenchmarksLiveStreams) {
    const std::string benchmark = "benchmark -m " + onnx + " -t 0.1 -rate 100 -chunk 8 ";
    const Outcome outcome = rondo_command(benchmark + "-streams 5 -json_stats -report_folder " +
                                          at("") + " -plot " + at("streams.svg"));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    const std::regex row("\n +5 +[0-9.]+ ms .* x ");
    EXPECT_TRUE(std::regex_search(outcome.text, row)) << outcome.text;
    EXPECT_NE(read("benchmark_streams.json").find("\"steps\": 50"), std::string::npos);
    EXPECT_NE(read("streams.svg").find("live streams of 100 chunks a second"), std::string::npos);
    expect_refused(benchmark + "-streams many", "-streams: 'many' is neither 'max' nor");
    expect_refused(benchmark + "-streams 0", "-streams: '0'");
}

TEST_F(Command, BenchmarksShowTheNodesOfBodies) {
    const std::string walk = RONDO_SOURCE_DIR "/tests/data/ir/openvino_tensor_iterator.xml";
    const Outcome outcome = rondo_command("benchmark -m " + walk + " -api sync -niter 5 -pc");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    const std::regex row("EXECUTED +[0-9.]+ us  [A-Za-z]+ +.* ti/[A-Za-z]+_[0-9]+\n");
    EXPECT_TRUE(std::regex_search(outcome.text, row)) << outcome.text;
}

TEST_F(Command, BenchmarksInTheBackground) {
    const Outcome outcome =
        rondo_command("benchmark -m " + onnx + " -b 2 -nireq 3 -niter 31 -hint throughput");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    EXPECT_NE(outcome.text.find("33 iterations"), std::string::npos) << outcome.text;
    EXPECT_NE(outcome.text.find("'pixels' f32[2,8,8]"), std::string::npos) << outcome.text;
}

TEST_F(Command, RefusesContradictingBenchmarkFlags) {
    const Outcome outcome =
        rondo_command("benchmark -m " + onnx + " -hint latency -nthreads 1 -niter 1");
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.text.find("need -hint none"), std::string::npos) << outcome.text;
    EXPECT_EQ(rondo_command("benchmark -m " + onnx + " -hint fast").exit_code, 1);
}

TEST_F(Command, NumbersOutOfRangeAreRefused) {
    const std::string benchmark = "benchmark -m " + onnx + " -data_shape \"pixels[1,8,8]\" ";
    expect_refused(benchmark + "-niter -5", "'-5' is no whole number from 1 to");
    expect_refused(benchmark + "-niter 3 -nireq -1", "'-1' is no whole number from 1 to 4096");
    expect_refused(benchmark + "-niter 3 -b 0", "-batch: '0' is no whole number");
    expect_refused(benchmark + "-t inf", "-time");
    expect_refused("compare -m " + onnx + " -atol nan", "'nan' is no number from 0 on");
}

TEST_F(Command, BenchmarksADeviceWithoutHints) {
    const Outcome outcome = rondo_command("benchmark -m " + onnx + " -d REFERENCE -niter 2 " +
                                          "-data_shape \"pixels[1,8,8]\" -json_stats " +
                                          "-report_folder " + at("new/folder"));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
    EXPECT_TRUE(fs::exists(folder / "new/folder/benchmark_report.json"));
}

}  // namespace
}  // namespace rondo::tool
