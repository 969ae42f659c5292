// The command `rondo benchmark`.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/unit/tools/rondo/command.hpp"

namespace rondo::tool {
namespace {

class BenchmarkCommand : public Command {
protected:
    // Some steps have been printed before the last line says `what`.
    void expect_no_benchmark(const std::string& arguments, const std::string& what) const {
        const Outcome outcome = rondo_command("benchmark -m " + onnx + " " + arguments);
        EXPECT_EQ(outcome.exit_code, 1) << arguments << "\n" << outcome.text;
        EXPECT_NE(outcome.text.find(what), std::string::npos) << outcome.text;
    }
};

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
        "EXECUTED +[0-9.]+ us +[0-9.]+ %  LSTMSequence +lstm_(avx512|avx2|plain)_f32 "
        "(serial|[a-z]+_split "
        "[0-9]+) +/lstm/LSTM\n");
    EXPECT_TRUE(std::regex_search(outcome.text, layer)) << outcome.text;
    const auto report = nlohmann::json::parse(read("benchmark_report.json"));
    EXPECT_EQ(report["execution_results"]["total number of iterations"], 20);
    EXPECT_EQ(report["configuration_setup"]["API"], "sync");
    EXPECT_EQ(report["cmd_options"]["-niter"], "20");
    const auto counters = nlohmann::json::parse(read("benchmark_detailed_counters_report.json"));
    EXPECT_GE(counters["avg_performance"]["nodes"].size(), 3u);
}

TEST_F(Command, BenchmarksByItsLongNames) {
    const Outcome outcome = rondo_command(
        "benchmark --path_to_model " + onnx +
        " --target_device CPU --perf_hint tput --number_iterations 8 --number_infer_requests 2 "
        "--batch_size 3 --perf_counts false --perf_counts_sort sort --report_type average_counters "
        "--report_folder " +
        at("") + " --infer_threads_pinning NO --pcseq");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    for (const char* part : {"PERFORMANCE_HINT: THROUGHPUT", "8 iterations", "data shape 1, pixels",
                             "ENABLE_CPU_PINNING: NO", "Peak memory:"}) {
        EXPECT_NE(outcome.text.find(part), std::string::npos) << part << "\n" << outcome.text;
    }
    EXPECT_NE(read("benchmark_report.csv").find("total number of iterations;8"), std::string::npos);
    EXPECT_NE(read("benchmark_average_counters_report.csv").find("LSTMSequence"),
              std::string::npos);
}

TEST_F(Command, BenchmarkOnlyCompilesForNoIterations) {
    const Outcome outcome =
        rondo_command("benchmark -m " + onnx + " -niter 0 -dump_config " + at("config.json") +
                      " -exec_graph_path " + at("runs.xml") + " -nstreams CPU:2");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    EXPECT_NE(outcome.text.find("Compile model took"), std::string::npos);
    EXPECT_EQ(outcome.text.find("Step 10"), std::string::npos) << outcome.text;
    EXPECT_EQ(nlohmann::json::parse(read("config.json"))["CPU"]["NUM_STREAMS"], "2");
    EXPECT_NE(read("runs.xml").find("LSTMSequence"), std::string::npos);
    const Outcome loaded = rondo_command("benchmark -m " + onnx + " -niter 0 -lfile -load_config " +
                                         at("config.json"));
    ASSERT_EQ(loaded.exit_code, 0) << loaded.text;
    EXPECT_NE(loaded.text.find("NUM_STREAMS: 2"), std::string::npos) << loaded.text;
}

TEST_F(Command, BenchmarkReportsWhatCtrlCLeaves) {
    const std::string line = std::string("timeout --foreground -s INT 1 ") + RONDO_COMMAND +
                             " benchmark -m " + onnx + " -data_shape \"pixels[1,8,8]\" -t 60 > " +
                             at("log") + "; echo $? >> " + at("log");
    ASSERT_EQ(std::system(line.c_str()), 0);
    const std::string log = read("log");
    EXPECT_NE(log.find("Interrupted"), std::string::npos) << log;
    EXPECT_NE(log.find("Throughput:"), std::string::npos) << log;
}

