// Stacked layers give the bits of the same layers run one after the other.
#include "plugins/cpu/kernels/sequence/stacked_sequence.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/forced_plan.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"
#include "tests/unit/plugins/cpu/kernels/threads/thread_teams.hpp"
#include "tests/unit/plugins/cpu/kernels/typed_buffer.hpp"

namespace rondo::cpu::tests::stacked_sequence_test {
namespace {

using Outputs = std::vector<SequenceOutput>;

// Layers with their own data; the x of all but the lowest is what the layer below gives.
struct StackCase {
    std::vector<SequenceConfig> configs;
    std::vector<SequenceData> data;
    std::vector<bool> wants_y;  // of the layers below the last

    std::int64_t batch() const { return data[0].batch; }
    std::int64_t time() const { return data[0].time; }
};

StackedSequence make_stack(const StackCase& test, Isa isa) {
    std::vector<TypedBuffer> buffers;
    buffers.reserve(4 * test.configs.size());
    std::vector<StackedLayer> layers;
    for (std::size_t i = 0; i < test.configs.size(); ++i) {
        const SequenceConfig& config = test.configs[i];
        const auto add = [&](ElementType type, const std::vector<double>& values) -> const void* {
            return buffers.emplace_back(type, values).data_or_null();
        };
        const SequenceData& data = test.data[i];
        SequenceWeights weights;
        weights.w = add(config.input_weights.type, data.w);
        weights.r = add(config.cells[0].weights.type, data.r);
        weights.b = add(config.data, data.b);
        weights.p = add(config.data, data.p);
        layers.push_back({config, weights});
    }
    // Nothing reads the weights of a layer that is packed.
    constexpr std::size_t kTensors = 4;
    std::size_t next = 0;
    return StackedSequence(layers, isa, [&](std::size_t layer) {
        EXPECT_EQ(layer, next++);
        for (std::size_t i = 0; i < kTensors; ++i) buffers[kTensors * layer + i].spoil();
    });
}

// Each layer as a RecurrentSequence, on one thread.
Outputs run_apart(StackCase test, Isa isa) {
    Outputs outputs;
    SerialTeam team;
    for (std::size_t i = 0; i < test.configs.size(); ++i) {
        test.data[i].lengths = test.data[0].lengths;
        outputs.push_back(run_sequence(make_sequence(test.configs[i], isa, test.data[i]),
                                       test.data[i], team, "layer " + std::to_string(i)));
        if (i + 1 < test.configs.size()) test.data[i + 1].x = outputs.back().y;
    }
    return outputs;
}

// The tensors of one layer between guards.
struct LayerBuffers {
    LayerBuffers(const SequenceConfig& config, const SequenceData& data)
        : h0(config.data, data.h0),
          c0(config.data, data.c0),
          y(config.data, data.batch * data.time * config.cells[0].hidden_size),
          ho(config.data, data.batch * config.cells[0].hidden_size),
          co(config.data, data.batch * config.cells[0].hidden_size),
          lstm(config.cells[0].kind == CellKind::lstm) {}

    StackedLayerArgs args(bool wants_y) {
        StackedLayerArgs args{h0.data_or_null(), nullptr, nullptr, ho.data(), nullptr};
        if (wants_y) args.y = y.data();
        if (lstm) args.c0 = c0.data_or_null();
        if (lstm) args.co = co.data();
        return args;
    }
    SequenceOutput output(bool wants_y) const {
        for (const TypedBuffer* buffer : {&y, &ho, &co}) buffer->check("a layer's tensor");
        return {wants_y ? y.values() : std::vector<double>(), ho.values(),
                lstm ? co.values() : std::vector<double>()};
    }

    TypedBuffer h0, c0, y, ho, co;
    bool lstm;
};

Outputs run_together(const StackedSequence& stack, const StackCase& test, const StackedPlan& plan,
                     Team& team) {
    std::vector<LayerBuffers> buffers;
    std::vector<StackedLayerArgs> layers;
    for (std::size_t i = 0; i < stack.size(); ++i) {
        buffers.emplace_back(test.configs[i], test.data[i]);
    }
    for (std::size_t i = 0; i < stack.size(); ++i)
        layers.push_back(buffers[i].args(test.wants_y[i]));
    TypedBuffer x(test.configs[0].data, test.data[0].x);
    StackedArgs args;
    args.batch = test.batch();
    args.time = test.time();
    args.x = x.data();
    args.lengths = test.data[0].lengths.empty() ? nullptr : test.data[0].lengths.data();
    args.layers = layers;
    const std::size_t bytes = plan.scratch_bytes;
    AlignedBuffer scratch(bytes / sizeof(float) + 16);
    std::fill_n(scratch.data(), scratch.size(), std::numeric_limits<float>::quiet_NaN());
    stack.run(plan, args, team, scratch.data());
    for (std::size_t i = bytes / sizeof(float); i < scratch.size(); ++i) {
        EXPECT_TRUE(std::isnan(scratch.data()[i])) << "scratch written past its end";
    }
    Outputs outputs;
    for (std::size_t i = 0; i < stack.size(); ++i) {
        outputs.push_back(buffers[i].output(test.wants_y[i]));
    }
    return outputs;
}

void expect_same(const Outputs& got, Outputs expected, const StackCase& test,
                 const std::string& what) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (!test.wants_y[i]) expected[i].y.clear();
        expect_same_bits(got[i], expected[i], what + ", layer " + std::to_string(i));
    }
}

