// GatherElements, GatherND, NonZero, ScatterElementsUpdate and ScatterNDUpdate on random shapes.
#include <gtest/gtest.h>

#include "core/ops/indexing/indexing_ops.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::indexing_nodes_test {
namespace {

using ops::ScatterReduction;

NodePtr open(const std::string& name, std::size_t rank, ElementType type) {
    return parameter(name, PartialShape::of_rank(rank), type);
}

// Indices into an axis of that extent, some of which count from the end.
Tensor random_indices(const Shape& shape, std::size_t extent, Rng& rng,
                      ElementType type = ElementType::i64) {
    const auto end = static_cast<double>(extent);
    const bool is_unsigned = type == ElementType::u8 || type == ElementType::u64;
    return random_tensor(type, shape, rng, is_unsigned ? 0 : -end, end - 1);
}

// The scatter of random updates along `axis` of random data.
struct Elements {
    Shape data;
    Shape indices;
    std::size_t axis;
};

const Elements kElements[] = {
    {{7}, {20}, 0},
    {{3, 5}, {3, 9}, 1},
    {{4, 6}, {9, 6}, 0},
    {{4, 6}, {2, 3}, 0},
    {{3, 4, 5}, {3, 6, 5}, 1},
    {{3, 4, 5}, {2, 6, 4}, 1},
    {{2, 1, 70}, {2, 1, 300}, 2},
    {{3, 4}, {0, 4}, 0},
    {{60, 3000}, {60, 3000}, 1},
};

TEST(GatherElementsNode, AnyShapesAndTypes) {
    auto rng = test_rng();
    for (const Elements& c : kElements) {
        for (const ElementType index : {ElementType::i64, ElementType::i32}) {
            const auto x = open("x", c.data.size(), ElementType::f32);
            const auto i = open("i", c.data.size(), index);
            const auto axis = static_cast<std::int64_t>(c.axis);
            const auto graph = graph_of({x, i}, {make_node<ops::GatherElements>(x, i, axis)});
            expect_like_reference(*graph, {random_tensor(ElementType::f32, c.data, rng),
                                           random_indices(c.indices, c.data[c.axis], rng, index)});
        }
    }
}

NodePtr scatter_of(const NodePtr& x, const NodePtr& i, const NodePtr& u, std::int64_t axis,
                   ScatterReduction reduction) {
    return make_node<ops::ScatterElementsUpdate>(
        std::vector<Output>{x, i, u, ops::make_i64_scalar(axis, "axis")}, reduction);
}

void expect_scatters_elements(const Elements& c, ScatterReduction reduction, ElementType type,
                              double absolute, Rng& rng) {
    const std::size_t rank = c.data.size();
    const auto x = open("x", rank, type), u = open("u", rank, type);
    const auto i = open("i", rank, ElementType::i64);
    const auto axis = static_cast<std::int64_t>(c.axis);
    const auto graph = graph_of({x, i, u}, {scatter_of(x, i, u, axis, reduction)});
    expect_like_reference(
        *graph,
        {random_tensor(type, c.data, rng, 0, 2), random_indices(c.indices, c.data[c.axis], rng),
         random_tensor(type, c.indices, rng, 0, 2)},
        absolute, absolute);
}

TEST(ScatterElementsNode, AnyShapesAndReductions) {
    auto rng = test_rng();
    for (const Elements& c : kElements) {
        for (const auto reduction : {ScatterReduction::none, ScatterReduction::sum,
                                     ScatterReduction::max, ScatterReduction::mean}) {
            const bool is_exact =
                reduction == ScatterReduction::none || reduction == ScatterReduction::max;
            expect_scatters_elements(c, reduction, ElementType::f32, is_exact ? 0 : 1e-5, rng);
            expect_scatters_elements(c, reduction, ElementType::i32, 0, rng);
        }
    }
}

TEST(ScatterNodes, SixteenBitTypesAreRoundedOnce) {
    auto rng = test_rng();
    for (const auto reduction : {ScatterReduction::none, ScatterReduction::sum,
                                 ScatterReduction::prod, ScatterReduction::mean}) {
        expect_scatters_elements(kElements[4], reduction, ElementType::f16, 1e-3, rng);
        expect_scatters_elements(kElements[4], reduction, ElementType::bf16, 8e-3, rng);
    }
}

TEST(ScatterElementsNode, RefusesBadIndices) {
    const auto x = open("x", 1, ElementType::f32), u = open("u", 1, ElementType::f32);
    const auto i = open("i", 1, ElementType::i64);
    const auto plain = graph_of({x, i, u}, {named(scatter_of(x, i, u, 0, {}), "s")});
    const std::vector<Tensor> inputs{tensor_of<float>({2}, {1, 2}),
                                     tensor_of<std::int64_t>({1}, {-3}),
                                     tensor_of<float>({1}, {5})};
    expect_error<ModelError>(
        [&] { on_cpu(*plain).run(inputs); },
        "node 's' (ScatterElementsUpdate): index -3 is out of range for an axis of extent 2");
}

TEST(ScatterElementsNode, AnAxisThatComesWithTheRun) {
    const auto x = open("x", 2, ElementType::f32), u = open("u", 2, ElementType::f32);
    const auto i = open("i", 2, ElementType::i64), axis = open("axis", 0, ElementType::i64);
    const auto node = make_node<ops::ScatterElementsUpdate>(std::vector<Output>{x, i, u, axis},
                                                            ScatterReduction::none);
    const auto graph = graph_of({x, i, u, axis}, {named(node, "s")});
    auto device = on_cpu(*graph);
    const auto run = [&](std::int64_t along) {
        return device.run({tensor_of<float>({2, 2}, {1, 2, 3, 4}),
                           tensor_of<std::int64_t>({1, 2}, {1, 0}),
                           tensor_of<float>({1, 2}, {5, 6}), scalar_of<std::int64_t>(along)});
    };
    expect_same(run(0)[0], tensor_of<float>({2, 2}, {1, 6, 5, 4}));
    expect_same(run(-1)[0], tensor_of<float>({2, 2}, {6, 5, 3, 4}));
    expect_error<ModelError>([&] { run(2); },
                             "node 's' (ScatterElementsUpdate): axis 2 is out of range");
}

// Data, tuples, places of a tuple.
struct Slices {
    Shape data;
    Shape tuples;
    std::size_t places;
    std::size_t batch = 0;
};

const Slices kSlices[] = {
    {{7}, {5}, 1},    {{3, 5}, {4}, 1},      {{3, 5}, {4}, 2},    {{3, 4, 5}, {2, 3}, 2},
    {{3, 4}, {0}, 1}, {{3, 1000}, {400}, 1}, {{3, 4, 0}, {2}, 2}, {{50, 40}, {30, 300}, 2},
};

// The places of each axis in turn.
Tensor random_tuples(const Slices& c, Rng& rng) {
    Shape shape = c.tuples;
    shape.push_back(c.places);
    Tensor indices(ElementType::i64, shape);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const auto extent = static_cast<std::int64_t>(c.data[c.batch + i % c.places]);
        indices.data<std::int64_t>()[i] = uniform_int(rng, -extent, extent - 1);
    }
    return indices;
}