TEST_F(Command, BenchmarkWritesATrace) {
    const Outcome outcome =
        rondo_command("benchmark -m " + onnx + " -niter 3 -trace " + at("trace.json") + " -b 1");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    const auto trace = nlohmann::json::parse(read("trace.json"));
    bool has_layer = false;
    for (const auto& event : trace["traceEvents"]) {
        has_layer = has_layer || event.value("cat", "") == "LSTMSequence";
    }
    EXPECT_TRUE(has_layer) << trace;
    const Outcome reference = rondo_command("benchmark -m " + onnx + " -niter 3 -b 1 -d REFERENCE" +
                                            " -trace " + at("none.json"));
    EXPECT_EQ(reference.exit_code, 1);
    EXPECT_NE(reference.text.find("PERF_TRACE"), std::string::npos) << reference.text;
}

TEST_F(BenchmarkCommand, WritesAPage) {
    const Outcome outcome = rondo_command("benchmark -m " + onnx + " -niter 9 -html " +
                                          at("report.html") + " -data_shape \"pixels[1,8,8]\"");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    const std::string page = read("report.html");
    for (const char* part :
         {"<h2>Figures", "<h2>Latencies", "<h2>Layers", "LSTMSequence", "</body></html>"}) {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
    expect_no_benchmark("-niter 1 -html report.pdf", "must end in .html");
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

TEST_F(Command, BenchmarksLiveStreamsWithANewBatchAxis) {
    const Outcome outcome =
        rondo_command("benchmark -m " + onnx + " -batch_axis -t 0.1 -rate 100 -chunk 1 -streams 5");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    EXPECT_NE(outcome.text.find("Model input 'pixels' f32[?,?,8,8]"), std::string::npos)
        << outcome.text;
    EXPECT_EQ(outcome.text.find("Steps run one by one"), std::string::npos) << outcome.text;
}

TEST_F(Command, BenchmarksShowTheNodesOfBodies) {
    const std::string walk = RONDO_SOURCE_DIR "/tests/data/ir/openvino_tensor_iterator.xml";
    const Outcome outcome = rondo_command("benchmark -m " + walk + " -api sync -niter 5 -pc");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    const std::regex row("EXECUTED +[0-9.]+ us +[0-9.]+ %  [A-Za-z]+ +.* ti/[A-Za-z]+_[0-9]+\n");
    EXPECT_TRUE(std::regex_search(outcome.text, row)) << outcome.text;
}

TEST_F(Command, BenchmarksInTheBackground) {
    const Outcome outcome =
        rondo_command("benchmark -m " + onnx + " -b 2 -nireq 3 -niter 31 -hint throughput");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    EXPECT_NE(outcome.text.find("33 iterations"), std::string::npos) << outcome.text;
    EXPECT_NE(outcome.text.find("'pixels' f32[2,8,8]"), std::string::npos) << outcome.text;
}

TEST_F(BenchmarkCommand, RefusesContradictingFlags) {
    const Outcome outcome =
        rondo_command("benchmark -m " + onnx + " -hint latency -nthreads 1 -niter 1");
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.text.find("need --hint none"), std::string::npos) << outcome.text;
    EXPECT_EQ(rondo_command("benchmark -m " + onnx + " -hint fast").exit_code, 1);
    expect_no_benchmark("-niter 1 -nstreams GPU:2", "the device is CPU");
    expect_no_benchmark("-niter 1 -lfile -b 2", "leave --shape, -b and");
    expect_no_benchmark("-niter 1 -hint latency -nireq 2", "one request");
    write("bad.json", "[]");
    expect_no_benchmark("-niter 1 -load_config " + at("bad.json"), "expected JSON such as");
}

TEST_F(Command, AnEmptyArgumentIsRefused) {
    expect_refused("benchmark '' -m " + onnx + " -niter 1", "benchmark: unexpected argument ''");
}

TEST_F(Command, NumbersOutOfRangeAreRefused) {
    const std::string benchmark = "benchmark -m " + onnx + " -data_shape \"pixels[1,8,8]\" ";
    expect_refused(benchmark + "-niter -5", "'-5' is not a whole number from 0 to");
    expect_refused(benchmark + "-pc maybe", "-pc");
    expect_refused(benchmark + "-niter 3 -nireq -1", "'-1' is not a whole number from 1 to 4096");
    expect_refused(benchmark + "-niter 3 -b 0", "-b: '0' is not a whole number");
    expect_refused(benchmark + "-t inf", "-t: 'inf'");
    expect_refused("compare -m " + onnx + " -atol nan", "'nan' is not a number from 0 on");
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
