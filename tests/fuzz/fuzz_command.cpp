// Fuzz target: a line of the input is an argument of the command, which runs in a folder with two
// models and an input.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/support/errors.hpp"
#include "core/support/strings.hpp"
#include "tests/unit/core/ir/ir_files.hpp"
#include "tools/rondo/inputs/npy.hpp"

int rondo_main(int argc, char** argv);  // the command's main()

namespace rondo::test {
namespace {

namespace fs = std::filesystem;

constexpr int kInternalError = 2;

// The model "m" as .onnx and .xml, and what it takes.
void fill(const fs::path& folder) {
    const std::string data = RONDO_SOURCE_DIR "/tests/data/";
    for (const auto& file : fs::directory_iterator(folder)) fs::remove_all(file);
    fs::copy(data + "ir/openvino_lstm.xml", folder / "m.xml");
    fs::copy(data + "ir/openvino_lstm.bin", folder / "m.bin");
    fs::copy(data + "exporters/torch_script_17_lstm_1l_bf/model.onnx", folder / "m.onnx");
    fs::copy(data + "exporters/torch_script_17_lstm_1l_bf/ref/case0_in_x.npy", folder / "x.npy");
}

// The current folder, until the end of the scope.
class FolderScope {
public:
    explicit FolderScope(const fs::path& folder) : before_(fs::current_path()) {
        fs::current_path(folder);
    }
    FolderScope(const FolderScope&) = delete;
    FolderScope& operator=(const FolderScope&) = delete;
    ~FolderScope() { fs::current_path(before_); }

private:
    fs::path before_;
};

// Nothing outside of the folder, no other program, and no more than a few inferences.
bool is_harmless(const std::vector<std::string>& arguments) {
    const auto has = [&](const std::string& argument) {
        return std::find(arguments.begin(), arguments.end(), argument) != arguments.end();
    };
    for (const auto& argument : arguments) {
        const bool other_place =
            argument.find('/') != std::string::npos || argument.find("..") != std::string::npos;
        const bool drawn = argument.find(".svg") != std::string::npos ||
                           argument.find(".html") != std::string::npos;
        const bool threads = argument.find("nthreads") != std::string::npos ||
                             argument.find("nstreams") != std::string::npos ||
                             argument.find("THREADS") != std::string::npos ||
                             argument.find("STREAMS") != std::string::npos;
        if (other_place || drawn || threads) return false;
    }
    return !has("benchmark") || (has("-niter") && has("1"));
}

int run_command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "rondo");
    std::vector<char*> pointers;
    for (auto& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    return rondo_main(static_cast<int>(arguments.size()), pointers.data());
}

void run_lines(const std::string& lines) {
    static const TemporaryFolder folder;
    std::vector<std::string> arguments = split(lines, '\n');
    if (!arguments.empty() && arguments.back().empty()) arguments.pop_back();
    // An argument ends at its first 0.
    for (auto& argument : arguments) argument = argument.c_str();
    if (!is_harmless(arguments)) return;
    fill(folder.path());
    const FolderScope scope(folder.path());
    internal_check(run_command(arguments) != kInternalError, "an internal error");
}

}  // namespace
}  // namespace rondo::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    rondo::test::run_lines({reinterpret_cast<const char*>(data), size});
    return 0;
}
