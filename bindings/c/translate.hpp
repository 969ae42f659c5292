// The one place where exceptions become status codes, and the checks that every call makes.
#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <utility>

#include "rondo/c/status.h"

namespace rondo::c {

/// A call that breaks the C API's own rules: becomes RONDO_INVALID_ARGUMENT.
class InvalidArgument : public std::exception {
public:
    explicit InvalidArgument(std::string what) : what_(std::move(what)) {}
    const char* what() const noexcept override { return what_.c_str(); }

private:
    std::string what_;
};

/// Calls `use` with the code and the message of an exception, while the message is alive.
using UseMessage = void (*)(rondo_status_t status, const char* message, void* context);
void describe(const std::exception_ptr& error, UseMessage use, void* context) noexcept;

/// Keeps the current exception's message for rondo_last_error_message() and returns its code.
rondo_status_t keep_current_exception(const char* function) noexcept;

/// Runs the body of a C function and turns every exception into a status.
template <typename Body>
rondo_status_t translate(Body&& body, const char* function = __builtin_FUNCTION()) noexcept {
    try {
        body();
        return RONDO_OK;
    } catch (...) {
        return keep_current_exception(function);
    }
}

/// What a pointer points to. Throws InvalidArgument for NULL, with the parameter's name.
template <typename T>
T& required(T* pointer, const char* name) {
    if (pointer == nullptr) throw InvalidArgument("'" + std::string(name) + "' is NULL");
    return *pointer;
}

/// A text parameter. Throws InvalidArgument for NULL.
inline std::string text(const char* pointer, const char* name) { return &required(pointer, name); }

/// The elements of an array parameter. Throws InvalidArgument for NULL, unless there are none.
template <typename T>
std::span<const T> elements(const T* first, std::size_t count, const char* name) {
    return {count == 0 ? first : &required(first, name), count};
}

/// Checks a struct of options that begins with its size. Callers may be older than the library:
/// fields that are appended later may be read only if struct_size covers them, and today's size
/// stays valid. `init` is the macro that callers begin with.
template <typename Options>
void check_size(const Options& options, const char* init) {
    if (options.struct_size >= sizeof(Options)) return;
    throw InvalidArgument(std::string("'options' has no struct_size; begin with ") + init);
}

/// The result's variable, set to T{} first, so that a failing call leaves no stale value.
template <typename T>
T& cleared(T* result, const char* name) {
    return required(result, name) = T{};
}

/// Runs the body of a C function with one result, which is set to T{} before anything can fail.
template <typename T, typename Make>
rondo_status_t produce(T* result, const char* name, Make&& make,
                       const char* function = __builtin_FUNCTION()) noexcept {
    return translate(
        [&] {
            T& place = cleared(result, name);
            place = make();
        },
        function);
}

/// A copy for the caller to free with rondo_string_free().
char* copy_text(const std::string& text);

}  // namespace rondo::c
