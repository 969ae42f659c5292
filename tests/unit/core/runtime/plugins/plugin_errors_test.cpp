// The errors that a plugin throws across the border of its library.
#include "core/runtime/plugins/plugin_library.hpp"

#include <gtest/gtest.h>

#include <new>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::test::plugin_errors_test {
namespace {

template <typename Kind>
void expect_kept() {
    expect_error<Kind>([] { at_plugin("device X", [] { throw Kind("why"); }); }, "device X: why");
}

TEST(PluginErrors, KindsOfErrorsStay) {
    expect_kept<Error>();
    expect_kept<ModelError>();
    expect_kept<UnsupportedError>();
    expect_kept<InternalError>();
    expect_kept<OutOfMemoryError>();
    expect_kept<QueueFullError>();
    expect_kept<CancelledError>();
}

// As a plugin may derive one.
class OwnError : public ModelError {
public:
    using ModelError::ModelError;
};

TEST(PluginErrors, OthersBecomeErrors) {
    expect_error<ModelError>([] { at_plugin("x.so", [] { throw OwnError("why"); }); }, "x.so: why");
    expect_error<OutOfMemoryError>([] { at_plugin("x.so", [] { throw std::bad_alloc(); }); },
                                   "x.so: out of memory");
    expect_error<Error>([] { at_plugin("x.so", [] { throw std::logic_error("why"); }); },
                        "x.so: why");
    expect_error<Error>([] { at_plugin("x.so", [] { throw "why"; }); },
                        "x.so: threw what is neither an Error nor a std::exception");
}

TEST(PluginErrors, ResultsPass) {
    EXPECT_EQ(at_plugin("x.so", [] { return 3; }), 3);
}

}  // namespace
}  // namespace rondo::test::plugin_errors_test
