// Whose Python callbacks run on a thread: one that waits may run others inside.
#pragma once

namespace rondo::python {

/// Says, while it lives, that this thread runs a callback of `of`.
template <typename Of>
class CallingBack {
public:
    explicit CallingBack(const Of* of) : of_(of), outer_(innermost_) { innermost_ = this; }
    ~CallingBack() { innermost_ = outer_; }
    CallingBack(const CallingBack&) = delete;
    CallingBack& operator=(const CallingBack&) = delete;

    /// Whether this thread runs a callback of any.
    static bool any() { return innermost_ != nullptr; }
    /// Whether this thread runs a callback of `of`.
    static bool of(const Of* of) {
        const CallingBack* scope = innermost_;
        while (scope != nullptr && scope->of_ != of) scope = scope->outer_;
        return scope != nullptr;
    }

private:
    static inline thread_local const CallingBack* innermost_ = nullptr;

    const Of* const of_;
    const CallingBack* const outer_;
};

}  // namespace rondo::python
