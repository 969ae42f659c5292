// Python's log callback.
#include <string>
#include <utility>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/support/gil.hpp"
#include "rondo/error.hpp"
#include "rondo/log.hpp"

namespace rondo::python {
namespace {

const char* name_of(LogLevel level) {
    switch (level) {
        case LogLevel::warning: return "warning";
        case LogLevel::info: return "info";
        default: return "debug";
    }
}

// Python reports what the callback raises; Rondo goes on.
void call(const SharedObject& callback, LogLevel level, const std::string& message) {
    if (!ExitGate::instance().enter()) return;
    {
        const WithGil locked;
        try {
            object_of(callback)(name_of(level), py::str(message));
        } catch (py::error_already_set& error) {
            error.discard_as_unraisable("rondo's log callback");
        }
    }
    ExitGate::instance().leave();
}

void set_callback(const py::object& callback) {
    if (callback.is_none()) return set_log_callback({});
    check_callable(callback, "set_log_callback", "level and message, or None");
    set_log_callback([shared = share(callback)](LogLevel level, const std::string& message) {
        call(shared, level, message);
    });
}

}  // namespace

void bind_log(py::module_& module) {
    module.def("set_log_callback", &set_callback, py::arg("callback"),
               "Sends log messages of the whole process to callback(level, message) instead of the "
               "standard error stream; None brings that back. level: \"warning\", \"info\" or "
               "\"debug\"; the property LOG_LEVEL says which there are. Any thread calls it; what "
               "it raises is reported as unraisable.");
}

}  // namespace rondo::python
