#include "core/graph/constant_memory.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "rondo/error.hpp"
#include "rondo/properties.hpp"

namespace rondo {
namespace {

constexpr std::size_t kAlwaysAllowed = std::size_t{64} << 20;
// Two bits may be stored for a float.
constexpr std::size_t kMostGrowth = 16;
constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();

}  // namespace

void ConstantMemory::add_file(std::size_t bytes) { files_ += std::min(bytes, kMost - files_); }

std::size_t ConstantMemory::most() const {
    if (limits_.constant_bytes > 0) return limits_.constant_bytes;
    return files_ < (kMost - kAlwaysAllowed) / kMostGrowth ? kAlwaysAllowed + kMostGrowth * files_
                                                           : kMost;
}

void ConstantMemory::check(std::size_t bytes) const {
    if (limits_.tensor_bytes > 0 && bytes > limits_.tensor_bytes) {
        throw ModelError("the constant has " + std::to_string(bytes) + " bytes; " +
                         limit_text(limits_.tensor_bytes, property::kMaxTensorBytes));
    }
    if (taken_ <= most() && bytes <= most() - taken_) return;
    throw ModelError("the constant has " + std::to_string(bytes) + " bytes, those before it have " +
                     std::to_string(taken_) + "; together " +
                     limit_text(most(), property::kMaxConstantBytes));
}

void ConstantMemory::take(std::size_t bytes) {
    check(bytes);
    taken_ += bytes;
}

}  // namespace rondo
