// The command `rondo benchmark`.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/unit/tools/rondo/command.hpp"

namespace rondo::tool::benchmark_command_test {
namespace {

class BenchmarkCommand : public Command {
protected:
    // Some steps have been printed before the last line says `what`.
    void expect_no_benchmark(const std::string& arguments, const std::string& what) const {
        const Outcome outcome = rondo_command("benchmark -m " + onnx + " " + arguments);
        EXPECT_EQ(outcome.exit_code, 1) << arguments << "\n" << outcome.text;
        EXPECT_NE(outcome.text.find(what), std::string::npos) << outcome.text;
    }
    // What a benchmark prints that gets the signal after a second, and its exit code.
    std::string interrupted(const std::string& signal, const std::string& arguments) const {
        const std::string line = "timeout --foreground --preserve-status -s " + signal + " 1 " +
                                 RONDO_COMMAND + " benchmark -m " + onnx + " " + arguments + " > " +
                                 at("log") + "; echo exit code $? >> " + at("log");
        EXPECT_EQ(std::system(line.c_str()), 0);
        return read("log");
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

TEST_F(BenchmarkCommand, ReportsWhatASignalLeaves) {
    const std::string once = "-data_shape \"pixels[1,8,8]\" -t 60";
    for (const auto& [signal, code] : {std::pair("INT", "130"), std::pair("TERM", "143")}) {
        const std::string log = interrupted(signal, once);
        EXPECT_NE(log.find("Interrupted"), std::string::npos) << log;
        EXPECT_NE(log.find("Throughput:"), std::string::npos) << log;
        EXPECT_NE(log.find(std::string("\nexit code ") + code), std::string::npos) << log;
    }
    const std::string slow = interrupted("INT", once + " -max_irate 0.01 -api sync");
    EXPECT_NE(slow.find("Throughput:"), std::string::npos) << slow;
}

TEST_F(BenchmarkCommand, ReportsTheStreamsThatASignalLeaves) {
    const std::string streams = "-t 60 -rate 100 -chunk 8 -json_stats -report_folder " + at("") +
                                " -plot " + at("streams.svg") + " -streams ";
    for (const auto& [signal, code] : {std::pair("INT", "130"), std::pair("TERM", "143")}) {
        const std::string log = interrupted(signal, streams + "5");
        EXPECT_TRUE(std::regex_search(log, std::regex("\n +5 +[0-9.]+ ms .*  interrupted\n")))
            << log;
        EXPECT_NE(log.find(std::string("\nexit code ") + code), std::string::npos) << log;
    }
    EXPECT_NE(read("streams.svg").find("</svg>"), std::string::npos);
    const std::string log = interrupted("INT", streams + "max");
    EXPECT_NE(log.find("within 10 ms, until it was interrupted: 0\n"), std::string::npos) << log;
    const auto report = nlohmann::json::parse(read("benchmark_streams.json"));
    EXPECT_EQ(report["trials"].size(), 1U);
    EXPECT_EQ(report["trials"][0]["interrupted"], true);
    EXPECT_EQ(report["trials"][0]["in_time"], false);
}

TEST_F(BenchmarkCommand, ChecksItsFilesBeforeItMeasures) {
    write("old.json", "old");
    for (const char* file : {"-html /proc/x.html", "-exec_graph_path /nodir/x.xml",
                             "-dump_config /nodir/x", "-trace /nodir/x.json"}) {
        const Outcome outcome = rondo_command("benchmark -m " + onnx + " -b 1 -niter 5 " + file);
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_NE(outcome.text.find("can't write the file"), std::string::npos) << outcome.text;
        EXPECT_EQ(outcome.text.find("[Step 2/11]"), std::string::npos) << outcome.text;
    }
    expect_no_benchmark("-trace " + at("old.json") + " -html /proc/x.html", "can't write the file");
    EXPECT_EQ(read("old.json"), "old");
    expect_no_benchmark("-trace x.txt", "-trace x.txt: the file must end in .json");
}

// The full disk shows only when the report is written.
TEST_F(BenchmarkCommand, AFileThatCannotBeWrittenKeepsNoFigures) {
    fs::create_symlink("/dev/full", folder / "report.html");
    const Outcome outcome = rondo_command("benchmark -m " + onnx + " -b 1 -niter 5 -html " +
                                          at("report.html") + " -trace " + at("trace.json"));
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.text.find("Throughput:"), std::string::npos) << outcome.text;
    EXPECT_NE(outcome.text.find("No space left on device"), std::string::npos) << outcome.text;
    EXPECT_NE(read("trace.json").find("traceEvents"), std::string::npos);
}

TEST_F(BenchmarkCommand, SaysWhichHintItChose) {
    const std::string benchmark = "benchmark -m " + onnx + " -niter 0 ";
    const std::string chosen = "-hint wasn't given; CPU gets the hint ";
    for (const auto& [given, text] :
         {std::pair("", "THROUGHPUT\n"), std::pair("-api sync", "LATENCY\n")}) {
        const Outcome outcome = rondo_command(benchmark + given);
        EXPECT_NE(outcome.text.find(chosen + text), std::string::npos) << outcome.text;
        EXPECT_NE(outcome.text.find("nothing was measured"), std::string::npos) << outcome.text;
    }
    write("config.json", "{\"CPU\": {\"PERFORMANCE_HINT\": \"LATENCY\"}}");
    for (const std::string& given :
         {std::string("-hint latency"), std::string("-hint none"), std::string("-nthreads 1"),
          std::string("-p PERFORMANCE_HINT=LATENCY"), "-load_config " + at("config.json")}) {
        const Outcome outcome = rondo_command(benchmark + given);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
        EXPECT_EQ(outcome.text.find(chosen), std::string::npos) << outcome.text;
        EXPECT_EQ(outcome.text.find("PERFORMANCE_HINT: THROUGHPUT"), std::string::npos)
            << outcome.text;
    }
}

TEST_F(BenchmarkCommand, TakesPropertiesWithoutEffect) {
    write("config.json", "{\"CPU\": {\"EXECUTION_MODE_HINT\": \"ACCURACY\", \"NUM_STREAMS\": 2}}");
    for (const std::string& given :
         {std::string("-p EXECUTION_MODE_HINT=ACCURACY -p NUM_STREAMS=2"),
          "-load_config " + at("config.json")}) {
        const Outcome outcome = rondo_command("benchmark -m " + onnx + " -niter 0 " + given);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
        EXPECT_NE(outcome.text.find("'EXECUTION_MODE_HINT' is OpenVINO's and has no effect"),
                  std::string::npos)
            << outcome.text;
        EXPECT_NE(outcome.text.find("NUM_STREAMS: 2"), std::string::npos) << outcome.text;
    }
}

TEST_F(BenchmarkCommand, NamesAllLimits) {
    const Outcome outcome =
        rondo_command("benchmark -m " + onnx + " -b 1 -api sync -t 9 -niter 1 -max_irate 0.4");
    EXPECT_NE(outcome.text.find("limits: 9000 ms duration, 1 iterations, 0.4 inferences a second"),
              std::string::npos)
        << outcome.text;
}

TEST_F(BenchmarkCommand, FiguresStandBelowEachOther) {
    const Outcome outcome =
        rondo_command("benchmark -m " + onnx + " -b 1 -api sync -niter 9 -latency_percentile 90");
    EXPECT_TRUE(std::regex_search(outcome.text, std::regex("   90 percentile:    [0-9]")))
        << outcome.text;
    EXPECT_TRUE(std::regex_search(outcome.text, std::regex("   Average:          [0-9]")));
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

// No step is so fast, so that one stream is too many.
TEST_F(Command, TheMostLiveStreamsHaveABound) {
    const Outcome outcome =
        rondo_command("benchmark -m " + onnx + " -t 0.1 -rate 100 -chunk 8 -streams max " +
                      "-latency_bound 0.001 -json_stats -report_folder " + at(""));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    const std::regex row("\n +1 .* % .* %  late  (slow|stalled|saturated)\n");
    EXPECT_TRUE(std::regex_search(outcome.text, row)) << outcome.text;
    const std::regex end("within 0.001 ms: 0\nWith 1 stream .* bound: .*\n");
    EXPECT_TRUE(std::regex_search(outcome.text, end)) << outcome.text;
    const auto report = nlohmann::json::parse(read("benchmark_streams.json"));
    EXPECT_EQ(report["bounded_by"].get<std::string>().find("With 1 stream "), 0U);
    EXPECT_NE(report["trials"][0]["verdict"], "in time");
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
    EXPECT_NE(outcome.text.find("without -hint, or with -hint none"), std::string::npos)
        << outcome.text;
    const std::string threads = "benchmark -m " + onnx + " -niter 0 -nthreads 1";
    EXPECT_EQ(rondo_command(threads + " -hint none").exit_code, 0);
    EXPECT_EQ(rondo_command(threads).exit_code, 0);
    EXPECT_EQ(rondo_command("benchmark -m " + onnx + " -hint fast").exit_code, 1);
    expect_no_benchmark("-niter 1 -nstreams GPU:2", "the device is CPU");
    expect_no_benchmark("-niter 1 -lfile -b 2", "leave --shape, -b and");
    expect_no_benchmark("-niter 1 -hint latency -nireq 2", "one request");
    write("bad.json", "[]");
    expect_no_benchmark("-niter 1 -load_config " + at("bad.json"), "expected JSON such as");
    expect_no_benchmark("-niter 1 -load_config /tmp",
                        "/tmp: can't read the file: it is not a regular file");
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
}  // namespace rondo::tool::benchmark_command_test