// Every plan that could be chosen, and the one that is.
std::vector<StackedPlan> plans_of(const StackedSequence& stack, const StackCase& test,
                                  int threads) {
    const LayerShape shape = stack.shape(test.batch(), test.time(), threads);
    std::vector<StackedPlan> plans{stack.prepare(test.batch(), test.time(), threads)};
    const auto add = [&](const StackedChoice& choice) {
        plans.push_back(forced_plan(stack, choice, shape));
    };
    add({StackedStrategy::serial, 1, 0, 0, 0});
    add({StackedStrategy::one_by_one, 1, 0, 0, 0});
    for (int slices = 1; slices <= std::min<std::int64_t>(threads, test.batch()); ++slices) {
        add({StackedStrategy::batch_split, slices, 0, 0, 0});
    }
    for (std::int64_t tile : {1, 3, 50}) {
        const int workers = std::min(threads, static_cast<int>(stack.size()));
        add({StackedStrategy::wavefront, workers, tile, 0, 0});
    }
    return plans;
}

void expect_like_apart(const StackCase& test, Isa isa) {
    const StackedSequence stack = make_stack(test, isa);
    const Outputs expected = run_apart(test, isa);
    SerialTeam one;
    ThreadTeam two(2), four(4);
    BackwardTeam backward(3);
    for (Team* team : {static_cast<Team*>(&one), static_cast<Team*>(&two),
                       static_cast<Team*>(&four), static_cast<Team*>(&backward)}) {
        for (const StackedPlan& plan : plans_of(stack, test, team->size())) {
            const std::string what =
                std::string(to_string(plan.choice.strategy)) + " " +
                std::to_string(plan.choice.slices) + ", tile " + std::to_string(plan.tile) + ", " +
                std::to_string(team->size()) + " threads, N " + std::to_string(test.batch()) +
                ", T " + std::to_string(test.time());
            expect_same(run_together(stack, test, plan, *team), expected, test, what);
        }
    }
}

struct Sizes {
    std::int64_t batch, time;
};

// A cell for each kind; every layer reads the one below.
StackCase make_case(const std::vector<CellConfig>& cells, Direction direction, const Sizes& sizes,
                    Random& random, ElementType data = ElementType::f32) {
    StackCase test;
    for (const CellConfig& cell : cells) {
        SequenceConfig config = sequence_config(cell, direction);
        if (size_of(data) == 2) config.data = data;
        test.configs.push_back(config);
        test.data.push_back(random_data(config, sizes.batch, sizes.time, random));
        test.wants_y.push_back(random.integer(0, 2) == 0);
    }
    test.wants_y.back() = true;
    return test;
}

std::vector<CellConfig> random_cells(Random& random, ElementType weights) {
    constexpr CellKind kKinds[] = {CellKind::lstm, CellKind::gru, CellKind::gru_linear_before_reset,
                                   CellKind::rnn};
    std::vector<CellConfig> cells;
    std::int64_t input = random.integer(1, 20);
    for (std::int64_t count = random.integer(2, 4); count > 0; --count) {
        const CellKind kind = kKinds[random.integer(0, 3)];
        CellConfig cell = default_cell(kind, input, random.integer(1, 40));
        cell.clip = random.integer(0, 1) == 0 ? 0.0f : 0.9f;
        cell.peephole = kind == CellKind::lstm && random.integer(0, 1) == 0;
        cell.weights = weights;
        cells.push_back(cell);
        input = cell.hidden_size;
    }
    return cells;
}

