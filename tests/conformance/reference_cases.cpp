#include "tests/conformance/reference_cases.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>

#include "tests/support/files/npy.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;

// Models that compute in 8 or 16 bits say how far apart right answers may be.
struct CaseTolerance {
    double absolute = 1e-4;
    double relative = 0;
};

CaseTolerance tolerance_of_case(const fs::path& folder) {
    std::ifstream file(folder / "manifest.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::smatch found;
    if (!std::regex_search(text, found, std::regex("\"loose_atol\": ([0-9.e-]+)"))) return {};
    return {std::stod(found[1]), 1e-3};
}

// "a/b:0" -> "a_b_0", as the reference files are named.
std::string plain(const std::string& name) {
    std::string result;
    for (const char c : name) {
        const bool keeps =
            std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
        result += keeps ? c : '_';
    }
    return result;
}

}  // namespace

std::string reference_file(const fs::path& folder, int number, const char* kind,
                           const PortInfo& port) {
    return (folder /
            ("case" + std::to_string(number) + "_" + kind + "_" + plain(port.any_name()) + ".npy"))
        .string();
}

int expect_reference_outputs(CompiledModel& model, const fs::path& folder) {
    const CaseTolerance tolerance = tolerance_of_case(folder);
    int number = 0;
    for (; fs::exists(reference_file(folder, number, "out", model.outputs()[0])); ++number) {
        InferRequest request = model.create_infer_request();
        for (std::size_t i = 0; i < model.inputs().size(); ++i) {
            request.set_input_tensor(
                i, read_npy(reference_file(folder, number, "in", model.inputs()[i])));
        }
        request.infer();
        for (std::size_t i = 0; i < model.outputs().size(); ++i) {
            SCOPED_TRACE("case " + std::to_string(number) + ", output " +
                         model.outputs()[i].any_name());
            expect_near(request.get_output_tensor(i),
                        read_npy(reference_file(folder, number, "out", model.outputs()[i])),
                        tolerance.absolute, tolerance.relative);
        }
    }
    return number;
}

}  // namespace rondo::test
