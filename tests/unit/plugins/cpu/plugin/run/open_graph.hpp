// Random graphs whose extents depend on computed elements, in several places and chains.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rng.hpp"

namespace rondo::test {

/// The inputs: x f32 [?,6]; sizes i64 [5], of elements 1 to 5; order i64 [2], a permutation.
/// Every value of the pool is f32 [rows, 6]; values of one group have the same number of rows.
class OpenGraphMaker {
public:
    OpenGraphMaker(Rng& rng, bool with_arithmetic) : rng_(rng), with_arithmetic_(with_arithmetic) {
        x_ = b_.input("x", "[?,6]");
        sizes_ = b_.input("sizes", "[5]", ElementType::i64);
        order_ = b_.input("order", "[2]", ElementType::i64);
        fixed_ = b_.constant(random_tensor(ElementType::f32, {6, 6}, rng, -0.3, 0.3));
        pool_ = {{x_, 0}, {fixed_, 1}};
        groups_ = 2;
    }

    std::shared_ptr<Graph> make(int nodes, int variables) {
        for (int i = 0; i < variables; ++i) {
            std::vector<Output> init;
            if (coin()) init.push_back(sliced(any()).value);
            const Output read = b_.read(id_of(i), "[?,6]", init);
            pool_.push_back({read, groups_++});
        }
        for (int i = 0; i < nodes; ++i) pool_.push_back(next());
        for (int i = 0; i < variables; ++i) {
            // Through a node that reads it, so that the variable is needed.
            const Entry& read = pool_[static_cast<std::size_t>(2 + i)];
            const Output joined = joined_rows(read.value, any().value);
            b_.assign(id_of(i), b_.make<ops::Slice>("", joined, b_.ints({0}), extent(),
                                                    b_.ints({1}), b_.ints({0})));
        }
        for (std::int64_t i = uniform_int(rng_, 1, 4); i > 0; --i) output(any().value);
        output(pool_.back().value);
        if (coin()) output(sizes_);
        return b_.graph();
    }

    static std::vector<Tensor> inputs(Rng& rng) {
        std::vector<std::int64_t> sizes;
        for (int i = 0; i < 5; ++i) sizes.push_back(uniform_int(rng, 1, 5));
        const std::int64_t first = uniform_int(rng, 0, 1);
        const auto rows = static_cast<std::size_t>(uniform_int(rng, 1, 4));
        return {random_tensor(ElementType::f32, {rows, 6}, rng),
                tensor_of<std::int64_t>({5}, sizes),
                tensor_of<std::int64_t>({2}, {first, 1 - first})};
    }

private:
    struct Entry {
        Output value;
        int group;
    };

    bool coin() { return uniform_int(rng_, 0, 1) == 0; }
    static std::string id_of(int variable) { return "v" + std::to_string(variable); }

    const Entry& any() {
        const auto last = static_cast<std::int64_t>(pool_.size()) - 1;
        const std::int64_t least = coin() ? 0 : std::max<std::int64_t>(0, last - 3);
        return pool_[static_cast<std::size_t>(uniform_int(rng_, least, last))];
    }

    void output(const Output& value) { b_.output("y" + std::to_string(outputs_++), value); }

    Output bounded(const Output& value) {
        return b_.make<ops::Unary>("", ops::UnaryFunction::tanh, value);
    }
    Output square(const Output& value) { return b_.reshape(value, {-1, 6}); }
    Output joined_rows(const Output& a, const Output& b) {
        return b_.make<ops::Concat>("", std::vector<Output>{a, b}, 0);
    }
    Output element(const Output& vector, std::int64_t index) {
        return b_.make<ops::Gather>("", vector, b_.ints({index}),
                                    b_.constant(tensor_of<std::int64_t>({}, {0})));
    }

    // A vector of one element, 1 to 5: an input's, or one that comes after another cut.
    Output extent() {
        switch (uniform_int(rng_, 0, with_arithmetic_ ? 3 : 2)) {
            case 0: return element(sizes_, uniform_int(rng_, 0, 4));
            case 1: {
                const Output part =
                    b_.make<ops::Slice>("", sizes_, b_.ints({0}), element(sizes_, 0), b_.ints({1}));
                return element(part, uniform_int(rng_, -1, 0));
            }
            case 2: {
                const Output padded = joined_rows(any().value, fixed_);
                const Output rows = b_.make<ops::Slice>("", padded, b_.ints({0}),
                                                        element(sizes_, uniform_int(rng_, 0, 4)),
                                                        b_.ints({1}), b_.ints({0}));
                return element(b_.make<ops::ShapeOf>("", rows), 0);
            }
            default: {
                const Output sum = b_.make<ops::Binary>("", ops::BinaryFunction::add,
                                                        element(sizes_, 1), element(sizes_, 2));
                return b_.make<ops::Binary>("", ops::BinaryFunction::subtract, sum,
                                            element(sizes_, 2));
            }
        }
    }

