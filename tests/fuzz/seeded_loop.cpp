// Drives a fuzz target without libFuzzer: each file as it is, then seeded mutations of them. A
// folder means its files.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"
#include "tests/fuzz/mutate.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Targets whose inputs have a structure define it.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                                                     std::size_t size,
                                                                     std::size_t max_size,
                                                                     unsigned seed);

// What libFuzzer gives to custom mutators.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                        std::size_t max_size) {
    using namespace rondo::test;
    std::string bytes(reinterpret_cast<const char*>(data), size);
    Rng rng(std::hash<std::string>{}(bytes));
    bytes = mutated(std::move(bytes), rng);
    bytes.resize(std::min(bytes.size(), max_size));
    std::copy(bytes.begin(), bytes.end(), data);
    return bytes.size();
}

namespace rondo::test {
namespace {

constexpr unsigned kSecondsAnInput = 20;
constexpr std::size_t kMostGrowth = 65536;  // of an input in one mutation

struct Options {
    long long runs = 2000;
    std::vector<std::string> files;
};

// The text of the signal handler, which may not allocate.
struct CurrentInput {
    const char* data = nullptr;
    std::size_t size = 0;
    std::string file;    // where a failing input is saved
    std::string advice;  // how to replay it
};

CurrentInput& current() {
    static CurrentInput input;
    return input;
}

void put(int descriptor, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t written = ::write(descriptor, data, size);
        if (written <= 0) return;
        data += written;
        size -= static_cast<std::size_t>(written);
    }
}

// Calls only what a signal handler may call.
void save_current() {
    const CurrentInput& input = current();
    const int file = ::open(input.file.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (file >= 0) {
        put(file, input.data, input.size);
        ::close(file);
    }
    put(STDERR_FILENO, input.advice.data(), input.advice.size());
}

extern "C" void on_signal(int signal) {
    constexpr char kText[] = "\nFAILED: a crash, or an input that took too long\n";
    put(STDERR_FILENO, kText, sizeof kText - 1);
    save_current();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void prepare(const std::string& program) {
    // A target may work in another folder.
    const std::string name = program.substr(program.rfind('/') + 1) + "-failure.bin";
    current().file = std::filesystem::absolute(name).string();
    current().advice = "the input is in " + current().file + "; replay with: " + program +
                       " --runs 0 " + current().file + "\n";
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
        std::signal(signal, on_signal);
    }
    if (kIsSanitized) return;  // takes terabytes of addresses
    // A model that needs too much memory ends here with bad_alloc.
    const rlimit limit{rlim_t{4} << 30, rlim_t{4} << 30};
    ::setrlimit(RLIMIT_AS, &limit);
}

bool run(const std::string& bytes, const std::string& what) {
    current().data = bytes.data();
    current().size = bytes.size();
    std::string message;
    ::alarm(kSecondsAnInput);
    try {
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        ::alarm(0);
        return true;
    } catch (const std::exception& error) {
        message = error.what();
    } catch (...) {
        message = "something that is no std::exception was thrown";
    }
    ::alarm(0);
    std::cerr << "FAILED: " << what << ": " << message << "\n";
    save_current();
    return false;
}

void add_files(const std::string& path, std::vector<std::string>& files) {
    if (!std::filesystem::is_directory(path)) {
        files.push_back(path);
        return;
    }
    const std::size_t first = files.size();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
        if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
    // The order of a folder differs between machines.
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
}

std::string changed(const std::string& bytes, Rng& rng) {
    if (LLVMFuzzerCustomMutator == nullptr) return mutated(bytes, rng);
    std::string buffer = bytes;
    buffer.resize(bytes.size() + kMostGrowth);
    buffer.resize(LLVMFuzzerCustomMutator(reinterpret_cast<std::uint8_t*>(buffer.data()),
                                          bytes.size(), buffer.size(),
                                          static_cast<unsigned>(rng())));
    return buffer;
}

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--runs") != 0) {
            add_files(argv[i], options.files);
        } else if (++i == argc || !parse_int(argv[i], options.runs) || options.runs < 0) {
            throw ModelError("--runs needs a number");
        }
    }
    if (options.files.empty()) throw ModelError("usage: fuzz_x [--runs N] FILE_OR_FOLDER...");
    return options;
}

int fuzz(const Options& options) {
    std::vector<std::string> corpus;
    for (const std::string& file : options.files) {
        corpus.push_back(bytes_of(file));
        if (corpus.back().empty()) throw ModelError(file + ": can't be read, or is empty");
        if (!run(corpus.back(), file)) return 1;
    }
    if (options.runs == 0) return 0;
    Rng rng = test_rng();
    for (long long i = 0; i < options.runs; ++i) {
        const std::string& original = corpus[rng() % corpus.size()];
        if (!run(changed(original, rng), "mutation " + std::to_string(i))) return 1;
    }
    std::cout << options.runs << " mutations of " << corpus.size() << " file(s): no failure\n";
    return 0;
}

}  // namespace
}  // namespace rondo::test

int main(int argc, char** argv) {
    try {
        rondo::test::prepare(argv[0]);
        return rondo::test::fuzz(rondo::test::parse(argc, argv));
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
