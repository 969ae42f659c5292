// Checks that a call throws one kind of error with a given text.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <string>
#include <string_view>
#include <typeinfo>

#include "tests/support/source_location.hpp"

namespace rondo::test {

/// Fails at the caller's line unless `callable` throws exactly a Kind (not a subclass) whose
/// one-line message contains `substring`.
template <typename Kind, typename Callable>
void expect_error(Callable&& callable, std::string_view substring,
                  SourceLocation where = SourceLocation::current()) {
    const int line = static_cast<int>(where.line());
    try {
        callable();
    } catch (const std::exception& error) {
        const std::string message = error.what();
        if (typeid(error) != typeid(Kind)) {
            ADD_FAILURE_AT(where.file_name(), line)
                << "threw a " << typeid(error).name() << ", not a " << typeid(Kind).name() << ": "
                << message;
        } else if (message.find(substring) == std::string::npos) {
            ADD_FAILURE_AT(where.file_name(), line)
                << "the message\n  " << message << "\ndoes not contain\n  " << substring;
        } else if (message.find('\n') != std::string::npos) {
            ADD_FAILURE_AT(where.file_name(), line) << "more than one line: " << message;
        }
        return;
    }
    ADD_FAILURE_AT(where.file_name(), line) << "threw nothing; expected \"" << substring << "\"";
}

}  // namespace rondo::test
