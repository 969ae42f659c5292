// How long the soak tests last.
#pragma once

#include <gtest/gtest.h>

#include <chrono>

#include "core/support/process.hpp"
#include "core/support/strings.hpp"

namespace rondo::test {

/// RONDO_SOAK_SECONDS, or `seconds` where it isn't set.
inline std::chrono::seconds soak_time(long long seconds) {
    const auto text = env("RONDO_SOAK_SECONDS");
    if (text && !parse_int(*text, seconds)) ADD_FAILURE() << "no number: " << *text;
    return std::chrono::seconds(seconds);
}

}  // namespace rondo::test
