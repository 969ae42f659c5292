// Functions of rondo/c/log.h.
#include "rondo/c/log.h"

#include <string>

#include "bindings/c/translate.hpp"
#include "rondo/log.hpp"

using namespace rondo::c;

rondo_status_t rondo_set_log_callback(rondo_log_fn callback, void* user_data) {
    return translate([&] {
        if (callback == nullptr) return rondo::set_log_callback({});
        rondo::set_log_callback([=](rondo::LogLevel level, const std::string& message) {
            callback(static_cast<rondo_log_level_t>(level), message.c_str(), user_data);
        });
    });
}
