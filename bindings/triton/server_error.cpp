#include "bindings/triton/server_error.hpp"

#include <new>

#include "rondo/error.hpp"

namespace rondo::triton {

void check(TRITONSERVER_Error* error) {
    if (error == nullptr) return;
    const ServerError thrown(TRITONSERVER_ErrorCode(error), TRITONSERVER_ErrorMessage(error));
    TRITONSERVER_ErrorDelete(error);
    throw thrown;
}

void ignore(TRITONSERVER_Error* error) noexcept {
    if (error != nullptr) TRITONSERVER_ErrorDelete(error);
}

TRITONSERVER_Error* current_error() noexcept {
    const auto made = [](TRITONSERVER_Error_Code code, const std::exception& error) {
        return TRITONSERVER_ErrorNew(code, error.what());
    };
    try {
        throw;
    } catch (const ServerError& error) {
        return made(error.code(), error);
    } catch (const ModelError& error) {
        return made(TRITONSERVER_ERROR_INVALID_ARG, error);
    } catch (const UnsupportedError& error) {
        return made(TRITONSERVER_ERROR_UNSUPPORTED, error);
    } catch (const CancelledError& error) {
        return made(TRITONSERVER_ERROR_CANCELLED, error);
    } catch (const QueueFullError& error) {
        return made(TRITONSERVER_ERROR_UNAVAILABLE, error);
    } catch (const OutOfMemoryError& error) {
        return made(TRITONSERVER_ERROR_UNAVAILABLE, error);
    } catch (const std::bad_alloc&) {
        return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_UNAVAILABLE, "there is no memory left");
    } catch (const std::exception& error) {
        return made(TRITONSERVER_ERROR_INTERNAL, error);
    } catch (...) {
        return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_INTERNAL, "an unknown exception");
    }
}

void log_line(TRITONSERVER_LogLevel level, const std::string& message) noexcept {
    ignore(TRITONSERVER_LogMessage(level, __FILE__, __LINE__, message.c_str()));
}

}  // namespace rondo::triton