// Kinds, sizes, directions, lengths and types, on every plan and team.
TEST(StackedSequence, HasTheBitsOfItsLayers) {
    Random random;
    constexpr ElementType kTypes[] = {ElementType::f32, ElementType::f32, ElementType::f64,
                                      ElementType::f16, ElementType::bf16};
    for (int round = 0; round < 25; ++round) {
        const ElementType type = kTypes[round % 5];
        const auto direction = random.integer(0, 1) == 0 ? Direction::forward : Direction::reverse;
        const Sizes sizes{random.integer(1, 6), random.integer(1, 30)};
        const ElementType data = random.integer(0, 1) == 0 ? ElementType::f32 : type;
        StackCase test = make_case(random_cells(random, type), direction, sizes, random, data);
        for (std::int64_t n = 0; round % 2 == 1 && n < sizes.batch; ++n) {
            test.data[0].lengths.push_back(random.integer(0, sizes.time));
        }
        SCOPED_TRACE("round " + std::to_string(round));
        expect_like_apart(test, cpu_features().best());
    }
}

TEST(StackedSequence, EveryInstructionSet) {
    Random random;
    for (Isa isa : available_isas()) {
        expect_like_apart(
            make_case({default_cell(CellKind::lstm, 9, 33), default_cell(CellKind::gru, 33, 17)},
                      Direction::forward, {2, 11}, random),
            isa);
    }
}

// One row and many steps: inputs are projected some steps ahead.
TEST(StackedSequence, LongSequencesOfOneRow) {
    Random random;
    for (const auto direction : {Direction::forward, Direction::reverse}) {
        for (const std::int64_t time : {320, 327, 341}) {
            StackCase test =
                make_case({default_cell(CellKind::lstm, 5, 33), default_cell(CellKind::gru, 33, 20),
                           default_cell(CellKind::gru_linear_before_reset, 20, 16),
                           default_cell(CellKind::rnn, 16, 8)},
                          direction, {1, time}, random);
            expect_like_apart(test, cpu_features().best());
            test.data[0].lengths = {time - random.integer(0, 319)};
            expect_like_apart(test, cpu_features().best());
        }
    }
}

// Layers wide enough for a hidden split of each, one by one.
TEST(StackedSequence, LayersThatAreSharedThemselves) {
    Random random;
    const StackCase test =
        make_case({default_cell(CellKind::lstm, 16, 256), default_cell(CellKind::lstm, 256, 256)},
                  Direction::forward, {1, 6}, random);
    expect_like_apart(test, cpu_features().best());
}

TEST(StackedSequence, NoRowsOrNoSteps) {
    Random random;
    const std::vector<CellConfig> cells{default_cell(CellKind::lstm, 5, 20),
                                        default_cell(CellKind::gru, 20, 7)};
    for (const Sizes sizes : {Sizes{0, 5}, Sizes{3, 0}, Sizes{0, 0}}) {
        StackCase test = make_case(cells, Direction::forward, sizes, random);
        expect_like_apart(test, cpu_features().best());
        test.data[0].lengths.assign(static_cast<std::size_t>(sizes.batch), 0);
        expect_like_apart(test, cpu_features().best());
    }
}

// All rows of length 0: there is no tile at all.
TEST(StackedSequence, RowsWithoutSteps) {
    Random random;
    StackCase test =
        make_case({default_cell(CellKind::rnn, 5, 20), default_cell(CellKind::lstm, 20, 7)},
                  Direction::reverse, {3, 4}, random);
    test.data[0].lengths = {0, 0, 0};
    expect_like_apart(test, cpu_features().best());
}

TEST(StackedSequence, LayersThatContradictEachOther) {
    Random random;
    const auto refused = [&](StackCase test, const std::string& text) {
        rondo::test::expect_error<ModelError>([&] { make_stack(test, Isa::plain); }, text);
    };
    const auto lstm = default_cell(CellKind::lstm, 3, 4);
    const auto forward = Direction::forward;
    const StackCase good =
        make_case({lstm, default_cell(CellKind::gru, 4, 2)}, forward, {1, 1}, random);
    refused(make_case({lstm}, forward, {1, 1}, random), "stacked layers: got 1; expected 2 to 8");
    refused(make_case(std::vector<CellConfig>(9, default_cell(CellKind::rnn, 2, 2)), forward,
                      {1, 1}, random),
            "got 9; expected 2 to 8");
    refused(make_case({lstm, default_cell(CellKind::gru, 5, 2)}, forward, {1, 1}, random),
            "layer 1 takes 5 inputs, the layer below gives 4");
    refused(make_case({lstm, default_cell(CellKind::gru, 4, 2)}, Direction::bidirectional, {1, 1},
                      random),
            "layer 0 has two directions; expected one");
    StackCase against = good;
    against.configs[1].direction = Direction::reverse;
    refused(against, "layer 1 runs against the layer below");
    StackCase other = good;
    other.configs[1].data = ElementType::f16;
    refused(other, "layer 1 has data of type f16, the layer below f32");
}

}  // namespace
}  // namespace rondo::cpu::tests::stacked_sequence_test
