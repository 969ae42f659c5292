#include "plugins/cpu/kernels/machine/shared_bytes.hpp"

#include <cstdint>
#include <cstring>
#include <map>

#include "core/support/digest.hpp"

namespace rondo::cpu {
namespace {

using Bytes = std::shared_ptr<const AlignedBytes>;

// Smaller ones aren't worth a look.
constexpr std::size_t kWorthSharing = 4096;

bool equal(const AlignedBytes& a, const AlignedBytes& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

// Those that are alive, by a hash of what they hold.
class Alive {
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
        bytes_.emplace(hash, bytes);
    }

    /// Forgets those with this hash that are gone.
    void clean(std::uint64_t hash) {
        const std::lock_guard lock(mutex_);
        const auto [first, last] = bytes_.equal_range(hash);
        for (auto at = first; at != last;) at = at->second.expired() ? bytes_.erase(at) : ++at;
    }

private:
    ForkMutex mutex_;
    std::multimap<std::uint64_t, std::weak_ptr<const AlignedBytes>> bytes_;
};

// The last owner, which may outlive what is static here, takes it off the list.
struct Remove {
    std::shared_ptr<Alive> alive;
    std::uint64_t hash;

    void operator()(const AlignedBytes* bytes) const {
        delete bytes;
        alive->clean(hash);
    }
};

Bytes shared(AlignedBytes bytes) {
    if (bytes.size() < kWorthSharing) return std::make_shared<const AlignedBytes>(std::move(bytes));
    static const auto alive = std::make_shared<Alive>();
    Digester digester;
    digester.add(bytes.data(), bytes.size());
    const std::uint64_t hash = digester.digest().first;
    for (const Bytes& other : alive->with(hash)) {
        if (equal(*other, bytes)) return other;
    }
    auto owned = std::make_unique<const AlignedBytes>(std::move(bytes));
    const Bytes made(owned.release(), Remove{alive, hash});
    alive->add(hash, made);
    return made;
}

}  // namespace

namespace {

// What is packed on this thread is kept here.
thread_local PackedStore* store_in_use = nullptr;

// A file of its own isn't worth less.
constexpr std::size_t kWorthKeeping = std::size_t{1} << 20;

}  // namespace

UsePackedStore::UsePackedStore(PackedStore* store) : before_(std::exchange(store_in_use, store)) {}

UsePackedStore::~UsePackedStore() { store_in_use = before_; }

void add_numbers(const void* numbers, std::int64_t count, std::int64_t each, Digester& source) {
    const auto size = static_cast<std::size_t>(numbers == nullptr ? 0 : count * each);
    source.add_number(size);
    if (size > 0) source.add(numbers, size);
}

SharedBytes::SharedBytes(AlignedBytes bytes) : size_(bytes.size()) {
    const Bytes made = shared(std::move(bytes));
    data_ = made->data();
    owner_ = made;
}

SharedBytes::SharedBytes(std::size_t size, Fill fill, Describe describe) : size_(size) {
    PackedStore* const store = size < kWorthKeeping ? nullptr : store_in_use;
    MappedFile kept;
    Digest digest;
    if (store != nullptr) {
        Digester source;
        describe(source);
        digest = source.digest();
        kept = store->find(digest, size);
    }
    if (kept.data == nullptr) {
        AlignedBytes bytes(size);
        fill(bytes.data());
        if (store != nullptr) kept = store->keep(digest, {bytes.data(), size});
        if (kept.data == nullptr) {
            *this = SharedBytes(std::move(bytes));
            return;
        }
    }
    data_ = kept.data;
    owner_ = kept.owner;
}

}  // namespace rondo::cpu
