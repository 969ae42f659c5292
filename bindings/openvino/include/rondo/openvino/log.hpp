// OpenVINO's names for the callback of log messages, for rondo/openvino.hpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "rondo/log.hpp"

namespace rondo::ov::util {

/// Messages go to `callback`, of which a copy is kept; an empty one drops them. The property
/// ov::log::level says which there are.
inline void set_log_callback(const std::function<void(std::string_view)>& callback) {
    rondo::set_log_callback([callback](LogLevel, const std::string& message) {
        if (callback) callback(message);
    });
}

/// Messages go to the standard error stream again.
inline void reset_log_callback() { rondo::set_log_callback({}); }

}  // namespace rondo::ov::util
