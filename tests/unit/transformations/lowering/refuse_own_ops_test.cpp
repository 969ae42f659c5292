#include "transformations/lowering/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/transformations/lowering/layers.hpp"

namespace rondo::passes::refuse_own_ops_test {
namespace {

using namespace test;  // NOLINT: tests only

TEST(RefuseOwnOps, NamesAllNodesThatOpenvinoLacks) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,2]");
    b.output("one", b.make<ops::Det>("first", x));
    b.output("two", b.make<ops::Det>("second", x));
    b.output("three", b.make<ops::Convert>("third", x, ElementType::i2));
    b.output("four", b.make<ops::Convert>("fourth", x, ElementType::f8e4m3,
                                          NarrowRounding{.saturates = false}));
    expect_error<UnsupportedError>([&] { refuse_own_ops(*b.graph()); }, "'first' (Det)");
    expect_error<UnsupportedError>([&] { refuse_own_ops(*b.graph()); }, "'second' (Det)");
    expect_error<UnsupportedError>([&] { refuse_own_ops(*b.graph()); }, "'third' (i2)");
    expect_error<UnsupportedError>([&] { refuse_own_ops(*b.graph()); },
                                   "'fourth' (Convert that rounds in another way)");
}

TEST(RefuseOwnOps, NamesInputsThatComeWithTheRun) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,2]"), axes = b.input("axes", "[1]", ElementType::i64);
    const Output one = b.ints({1});
    b.output("y", b.make<ops::Slice>("cut", x, one, one, one, axes));
    expect_error<UnsupportedError>([&] { refuse_own_ops(*b.graph()); },
                                   "'cut' (Slice whose axes comes with the run)");
    GraphBuilder known;
    known.output("y", known.make<ops::Slice>("cut", known.input("x", "[2,2]"),
                                             known.input("start", "[1]", ElementType::i64),
                                             known.ints({1}), known.ints({1}), known.ints({0})));
    EXPECT_NO_THROW(refuse_own_ops(*known.graph()));
}

TEST(RefuseOwnOps, TakesStandardOps) {
    EXPECT_NO_THROW(refuse_own_ops(*layer_graph({})));
    EXPECT_THROW(refuse_own_ops(*layer_graph({.has_peepholes = true})), UnsupportedError);
}

}  // namespace
}  // namespace rondo::passes::refuse_own_ops_test
