// A variable of the environment that has another value while a test runs.
#pragma once

#include <stdlib.h>  // setenv

#include <optional>
#include <string>
#include <utility>

namespace rondo::test {

/// Gives the variable back what it had. Rondo takes empty text for unset. No other thread may read
/// the environment meanwhile.
class EnvironmentVariable {
public:
    EnvironmentVariable(std::string name, const std::string& value) : name_(std::move(name)) {
        if (const char* before = ::getenv(name_.c_str())) before_ = before;
        ::setenv(name_.c_str(), value.c_str(), 1);
    }
    EnvironmentVariable(const EnvironmentVariable&) = delete;
    EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;
    ~EnvironmentVariable() {
        if (before_) {
            ::setenv(name_.c_str(), before_->c_str(), 1);
        } else {
            ::unsetenv(name_.c_str());
        }
    }

private:
    std::string name_;
    std::optional<std::string> before_;
};

}  // namespace rondo::test
