// The place of a call: std::source_location, which clang 14 lacks.
#pragma once

namespace rondo::test {

/// The default argument `SourceLocation where = SourceLocation::current()` is the caller's place.
class SourceLocation {
public:
    static constexpr SourceLocation current(const char* file = __builtin_FILE(),
                                            int line = __builtin_LINE()) {
        return {file, line};
    }
    constexpr const char* file_name() const { return file_; }
    constexpr int line() const { return line_; }

private:
    constexpr SourceLocation(const char* file, int line) : file_(file), line_(line) {}
    const char* file_;
    int line_;
};

}  // namespace rondo::test
