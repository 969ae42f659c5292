// Tests a part of core/ops/indexing/indexing_ops.hpp.
#include "core/ops/indexing/indexing_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::gather_nd_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::string shape_after(std::string_view data, std::string_view indices,
                        std::int64_t batch_dims = 0) {
    return inferred(*named<ops::GatherND>(parameter(data), unknown_ints(indices), batch_dims));
}

Tensor gathered(const Tensor& data, const Shape& shape, const Ints& indices,
                std::int64_t batch_dims = 0) {
    ops::GatherND op;
    op.set_name("n");
    read_attributes(op, {{"batch_dims", std::to_string(batch_dims)}});
    return evaluate_one(op, {data, tensor_of<std::int64_t>(shape, indices)});
}

TEST(GatherND, ReadsAndWritesItsAttributes) {
    ops::GatherND op;
    EXPECT_EQ(attributes_of(op), (Texts{{"batch_dims", "0"}}));
    read_attributes(op, {{"batch_dims", "2"}});
    EXPECT_EQ(op.batch_dims(), 2);
}

TEST(GatherND, PutsSlicesWhereTheirPlacesStand) {
    EXPECT_EQ(shape_after("2,3,4", "5,6,2"), "f32[5,6,4]");
    EXPECT_EQ(shape_after("2,3", "2"), "f32[]");
    EXPECT_EQ(shape_after("2,3,?", "1..7,1"), "f32[1..7,3,?]");
    EXPECT_EQ(shape_after("?,3,4", "2,5,1", 1), "f32[2,5,4]");
    EXPECT_EQ(shape_after("2,3", "2,1", 1), "f32[2]");
    EXPECT_EQ(shape_after("2,3", "5,?"), "f32[...]");
    EXPECT_EQ(shape_after("...", "5,2"), "f32[...]");
    EXPECT_EQ(shape_after("2,3", "..."), "f32[...]");
}

TEST(GatherND, RefusesWrongInputs) {
    const auto refused = [](std::string_view data, std::string_view indices, std::int64_t batch,
                            std::string_view message) {
        expect_error<ModelError>([&] { shape_after(data, indices, batch); }, message);
    };
    refused("2,3", "5,3", 0,
            "node 'n' (GatherND): indices have shape [5,3]; expected 1 to 2 places in their last "
            "axis, since data has shape [2,3]");
    refused("2,3", "5,0", 0, "expected 1 to 2 places in their last axis");
    refused("2,3", "2,2", 1, "expected 1 to 1 places");
    refused("2,3", "", 0, "batch_dims is 0, but indices have shape []");
    refused("2,3", "2,2", 2, "batch_dims is 2, but data has shape [2,3]");
    refused("2,3", "2,2", -1, "batch_dims is -1, but data has shape [2,3]; expected 0 or more");
    refused("2,3,4", "3,1", 1, "the extent of batch axis 0 is 2 in one place and 3 in another");
    expect_error<ModelError>([] { named<ops::GatherND>(parameter("2"), parameter("2,1")); },
                             "indices have type f32; expected integers");
}

TEST(GatherND, TakesSlices) {
    const auto data = counting({2, 3});
    expect_same(gathered(data, {2, 2}, {0, 1, 1, -1}), floats({2}, {1, 5}));
    expect_same(gathered(data, {2, 1}, {1, -2}), floats({2, 3}, {3, 4, 5, 0, 1, 2}));
    expect_same(gathered(data, {2, 1}, {2, 0}, 1), floats({2}, {2, 3}));
    expect_same(gathered(counting({2, 2, 2}), {2, 1}, {1, 0}, 1), floats({2, 2}, {2, 3, 4, 5}));
    EXPECT_EQ(gathered(data, {0, 1}, {}).shape(), (Shape{0, 3}));
    expect_moves_every_type(ops::GatherND(), data, {tensor_of<std::int64_t>({2, 1}, {1, 0})});
}

TEST(GatherND, RefusesIndicesOutOfRange) {
    expect_error<ModelError>(
        [] {
            gathered(counting({2, 3}), {1, 2}, {1, 3});
        },
        "node 'n' (GatherND): index 3 is out of range for an axis of extent 3");
    expect_error<ModelError>(
        [] {
            gathered(counting({2, 3}), {1, 2}, {-3, 0});
        },
        "index -3 is out of range for an axis of extent 2");
}

}  // namespace
}  // namespace rondo::gather_nd_test
