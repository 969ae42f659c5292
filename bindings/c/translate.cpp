#include "bindings/c/translate.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include "rondo/error.hpp"

namespace rondo::c {
namespace {

thread_local std::string last_message;
thread_local const char* last_shown = "";

void keep(const char* function, const char* message) noexcept {
    try {
        last_message = function;
        if (!last_message.empty()) last_message += ": ";
        last_message += message;
        last_shown = last_message.c_str();
    } catch (...) {
        last_shown = "out of memory while an error was reported";
    }
}

// Calls use(status, message, invalid call) inside the handler, where the message is alive.
template <typename Use>
void sort_out(const std::exception_ptr& error, Use&& use) noexcept {
    try {
        std::rethrow_exception(error);
    } catch (const InvalidArgument& e) {
        use(RONDO_INVALID_ARGUMENT, e.what());
    } catch (const UnsupportedError& e) {
        use(RONDO_UNSUPPORTED, e.what());
    } catch (const InternalError& e) {
        use(RONDO_INTERNAL_ERROR, e.what());
    } catch (const CancelledError& e) {
        use(RONDO_CANCELLED, e.what());
    } catch (const OutOfMemoryError& e) {
        use(RONDO_OUT_OF_MEMORY, e.what());
    } catch (const QueueFullError& e) {
        use(RONDO_QUEUE_FULL, e.what());
    } catch (const Error& e) {
        use(RONDO_MODEL_ERROR, e.what());
    } catch (const std::bad_alloc&) {
        use(RONDO_OUT_OF_MEMORY, "out of memory");
    } catch (const std::length_error&) {
        use(RONDO_OUT_OF_MEMORY, "out of memory: more was asked for than fits the address space");
    } catch (const std::exception& e) {
        use(RONDO_INTERNAL_ERROR, e.what());
    } catch (...) {
        use(RONDO_INTERNAL_ERROR, "an exception of an unknown type");
    }
}

}  // namespace

void describe(const std::exception_ptr& error, UseMessage use, void* context) noexcept {
    if (error == nullptr) return use(RONDO_OK, "", context);
    sort_out(error,
             [&](rondo_status_t status, const char* message) { use(status, message, context); });
}

rondo_status_t keep_current_exception(const char* function) noexcept {
    rondo_status_t result = RONDO_INTERNAL_ERROR;
    sort_out(std::current_exception(), [&](rondo_status_t status, const char* message) {
        // Rondo's own messages name the place; the function's name shows which call was wrong.
        keep(status == RONDO_INVALID_ARGUMENT ? function : "", message);
        result = status;
    });
    return result;
}

char* copy_text(const std::string& text) {
    auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
    if (copy == nullptr) throw std::bad_alloc();
    std::memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
}

}  // namespace rondo::c

const char* rondo_last_error_message(void) { return rondo::c::last_shown; }
