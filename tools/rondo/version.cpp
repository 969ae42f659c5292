#include "version.hpp"

#include <commit.hpp>

#include "rondo/core.hpp"

namespace rondo::tool {
namespace {

#if defined(__clang__)
constexpr const char* kCompiler = "clang " __clang_version__;
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif

// What the devices say of themselves; the CPU's names the best instruction set of this machine.
std::string devices() {
    const Core core;
    std::string text;
    for (const std::string& name : core.get_available_devices()) {
        text += (text.empty() ? "" : "; ") + core.get_versions(name).at(name).description;
    }
    return text;
}

}  // namespace

std::string version_and_commit() { return get_version().build_number + " " + RONDO_COMMIT; }

std::string version_text() {
    const std::string library = get_version().build_number;
    return library + "\ncommit:   " + RONDO_COMMIT + "\ncompiler: " + kCompiler +
           (RONDO_IS_OPTIMISED ? ", optimised" : ", for debugging") + "\ndevices:  " + devices() +
           "\nfeatures: IR" + (RONDO_READS_ONNX ? ", ONNX" : "") + "; f16 and bf16 weights";
}

}  // namespace rondo::tool