TEST(GatherNDNode, AnyShapesAndBatches) {
    auto rng = test_rng();
    std::vector<Slices> cases(std::begin(kSlices), std::end(kSlices));
    cases.push_back({{2, 3, 4}, {2, 5}, 1, 1});
    cases.push_back({{2, 3, 4, 5}, {2, 3, 6}, 2, 2});
    cases.push_back({{2, 3, 4, 5}, {2}, 2, 1});
    for (const Slices& c : cases) {
        for (const ElementType type : {ElementType::f32, ElementType::u8, ElementType::f64}) {
            const auto x = open("x", c.data.size(), type);
            const auto i = open("i", c.tuples.size() + 1, ElementType::i64);
            const auto typed = parameter(
                "i",
                [&] {
                    PartialShape shape = PartialShape::of_rank(c.tuples.size() + 1);
                    shape[c.tuples.size()] = static_cast<std::int64_t>(c.places);
                    return shape;
                }(),
                ElementType::i64);
            for (const NodePtr& indices : {i, typed}) {
                const auto gather =
                    make_node<ops::GatherND>(x, indices, static_cast<std::int64_t>(c.batch));
                expect_like_reference(
                    *graph_of({x, indices}, {gather}),
                    {random_tensor(type, c.data, rng, 0, 99), random_tuples(c, rng)});
            }
        }
    }
}

TEST(ScatterNDNode, AnyShapesAndReductions) {
    auto rng = test_rng();
    for (const Slices& c : kSlices) {
        Shape updates = c.tuples;
        updates.insert(updates.end(), c.data.begin() + static_cast<std::ptrdiff_t>(c.places),
                       c.data.end());
        for (const auto reduction :
             {ScatterReduction::none, ScatterReduction::sum, ScatterReduction::sub,
              ScatterReduction::min, ScatterReduction::max}) {
            for (const ElementType type : {ElementType::f32, ElementType::i16}) {
                const auto x = open("x", c.data.size(), type);
                const auto i = open("i", c.tuples.size() + 1, ElementType::i64);
                const auto u = open("u", updates.size(), type);
                const auto scatter =
                    make_node<ops::ScatterNDUpdate>(std::vector<Output>{x, i, u}, reduction);
                expect_like_reference(
                    *graph_of({x, i, u}, {scatter}),
                    {random_tensor(type, c.data, rng, 0, 9), random_tuples(c, rng),
                     random_tensor(type, updates, rng, 0, 9)},
                    1e-4, 1e-5);
            }
        }
    }
}

TEST(NonZeroNode, PlacesWhoseNumberChanges) {
    auto rng = test_rng();
    for (const ElementType type : {ElementType::f32, ElementType::boolean, ElementType::bf16,
                                   ElementType::f64, ElementType::i8}) {
        for (const ElementType output : {ElementType::i64, ElementType::i32}) {
            const auto x = open("x", 3, type);
            const auto graph = graph_of({x}, {make_node<ops::NonZero>(x, output)});
            auto device = on_cpu(*graph);
            for (const Shape& shape :
                 {Shape{2, 3, 4}, Shape{2, 3, 4}, Shape{1, 1, 1}, Shape{2, 0, 3}, Shape{5, 1, 9}}) {
                const std::vector<Tensor> inputs{
                    converted(random_tensor(ElementType::i32, shape, rng, 0, 1), type)};
                expect_same(device.run(inputs)[0], on_reference(*graph).run(inputs)[0]);
            }
        }
    }
}

TEST(GatherNDNode, RefusesBadIndices) {
    const auto x = open("x", 2, ElementType::f32);
    const auto i = open("i", 2, ElementType::i64);
    const auto graph = graph_of({x, i}, {named(make_node<ops::GatherND>(x, i), "g")});
    expect_error<ModelError>(
        [&] {
            on_cpu(*graph).run(
                {Tensor(ElementType::f32, {2, 3}), tensor_of<std::int64_t>({2, 2}, {1, 2, 0, 3})});
        },
        "node 'g' (GatherND): index 3 is out of range for an axis of extent 3");
}

}  // namespace
}  // namespace rondo::test::indexing_nodes_test
