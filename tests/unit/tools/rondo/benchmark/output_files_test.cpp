// The files that a benchmark writes.
#include <gtest/gtest.h>

#include <filesystem>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tools/rondo/benchmark/benchmark_report.hpp"

namespace rondo::tool::output_files_test {
namespace {

namespace fs = std::filesystem;
using test::expect_error;

class OutputFiles : public ::testing::Test {
protected:
    const test::TemporaryFolder temporary;
    const fs::path folder = temporary.path();
};

TEST_F(OutputFiles, HaveTheNamesOfBenchmarkApp) {
    BenchmarkOptions options;
    EXPECT_TRUE(report_paths(options).empty());
    options.report_folder = "r";
    options.report_type = "no_counters";
    EXPECT_EQ(report_paths(options), std::vector<std::string>{"r/benchmark_report.csv"});
    options.report_type = "average_counters";
    options.json_stats = true;
    EXPECT_EQ(report_paths(options),
              (std::vector<std::string>{"r/benchmark_report.json",
                                        "r/benchmark_average_counters_report.json"}));
    options.live.streams = "5";
    EXPECT_EQ(report_paths(options), std::vector<std::string>{"r/benchmark_streams.json"});
}

TEST_F(OutputFiles, ThatCannotBeWrittenAreRefused) {
    std::string BenchmarkOptions::*const members[] = {
        &BenchmarkOptions::html, &BenchmarkOptions::trace, &BenchmarkOptions::exec_graph,
        &BenchmarkOptions::dump_config};
    for (const auto member : members) {
        BenchmarkOptions options;
        const std::string ending = member == &BenchmarkOptions::html         ? ".html"
                                   : member == &BenchmarkOptions::exec_graph ? ".xml"
                                                                             : ".json";
        for (const std::string place : {"/nodir/x", "/proc/x"}) {
            options.*member = place + ending;
            expect_error<ModelError>([&] { check_outputs(options); },
                                     place + ending + ": can't write the file");
        }
        options.*member = (folder / "x").string() + ending;
        check_outputs(options);
        EXPECT_TRUE(fs::is_empty(folder));
    }
    BenchmarkOptions options;
    options.json_stats = true;
    options.report_folder = folder.string();
    fs::create_directories(folder / "benchmark_report.json");
    expect_error<ModelError>([&] { check_outputs(options); },
                             "benchmark_report.json: can't write the file: Is a directory");
}

TEST_F(OutputFiles, HaveTheEndingsThatHelpNames) {
    BenchmarkOptions options;
    options.trace = "x.txt";
    expect_error<ModelError>([&] { check_outputs(options); },
                             "-trace x.txt: the file must end in .json");
    options.trace = "";
    options.html = "x.pdf";
    expect_error<ModelError>([&] { check_outputs(options); },
                             "-html x.pdf: the file must end in .html");
    options.html = "";
    options.live.streams = "max";
    options.live.plot = "p.txt";
    expect_error<ModelError>([&] { check_outputs(options); },
                             "-plot p.txt: the file must end in .svg");
}

TEST_F(OutputFiles, ThatNothingWritesAreRefused) {
    BenchmarkOptions options;
    options.live.plot = "p.svg";
    expect_error<ModelError>([&] { check_outputs(options); }, "give their number as -streams");
    options.live.plot = "";
    options.live.streams = "5";
    options.html = "x.html";
    expect_error<ModelError>([&] { check_outputs(options); },
                             "leave -html, -trace and -report_type out");
}

}  // namespace
}  // namespace rondo::tool::output_files_test
