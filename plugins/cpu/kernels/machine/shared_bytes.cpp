#include "plugins/cpu/kernels/machine/shared_bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/support/digest.hpp"
#include "core/support/fork_mutex.hpp"

namespace rondo::cpu {
namespace {

using Bytes = std::shared_ptr<const AlignedBytes>;

// Smaller ones aren't worth a look.
constexpr std::size_t kWorthSharing = 4096;

bool equal(const AlignedBytes& a, const AlignedBytes& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

// Those that are alive, and some that aren't any more.
class Known {
public:
    std::vector<Bytes> with(std::uint64_t hash) {
        const std::lock_guard lock(mutex_);
        std::vector<Bytes> found;
        const auto [first, last] = bytes_.equal_range(hash);
        for (auto at = first; at != last; ++at) {
            if (auto alive = at->second.lock()) found.push_back(std::move(alive));
        }
        return found;
    }

    void add(std::uint64_t hash, const Bytes& bytes) {
        const std::lock_guard lock(mutex_);
        if (bytes_.size() >= most_) {
            std::erase_if(bytes_, [](const auto& entry) { return entry.second.expired(); });
            most_ = std::max(kFew, 2 * bytes_.size());
        }
        bytes_.emplace(hash, bytes);
    }

private:
    static constexpr std::size_t kFew = 64;

    ForkMutex mutex_;
    std::unordered_multimap<std::uint64_t, std::weak_ptr<const AlignedBytes>> bytes_;
    std::size_t most_ = kFew;
};

Bytes shared(AlignedBytes bytes) {
    auto made = std::make_shared<const AlignedBytes>(std::move(bytes));
    if (made->size() < kWorthSharing) return made;
    static Known known;
    Digester digester;
    digester.add(made->data(), made->size());
    const std::uint64_t hash = digester.digest().first;
    for (const Bytes& other : known.with(hash)) {
        if (equal(*other, *made)) return other;
    }
    known.add(hash, made);
    return made;
}

}  // namespace

SharedBytes::SharedBytes(AlignedBytes bytes) : bytes_(shared(std::move(bytes))) {}

}  // namespace rondo::cpu
