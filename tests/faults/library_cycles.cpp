// Loads the library, runs a model and closes it again and again: nothing piles up. The library
// stays where it is, since threads of TBB may outlive its models.
//
//     library_cycles librondo.so model.onnx 1000 64,28,28
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "rondo/rondo.h"

namespace {

struct Process {
    std::size_t resident_bytes = 0;
    std::size_t mappings = 0;
    std::size_t threads = 0;
};

Process process() {
    Process now;
    std::size_t pages = 0;
    std::ifstream statm("/proc/self/statm");
    statm >> pages >> pages;
    now.resident_bytes = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) ++now.mappings;
    const std::filesystem::directory_iterator threads("/proc/self/task");
    now.threads = static_cast<std::size_t>(std::distance(begin(threads), end(threads)));
    return now;
}

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "library_cycles: %s\n", what.c_str());
    std::exit(1);
}

class Library {
public:
    explicit Library(const char* path) : handle_(::dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
        if (handle_ == nullptr) fail(::dlerror());
    }
    ~Library() { ::dlclose(handle_); }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    template <typename Function>
    Function* find(Function* /*declared*/, const char* name) const {
        auto* found = reinterpret_cast<Function*>(::dlsym(handle_, name));
        if (found == nullptr) fail(std::string("there is no ") + name);
        return found;
    }

private:
    void* handle_;
};

#define FIND(library, name) library.find(static_cast<decltype(&name)>(nullptr), #name)

std::vector<std::size_t> shape_of(const char* text) {
    std::vector<std::size_t> shape;
    std::stringstream extents(text);
    for (std::string extent; std::getline(extents, extent, ',');) {
        shape.push_back(std::stoul(extent));
    }
    return shape;
}

// Compiles the model and runs it in this thread, in another, and in the background.
void use(const Library& library, const char* model, const std::vector<std::size_t>& shape) {
    rondo_core_t* core = nullptr;
    rondo_compiled_model_t* compiled = nullptr;
    rondo_infer_request_t* request = nullptr;
    rondo_tensor_t* input = nullptr;
    const auto message = FIND(library, rondo_last_error_message);
    const auto ok = [&](rondo_status_t status) {
        if (status != RONDO_OK) fail(message());
    };
    ok(FIND(library, rondo_core_create)(&core));
    ok(FIND(library, rondo_core_compile_model_from_file)(core, model, "CPU", nullptr, 0,
                                                         &compiled));
    ok(FIND(library, rondo_compiled_model_create_infer_request)(compiled, &request));
    ok(FIND(library, rondo_tensor_create)(RONDO_F32, shape.data(), shape.size(), &input));
    ok(FIND(library, rondo_infer_request_set_input_tensor)(request, 0, input));
    const auto infer = FIND(library, rondo_infer_request_infer);
    ok(infer(request));
    std::thread([&] { ok(infer(request)); }).join();
    ok(FIND(library, rondo_infer_request_start_async)(request));
    ok(FIND(library, rondo_infer_request_wait)(request));
    FIND(library, rondo_tensor_free)(input);
    FIND(library, rondo_infer_request_free)(request);
    FIND(library, rondo_compiled_model_free)(compiled);
    FIND(library, rondo_core_free)(core);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 5) fail("expected: library, model, cycles, shape");
    const int cycles = std::atoi(arguments[3]);
    Process settled;
    for (int i = 0; i < cycles; ++i) {
        {
            const Library library(arguments[1]);
            use(library, arguments[2], shape_of(arguments[4]));
        }
        void* const still_there = ::dlopen(arguments[1], RTLD_NOW | RTLD_NOLOAD);
        if (still_there == nullptr) fail("it was unloaded");
        ::dlclose(still_there);
        if (i == cycles / 10) settled = process();
    }
    const Process now = process();
    std::printf("%d cycles: %zu to %zu KiB, %zu to %zu mappings, %zu to %zu threads\n", cycles,
                settled.resident_bytes / 1024, now.resident_bytes / 1024, settled.mappings,
                now.mappings, settled.threads, now.threads);
    // TBB's threads come and go; what each cycle leaks would be a thousand by now.
    // On a busy machine more of them hold memory at once; the weights alone have 77 kB.
    constexpr std::size_t kMostGrowth = std::size_t{16} << 20;
    constexpr std::size_t kMostThreads = 16;
    constexpr std::size_t kMostMappings = 64;
    if (now.resident_bytes > settled.resident_bytes + kMostGrowth) fail("memory grows");
    if (now.threads > settled.threads + kMostThreads) fail("threads pile up");
    if (now.mappings > settled.mappings + kMostMappings) fail("mappings pile up");
    return 0;
}
