// Tests a part of core/ir/xml_elements.hpp.
#include "core/ir/xml_elements.hpp"

#include "tests/support/expect_error.hpp"

#include "rondo/error.hpp"

namespace rondo::tensor_names_test {
namespace {

using ir::join_tensor_names;
using ir::split_tensor_names;
using Names = std::set<std::string>;

TEST(TensorNames, AreSortedAndEscaped) {
    EXPECT_EQ(join_tensor_names({"b,c", "a", "z\\q"}), "a,b\\,c,z\\q");
    EXPECT_EQ(join_tensor_names({}), "");
    EXPECT_EQ(join_tensor_names({"", "a"}), "a");
}

TEST(TensorNames, SurviveTheRoundTrip) {
    for (const Names& names : {Names{"a", "b"}, Names{","}, Names{",,", "x,y", " blank "},
                               Names{"a\\b", "ends in \\"}, Names{"x\\,y"}}) {
        EXPECT_EQ(split_tensor_names(join_tensor_names(names)), names);
    }
}

TEST(TensorNames, EmptyOnesAreDropped) {
    EXPECT_EQ(split_tensor_names(",a,,b,"), (Names{"a", "b"}));
    EXPECT_EQ(split_tensor_names(""), Names{});
}

TEST(TensorNames, RefusesWhatTheFormatCannotTellApart) {
    test::expect_error<ModelError>(
        [] {
            join_tensor_names({"a\\", "b"});
        },
        "'b' follows one that ends in a backslash");
}

}  // namespace
}  // namespace rondo::tensor_names_test
