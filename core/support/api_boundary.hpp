// Turns the exceptions that leave a call of the public interface into rondo::Error.
#pragma once

#include <exception>

namespace rondo {

/// Throws the exception that is being handled: a lack of memory as OutOfMemoryError, another
/// refusal by the system as Error, the standard library's report of a bug as InternalError, and all
/// others as they are, so that what a user's callback throws keeps its type.
[[noreturn]] void rethrow_as_error();

/// Runs `action`; an exception leaves as rethrow_as_error() says.
template <typename Action>
auto at_api_boundary(const Action& action) -> decltype(action()) {
    try {
        return action();
    } catch (...) {
        rethrow_as_error();
    }
}

/// What `action` throws, as rethrow_as_error() says; null if it throws nothing.
template <typename Action>
std::exception_ptr problem_of(const Action& action) noexcept {
    try {
        at_api_boundary(action);
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

}  // namespace rondo
