#include "bindings/c/translate.hpp"

#include <new>
#include <stdexcept>
#include <thread>

#include "rondo/error.hpp"
#include "tests/unit/bindings/c/c_api.hpp"

namespace rondo::test::translate_test {
namespace {

using c::translate;

template <typename E>
void expect_becomes(const E& error, rondo_status_t status, const std::string& message) {
    expect_status(translate([&] { throw error; }), status, message);
}

TEST(CTranslate, GivesEachKindItsCode) {
    EXPECT_EQ(translate([] {}), RONDO_OK);
    expect_becomes(ModelError("no such file"), RONDO_MODEL_ERROR, "no such file");
    expect_becomes(UnsupportedError("op Foo"), RONDO_UNSUPPORTED, "op Foo");
    expect_becomes(InternalError("file.cpp:1"), RONDO_INTERNAL_ERROR, "file.cpp:1");
    expect_becomes(CancelledError("cancelled"), RONDO_CANCELLED, "cancelled");
    expect_becomes(QueueFullError("queue_limit is 3"), RONDO_QUEUE_FULL, "queue_limit is 3");
    expect_becomes(std::bad_alloc(), RONDO_OUT_OF_MEMORY, "out of memory");
    expect_becomes(std::length_error("vector"), RONDO_OUT_OF_MEMORY, "address space");
    expect_becomes(std::runtime_error("odd"), RONDO_INTERNAL_ERROR, "odd");
    expect_becomes(42, RONDO_INTERNAL_ERROR, "an exception of an unknown type");
}

rondo_status_t takes_a_pointer(const int* value) {
    return translate([&] { c::required(value, "value"); });
}

TEST(CTranslate, NamesFunctionAndParameterOfAWrongCall) {
    expect_status(takes_a_pointer(nullptr), RONDO_INVALID_ARGUMENT,
                  "takes_a_pointer: 'value' is NULL");
}

TEST(CTranslate, KeepsAMessageForEachThread) {
    translate([] { throw ModelError("mine"); });
    std::thread([] {
        EXPECT_STREQ(rondo_last_error_message(), "");
        translate([] { throw ModelError("the other thread's"); });
        EXPECT_STREQ(rondo_last_error_message(), "the other thread's");
    }).join();
    EXPECT_STREQ(rondo_last_error_message(), "mine");
    translate([] {});
    EXPECT_STREQ(rondo_last_error_message(), "mine");
}

TEST(CTranslate, EmptiesResultsFirst) {
    int value = 7;
    c::cleared(&value, "value");
    EXPECT_EQ(value, 0);
}

TEST(CStatus, NamesUnknownNumbers) {
    EXPECT_STREQ(rondo_status_name(static_cast<rondo_status_t>(99)), "unknown status");
    EXPECT_STREQ(rondo_status_name(RONDO_OUT_OF_MEMORY), "RONDO_OUT_OF_MEMORY");
}

}  // namespace
}  // namespace rondo::test::translate_test
