// An environment variable within a scope.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "core/support/process.hpp"

namespace rondo::test {

/// Sets the variable until its destruction; to empty text, which Rondo takes for unset. Not for
/// tests that start threads.
class EnvScope {
public:
    EnvScope(std::string name, const std::string& value)
        : name_(std::move(name)), saved_(env(name_.c_str())) {
        ::setenv(name_.c_str(), value.c_str(), 1);
    }
    ~EnvScope() {
        if (saved_) {
            ::setenv(name_.c_str(), saved_->c_str(), 1);
        } else {
            ::unsetenv(name_.c_str());
        }
    }
    EnvScope(const EnvScope&) = delete;
    EnvScope& operator=(const EnvScope&) = delete;

private:
    std::string name_;
    std::optional<std::string> saved_;
};

}  // namespace rondo::test
