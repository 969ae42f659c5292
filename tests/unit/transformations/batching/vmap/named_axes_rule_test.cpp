#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/spectral/spectral_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/unit/transformations/batching/vmap/expect_lifted.hpp"

namespace rondo::test::named_axes_rule_test {
namespace {

TEST(LiftNamedAxes, CutsAndJoinsAlongAnyAxis) {
    for (const std::int64_t axis : {0, 1, -1}) {
        GraphBuilder b;
        const Output x = b.input("x", "[2,4]");
        const auto split = b.make<ops::Split>("split", x, i64(b, axis), 2);
        const auto uneven = b.make<ops::VariadicSplit>("uneven", x, i64(b, axis), b.ints({1, -1}));
        const Output constant = b.constant(tensor_of<float>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}));
        b.output("part", split->output(1));
        b.output("rest", uneven->output(1));
        b.output("joined", b.make<ops::Concat>("joined", std::vector<Output>{x, constant}, axis));
        expect_lifted(b.graph());
    }
}

TEST(LiftNamedAxes, RollsAlongAnyAxes) {
    for (const auto& axes : {std::vector<std::int64_t>{0}, {1, 2}, {-1}, {0, -1, 1}}) {
        GraphBuilder b;
        b.output("y", b.make<ops::Roll>("r", b.input("x", "[2,3,4]"), b.ints({1}), b.ints(axes)));
        expect_lifted(b.graph());
    }
}

TEST(LiftNamedAxes, ReducesAlongAnyAxes) {
    for (const auto& axes : {std::vector<std::int64_t>{0}, {1, 2}, {-1}, {0, 1, 2}}) {
        for (const bool keep : {false, true}) {
            GraphBuilder b;
            const Output x = b.input("x", "[2,3,4]");
            b.output("sum",
                     b.make<ops::Reduce>("sum", ops::ReduceFunction::sum, x, b.ints(axes), keep));
            b.output("mvn", b.make<ops::Mvn>("mvn", x, b.ints(axes), ops::MvnAttributes{}));
            expect_lifted(b.graph());
        }
    }
}

TEST(LiftNamedAxes, NormalizesAndSortsAlongAnyAxis) {
    for (const std::int64_t axis : {0, 1, -1}) {
        GraphBuilder b;
        const Output x = b.input("x", "[2,4]");
        b.output("softmax", b.make<ops::Softmax>("softmax", x, axis));
        b.output("log", b.make<ops::LogSoftmax>("log", x, axis));
        b.output("sums", b.make<ops::CumSum>("sums", x, i64(b, axis), ops::Cumulation::Options{}));
        ops::TopKAttributes attributes;
        attributes.axis = axis;
        const auto top = b.make<ops::TopK>("top", x, i64(b, 2), attributes);
        b.output("best", top->output(0));
        b.output("places", top->output(1));
        expect_lifted(b.graph());
    }
    GraphBuilder b;
    b.output("old", b.make<ops::Softmax1>("old", b.input("x", "[2,4]"), 0));
    expect_lifted(b.graph());
}

TEST(LiftNamedAxes, TransformsAlongAnyAxis) {
    for (const std::int64_t axis : {0, 1, -1}) {
        GraphBuilder b;
        const Output x = b.input("x", "[3,4]");
        b.output("y", b.make<ops::Fourier>("rdft", ops::FourierFunction::rdft,
                                           std::vector<Output>{x, b.ints({axis})}));
        expect_lifted(b.graph());
    }
}

TEST(LiftNamedAxes, TakesElementsByConstantPlaces) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,4]");
    const Output places = b.constant(tensor_of<std::int64_t>({2, 2}, {0, 3, 1, -1}));
    b.output("y", b.make<ops::GatherElements>("y", x, places, 1));
    expect_lifted(b.graph());
}

TEST(LiftNamedAxes, RefusesAxesThatArentConstant) {
    GraphBuilder b;
    const Output axes = b.input("axes", "", ElementType::i64);
    const Output x = b.input("x", "[2,4]");
    b.output("y", b.make<ops::Reduce>("sum", ops::ReduceFunction::sum, x, axes, true));
    expect_not_lifted(b.graph(), "node 'sum' (ReduceSum): its input 1 isn't constant");
}

}  // namespace
}  // namespace rondo::test::named_axes_rule_test
