// Model::batch_rows(): the axes of a batch, by name.
#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/runtime/transforms.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::test::batch_rows_test {
namespace {

Model tanh_model(std::string_view shape) {
    GraphBuilder b;
    b.output("y", b.make<ops::Unary>("t", ops::UnaryFunction::tanh, b.input("x", shape)));
    return Model(b.graph());
}

TEST(BatchRows, AreListedByName) {
    const BatchRows rows = tanh_model("[?,3]").batch_rows();
    EXPECT_EQ(rows.obstacle, "");
    EXPECT_TRUE(rows.is_open);
    ASSERT_EQ(rows.ports.size(), 2U);
    EXPECT_EQ(rows.ports[0].kind, "input");
    EXPECT_EQ(rows.ports[0].name, "x");
    EXPECT_EQ(rows.ports[1].axis, std::optional<std::size_t>(0));
}

TEST(BatchRows, OfAFixedBatchAreThoseThatItCanHave) {
    Model model = tanh_model("[1,3]");
    EXPECT_FALSE(model.batch_rows().is_open);
    EXPECT_NE(builtin_transforms().find_row_axes(*model.graph()).obstacle.find("is fixed"),
              std::string::npos);
    model.set_batch(Dimension());
    EXPECT_TRUE(model.batch_rows().is_open);
    EXPECT_EQ(to_string(model.output("y").shape), "[?,3]");
}

TEST(BatchRows, NameTheOpThatMixesRows) {
    GraphBuilder b;
    b.output("y", b.make<ops::Softmax>("soft", b.input("x", "[1,3]"), 0));
    Model model(b.graph());
    EXPECT_NE(model.batch_rows().obstacle.find("'soft'"), std::string::npos);
    EXPECT_TRUE(model.batch_rows().ports.empty());
    expect_error<UnsupportedError>([&] { model.set_batch(4); }, "node 'soft' (SoftMax)");
}

}  // namespace
}  // namespace rondo::test::batch_rows_test