    Entry sliced(const Entry& from) {
        const Output cut = b_.make<ops::Slice>("", from.value, b_.ints({uniform_int(rng_, 0, 1)}),
                                               extent(), b_.ints({1}), b_.ints({0}));
        return {cut, groups_++};
    }

    // Both ends come with the run, up or down, clamped now and then.
    Entry window(const Output& value) {
        const Output start = extent();
        const bool down = coin();
        const Output length = coin() ? extent() : element(sizes_, 3);
        const Output stop = b_.make<ops::Binary>(
            "", down ? ops::BinaryFunction::subtract : ops::BinaryFunction::add, start, length);
        const Output cut = b_.make<ops::Slice>("", joined_rows(value, fixed_), start, stop,
                                               b_.ints({down ? -1 : 1}), b_.ints({0}));
        return {joined_rows(cut, fixed_), groups_++};
    }

    Entry next() {
        const Entry from = any();  // a copy, since the pool grows
        if (with_arithmetic_ && uniform_int(rng_, 0, 9) == 0) return window(from.value);
        switch (uniform_int(rng_, 0, 10)) {
            case 0:
                return {bounded(b_.make<ops::Binary>("", ops::BinaryFunction::add, from.value,
                                                     peer_of(from))),
                        from.group};
            case 1: return {bounded(b_.make<ops::MatMul>("", from.value, fixed_)), from.group};
            case 2: return sliced(from);
            case 3: return repeated();
            case 4: return {reshaped(from.value), from.group};
            case 5: return {joined_rows(from.value, any().value), groups_++};
            case 6: return {turned(from.value), from.group};
            case 7: return {centered(from.value), from.group};
            case 8: return part();
            case 9: return {bounded(from.value), from.group};
            default: return {unsqueezed(from.value), from.group};
        }
    }

    Output peer_of(const Entry& entry) {
        std::vector<Output> peers;
        for (const Entry& other : pool_) {
            if (other.group == entry.group) peers.push_back(other.value);
        }
        if (peers.empty()) return entry.value;
        const auto last = static_cast<std::int64_t>(peers.size()) - 1;
        return peers[static_cast<std::size_t>(uniform_int(rng_, 0, last))];
    }

    // One row, as often as an extent says.
    Entry repeated() {
        const Output row =
            b_.make<ops::Slice>("", fixed_, b_.ints({2}), b_.ints({3}), b_.ints({1}), b_.ints({0}));
        const Output shape = joined_rows(extent(), b_.ints({6}));
        return {b_.make<ops::Broadcast>("", row, shape), groups_++};
    }

    // [rows, 6] as [-1, n] and back; n is 6 / 6 or 6 / 1, known only to the run.
    Output reshaped(const Output& value) {
        const Output wide = element(b_.make<ops::ShapeOf>("", turned(fixed_)), 1);
        const Output view =
            b_.make<ops::Reshape>("", value, joined_rows(b_.ints({-1}), wide), true);
        return square(bounded(view));
    }

    // By an order that only the run knows, there and back.
    Output turned(const Output& value) {
        const Output there = b_.make<ops::Transpose>("", value, order_);
        return b_.make<ops::Transpose>("", bounded(there), order_);
    }

    Output centered(const Output& value) {
        const Output axes = element(order_, uniform_int(rng_, 0, 1));
        const Output mean = b_.make<ops::Reduce>("", ops::ReduceFunction::mean, value, axes, true);
        return b_.make<ops::Binary>("", ops::BinaryFunction::subtract, value, mean);
    }

    // The first of the fixed rows, or the others.
    Entry part() {
        const Output lengths = joined_rows(extent(), b_.ints({-1}));
        const auto split = b_.make<ops::VariadicSplit>(
            "", fixed_, b_.constant(tensor_of<std::int64_t>({}, {0})), lengths);
        return {split->output(coin() ? 0 : 1), groups_++};
    }

    Output unsqueezed(const Output& value) {
        const Output axes = element(order_, 0);
        return b_.make<ops::Squeeze>("", b_.make<ops::Unsqueeze>("", value, axes), axes);
    }

    Rng& rng_;
    bool with_arithmetic_;
    GraphBuilder b_;
    Output x_, sizes_, order_, fixed_;
    std::vector<Entry> pool_;
    int groups_ = 0;
    int outputs_ = 0;
};

}  // namespace rondo::test
