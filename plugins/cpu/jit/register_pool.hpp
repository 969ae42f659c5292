// Allocates registers by role and counts their users.
#pragma once

#include <string>
#include <vector>

namespace rondo::cpu::jit {

/// A fixed set of register numbers of one kind. A register is free again when its count is 0.
class RegisterPool {
public:
    /// `kind` is for messages: "vector", "general".
    RegisterPool(std::string kind, std::vector<int> registers);

    /// The lowest free register, now used once. Throws InternalError naming `role` and the roles in
    /// use if none is free.
    int take(const char* role);
    void retain(int index) { ++slots_[position(index)].uses; }
    void release(int index) { --slots_[position(index)].uses; }
    int uses(int index) const { return slots_[position(index)].uses; }
    int free_count() const;

private:
    struct Slot {
        int index;
        int uses;
        const char* role;
    };
    std::size_t position(int index) const;

    std::string kind_;
    std::vector<Slot> slots_;
};

/// Holds a register while it lives; copies share it.
class Lease {
public:
    Lease() = default;
    Lease(RegisterPool& pool, const char* role) : pool_(&pool), index_(pool.take(role)) {}
    Lease(const Lease& other) : pool_(other.pool_), index_(other.index_) {
        if (pool_ != nullptr) pool_->retain(index_);
    }
    Lease(Lease&& other) noexcept : pool_(other.pool_), index_(other.index_) {
        other.pool_ = nullptr;
    }
    Lease& operator=(Lease other) noexcept {
        std::swap(pool_, other.pool_);
        std::swap(index_, other.index_);
        return *this;
    }
    ~Lease() {
        if (pool_ != nullptr) pool_->release(index_);
    }

    bool holds() const { return pool_ != nullptr; }
    int index() const { return index_; }
    /// Whether this is the only user, so that the register may be overwritten.
    bool alone() const { return pool_ != nullptr && pool_->uses(index_) == 1; }

private:
    RegisterPool* pool_ = nullptr;
    int index_ = -1;
};

}  // namespace rondo::cpu::jit
