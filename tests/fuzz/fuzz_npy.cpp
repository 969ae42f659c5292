// Fuzz target: any bytes as an .npy file or an .npz archive of them; what can be read is written
// and read again.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/support/errors.hpp"
#include "rondo/error.hpp"
#include "tests/unit/core/ir/ir_files.hpp"
#include "tools/rondo/inputs/npy.hpp"

namespace rondo::test {
namespace {

void check_round_trip(const Tensor& tensor, const std::string& path) {
    tool::write_npy(path, tensor);
    const Tensor again = tool::read_npy(path);
    internal_check(again.element_type() == tensor.element_type() &&
                       again.shape() == tensor.shape() &&
                       (tensor.size() == 0 ||
                        std::memcmp(again.data(), tensor.data(), tensor.byte_size()) == 0),
                   "a round trip has changed " + to_string(tensor.shape()));
}

void read_any(const std::string& bytes) {
    static const TemporaryFolder folder;
    const std::string path = folder / "x";
    try {
        if (bytes.starts_with("PK")) {
            write_bytes(path, bytes);
            for (const auto& [name, tensor] : tool::read_npz(path)) check_round_trip(tensor, path);
        } else {
            check_round_trip(tool::parse_npy(path, bytes), path);
        }
    } catch (const ModelError&) {
    }
}

}  // namespace
}  // namespace rondo::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    rondo::test::read_any({reinterpret_cast<const char*>(data), size});
    return 0;
}
