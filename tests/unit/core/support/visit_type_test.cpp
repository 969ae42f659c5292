#include "core/support/visit_type.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::visit_type_test {
namespace {

std::vector<ElementType> all_types() {
    std::vector<ElementType> types;
    for (int i = 1; i <= static_cast<int>(ElementType::u8); ++i) {
        types.push_back(static_cast<ElementType>(i));
    }
    return types;
}

ElementType type_of(auto tag) { return element_type_of<tag_type<decltype(tag)>>(); }

TEST(VisitType, NamesTheTypeOfEachElementType) {
    for (const ElementType type : all_types()) {
        EXPECT_EQ(visit_type(type, [](auto tag) { return type_of(tag); }), type);
        EXPECT_EQ(visit_type(type, [](auto tag) { return sizeof(tag_type<decltype(tag)>); }),
                  size_of(type));
    }
}

TEST(VisitType, TheNarrowerVisitsTakeTheirTypesOnly) {
    for (const ElementType type : all_types()) {
        const auto integer = [&] {
            return visit_integer(type, [](auto tag) { return type_of(tag); });
        };
        const auto floating = [&] {
            return visit_floating(type, [](auto tag) { return type_of(tag); });
        };
        if (is_integral(type)) {
            EXPECT_EQ(integer(), type);
        } else {
            test::expect_error<InternalError>(integer, "are read as integers");
        }
        if (is_floating(type)) {
            EXPECT_EQ(floating(), type);
        } else {
            test::expect_error<InternalError>(floating, "are read as floating");
        }
    }
}

TEST(VisitType, RefusesAnOpenType) {
    test::expect_error<InternalError>(
        [] { visit_type(ElementType::dynamic, [](auto tag) { return type_of(tag); }); },
        "an element type is open");
}

}  // namespace
}  // namespace rondo::visit_type_test
