// What equal users share: packed weights, kernels, teams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/support/digest.hpp"
#include "core/support/function_ref.hpp"
#include "core/support/mapped_file.hpp"
#include "core/support/process.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"

namespace rondo::cpu {

/// Objects that are alive, by what they were made for. Keeps none of them alive. Thread-safe.
template <typename Key, typename T>
class AliveCache {
public:
    /// The object of that key, or what make() returns: a pointer of its only owner. Called under
    /// the lock.
    template <typename Make>
    std::shared_ptr<T> find_or_make(const Key& key, Make make) {
        const std::lock_guard lock(mutex_);
        std::erase_if(entries_, [](const auto& entry) { return entry.second.expired(); });
        for (const auto& [known, object] : entries_) {
            if (!(known == key)) continue;
            if (auto alive = object.lock()) return alive;
        }
        std::shared_ptr<T> made = make();
        entries_.emplace_back(key, made);
        return made;
    }

private:
    ForkMutex mutex_;
    std::vector<std::pair<Key, std::weak_ptr<T>>> entries_;
};

/// Keeps packed bytes for other processes. Thread-safe.
class PackedStore {
public:
    virtual ~PackedStore() = default;
    /// The bytes, on a cache line, that were kept under `source`; empty if there are none of that
    /// size. Throws nothing.
    virtual MappedFile find(const Digest& source, std::size_t size) = 0;
    /// Keeps them and returns them as find() will; empty if they can't be kept. Throws nothing.
    virtual MappedFile keep(const Digest& source, std::span<const std::byte> bytes) = 0;
};

/// While it lives, what this thread packs is kept in `store`, which may be null.
class UsePackedStore {
public:
    explicit UsePackedStore(PackedStore* store);
    ~UsePackedStore();
    UsePackedStore(const UsePackedStore&) = delete;
    UsePackedStore& operator=(const UsePackedStore&) = delete;

private:
    PackedStore* before_;
};

/// `count` numbers of `each` bytes, or null, as a part of what packed bytes depend on.
void add_numbers(const void* numbers, std::int64_t count, std::int64_t each, Digester& source);

/// Bytes that don't change any more, in the memory of equal ones that live already, of this model
/// or another: a weight that many nodes read is packed by each of them. Thread-safe.
class SharedBytes {
public:
    /// Writes all of the bytes, which are zeros, and describes all that they depend on.
    using Fill = FunctionRef<void(std::byte* bytes)>;
    using Describe = FunctionRef<void(Digester& source)>;

    SharedBytes() = default;  ///< none
    /// What fill() writes, or a PackedStore has for what describe() says. Throws std::bad_alloc.
    SharedBytes(std::size_t size, Fill fill, Describe describe);

    const std::byte* data() const { return data_; }
    std::size_t size() const { return size_; }

private:
    explicit SharedBytes(AlignedBytes bytes);

    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::shared_ptr<const void> owner_;
};

}  // namespace rondo::cpu
