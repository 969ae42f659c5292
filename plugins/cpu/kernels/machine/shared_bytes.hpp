// What equal users share: packed weights, kernels, teams.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

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

/// Bytes that don't change any more, in the memory of equal ones that live already, of this model
/// or another: a weight that many nodes read is packed by each of them. Thread-safe.
class SharedBytes {
public:
    SharedBytes() = default;  ///< none
    /// Throws std::bad_alloc.
    explicit SharedBytes(AlignedBytes bytes);

    const std::byte* data() const { return bytes_ == nullptr ? nullptr : bytes_->data(); }
    std::size_t size() const { return bytes_ == nullptr ? 0 : bytes_->size(); }

private:
    std::shared_ptr<const AlignedBytes> bytes_;
};

}  // namespace rondo::cpu
