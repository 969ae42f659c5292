#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/unit/transformations/batching/vmap/expect_lifted.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::test::movement_rule_test {
namespace {

TEST(LiftMovement, TransposesBehindTheRows) {
    for (const auto& order : {std::vector<std::int64_t>{1, 0, 2}, {2, 0, 1}, {0, 2, 1}, {}}) {
        GraphBuilder b;
        b.output("y", b.transpose(b.input("x", "[2,3,4]"), order));
        expect_lifted(b.graph());
    }
}

TEST(LiftMovement, SlicesAnyAxes) {
    GraphBuilder b;
    const Output x = b.input("x", "[3,4]");
    b.output("first", b.make<ops::Slice>("first", x, b.ints({1}), b.ints({3}), b.ints({1})));
    b.output("last",
             b.make<ops::Slice>("last", x, b.ints({-1}), b.ints({-5}), b.ints({-2}), b.ints({-1})));
    b.output("both", b.make<ops::Slice>("both", x, b.ints({1, 0}), b.ints({3, 2}), b.ints({1, 1}),
                                        b.ints({1, 0})));
    expect_lifted(b.graph());
}

TEST(LiftMovement, SlicesByMasks) {
    GraphBuilder b;
    const Output x = b.input("x", "[3,4,5]");
    const auto slice = [&](const std::string& name, const ops::StridedSliceMasks& masks) {
        b.output(name, b.make<ops::StridedSlice>(name + "/op", x, b.ints({1, 0, 2}),
                                                 b.ints({3, 3, 5}), b.ints({1, 2, 1}), masks));
    };
    slice("plain", {});
    slice("open", {.begin = {1, 0, 0}, .end = {0, 1, 0}});
    slice("shrunk", {.shrink_axis = {1, 0, 0}});
    slice("wider", {.new_axis = {1, 0, 0}});
    slice("rest", {.ellipsis = {0, 1, 0}});
    expect_lifted(b.graph());
}

TEST(LiftMovement, PadsAndTiles) {
    GraphBuilder b;
    const Output x = b.input("x", "[3,4]");
    const Output wide = b.make<ops::Pad>(
        "pad", std::vector<Output>{x, b.ints({1, 0}), b.ints({0, 2}), b.constant(scalar_of(2.0F))},
        ops::PadMode::constant);
    b.output("wide", wide);
    b.output("mirrored",
             b.make<ops::Pad>("mirror", std::vector<Output>{x, b.ints({1, 2}), b.ints({1, 0})},
                              ops::PadMode::reflect));
    b.output("twice", b.make<ops::Tile>("twice", x, b.ints({2})));
    b.output("more", b.make<ops::Tile>("more", x, b.ints({2, 1, 3})));
    expect_lifted(b.graph());
}

TEST(LiftMovement, Broadcasts) {
    GraphBuilder b;
    const Output x = b.input("x", "[3,1]");
    const Output open = b.input("open", "[?,4]");
    b.output("wide", b.make<ops::Broadcast>("wide", x, b.ints({2, 3, 4})));
    b.output("both",
             b.make<ops::Broadcast>("both", x, b.ints({1, 4}), ops::BroadcastMode::bidirectional));
    b.output("named", b.make<ops::Broadcast>("named", x, b.ints({3, 2, 1}), b.ints({0, 2})));
    b.output("like", b.make<ops::Broadcast>("like", b.constant(scalar_of(1.0F)),
                                            b.make<ops::ShapeOf>("shape", open)));
    expect_lifted(b.graph());
}

TEST(LiftMovement, ReversesSequencesOfAnyLayout) {
    for (const std::int64_t batch_axis : {0, 1}) {
        GraphBuilder b;
        const Output x = b.input("x", batch_axis == 0 ? "[2,3,4]" : "[3,2,4]");
        const Output some = b.constant(tensor_of<std::int64_t>({2}, {3, 2}));
        b.output("y", b.make<ops::ReverseSequence>("r", x, some, batch_axis, 1 - batch_axis));
        expect_lifted(b.graph());
    }
}

TEST(LiftMovement, ReversesSequencesOfItsOwnLength) {
    std::vector<std::vector<Tensor>> rows;
    for (const std::int64_t length : {1, 3, 2}) {
        Rng rng(static_cast<std::uint64_t>(length));
        rows.push_back({random_tensor(ElementType::f32, {3, 2}, rng),
                        tensor_of<std::int64_t>({2}, {length, 2})});
    }
    GraphBuilder b;
    const Output x = b.input("x", "[3,2]");
    const Output lengths = b.input("lengths", "[2]", ElementType::i64);
    b.output("y", b.make<ops::ReverseSequence>("r", x, lengths, 1, 0));
    expect_lifted(b.graph(), {}, rows);
}

TEST(LiftMovement, RefusesShapesThatDependOnRows) {
    GraphBuilder b;
    const Output x = b.input("x", "[3,4]");
    b.output("y", b.make<ops::Tile>("tile", x, b.input("counts", "[2]", ElementType::i64)));
    expect_not_lifted(b.graph(), "node 'tile' (Tile): its input 1 differs between the rows");
}

}  // namespace
}  // namespace rondo::test::movement_rule_test
