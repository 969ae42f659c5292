// Errors in both directions: what the server's functions return becomes an exception, and what is
// thrown becomes an error of the server.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "bindings/triton/triton_api.hpp"

namespace rondo::triton {

/// An error with a code of the server's.
class ServerError : public std::runtime_error {
public:
    ServerError(TRITONSERVER_Error_Code code, const std::string& message)
        : std::runtime_error(message), code_(code) {}
    TRITONSERVER_Error_Code code() const { return code_; }

private:
    TRITONSERVER_Error_Code code_;
};

/// Throws ServerError unless `error` is null, and deletes it.
void check(TRITONSERVER_Error* error);

/// Deletes the error of a call whose failure changes nothing.
void ignore(TRITONSERVER_Error* error) noexcept;

/// The exception that is being handled, as an error of the server that the caller owns.
TRITONSERVER_Error* current_error() noexcept;

/// Calls `function`; what it throws is returned.
template <typename Function>
TRITONSERVER_Error* guarded(Function&& function) noexcept {
    try {
        std::forward<Function>(function)();
        return nullptr;
    } catch (...) {
        return current_error();
    }
}

/// Writes a line to the server's log.
void log_line(TRITONSERVER_LogLevel level, const std::string& message) noexcept;

}  // namespace rondo::triton
