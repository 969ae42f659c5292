// The rondo command as users run it, for tests: arguments in, files, text and exit codes out.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::tool {

namespace fs = std::filesystem;

struct Outcome {
    int exit_code;
    std::string text;  // both streams
};

inline Outcome rondo_command(const std::string& arguments) {
    const std::string line = std::string(RONDO_COMMAND) + " " + arguments + " 2>&1";
    std::FILE* pipe = ::popen(line.c_str(), "r");
    std::string text;
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, n);
    return {WEXITSTATUS(::pclose(pipe)), text};
}

// A folder of its own for each test, with the sample model in it.
class Command : public ::testing::Test {
protected:
    std::string at(const std::string& name) const { return (folder / name).string(); }

    std::string read(const std::string& name) const {
        std::ifstream file(folder / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void write(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder / name, std::ios::binary) << bytes;
    }
    // One line that says `what`, exit code 1.
    void expect_refused(const std::string& arguments, const std::string& what) const {
        const Outcome outcome = rondo_command(arguments);
        EXPECT_EQ(outcome.exit_code, 1) << arguments << "\n" << outcome.text;
        EXPECT_NE(outcome.text.find(what), std::string::npos) << outcome.text;
        EXPECT_EQ(outcome.text.find('\n') + 1, outcome.text.size()) << outcome.text;
    }

    const test::TemporaryFolder temporary;
    const fs::path folder = temporary.path();
    const std::string sample = std::string(RONDO_SOURCE_DIR) + "/docs/samples/digits/";
    const std::string onnx = sample + "digits_lstm.onnx";
};

}  // namespace rondo::tool
