// What libFuzzer and the seeded loop call to change an input of a target that takes models.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/joined_files.hpp"
#include "tests/fuzz/joined_ir.hpp"
#include "tests/fuzz/mutate.hpp"
#include "tests/fuzz/mutate_ir.hpp"
#include "tests/fuzz/mutate_onnx.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace rondo::test {
namespace {

std::string mutated_model(const std::string& bytes, Rng& rng) {
    if (is_ir(bytes)) return mutated_ir(bytes, rng);
    if (!has_files(bytes)) return mutated_onnx(bytes, rng);
    const JoinedFiles files = split_files(bytes);
    const std::string model = mutated_onnx(std::string(files.model), rng);
    if (model.empty()) return {};
    const bool is_cut = below(rng, 8) == 0;
    return join_files(
        model, files.data.substr(0, is_cut ? below(rng, files.data.size()) : files.data.size()));
}

}  // namespace
}  // namespace rondo::test

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
    using namespace rondo::test;
    Rng rng(seed);
    if (below(rng, 16) != 0) {
        const std::string bytes = mutated_model({reinterpret_cast<const char*>(data), size}, rng);
        if (!bytes.empty() && bytes.size() <= max_size) {
            std::copy(bytes.begin(), bytes.end(), data);
            return bytes.size();
        }
    }
    return LLVMFuzzerMutate(data, size, max_size);
}
