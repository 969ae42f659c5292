// The floating-point modes that a program starts with.
#pragma once

#include <cfenv>

namespace rondo {

/// While it lives, the calling thread rounds to nearest, keeps denormals and traps nothing, so that
/// constants that are computed don't depend on the caller's modes. Restores those.
class DefaultFloatModes {
public:
    DefaultFloatModes() {
        std::fegetenv(&saved_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~DefaultFloatModes() { std::fesetenv(&saved_); }
    DefaultFloatModes(const DefaultFloatModes&) = delete;
    DefaultFloatModes& operator=(const DefaultFloatModes&) = delete;

private:
    std::fenv_t saved_;
};

}  // namespace rondo
