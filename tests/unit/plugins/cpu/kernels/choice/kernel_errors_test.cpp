// Everything that the kernels refuse, and in which words.
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/product/gemm.hpp"
#include "plugins/cpu/kernels/product/quantized_rows.hpp"
#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::cpu::kernel_errors_test {
namespace {

using rondo::test::expect_error;

constexpr float kWeights[64] = {};

void make(const SequenceConfig& config, const SequenceWeights& weights) {
    RecurrentSequence(config, Isa::plain, weights);
}

SequenceConfig config_of(const CellConfig& cell) { return {{cell}, Direction::forward, {}}; }

TEST(KernelErrors, SizesMustBePositive) {
    expect_error<ModelError>(
        [] {
            make(config_of(default_cell(CellKind::lstm, 3, 0)), {kWeights, kWeights});
        },
        "recurrent cell 'lstm': input_size is 3 and hidden_size is 0");
    expect_error<ModelError>([] { check_cell(default_cell(CellKind::rnn, -1, 4)); },
                             "expected input_size >= 0 and hidden_size > 0");
}

TEST(KernelErrors, ClipMustBeANumberFromZero) {
    CellConfig cell = default_cell(CellKind::gru, 1, 1);
    cell.clip = -1.0f;
    expect_error<ModelError>([&] { check_cell(cell); }, "clip is -1");
    cell.clip = std::numeric_limits<float>::quiet_NaN();
    expect_error<ModelError>([&] { check_cell(cell); }, "expected a number >= 0");
}

TEST(KernelErrors, LstmFlagsAreForLstm) {
    CellConfig cell = default_cell(CellKind::gru, 1, 1);
    cell.peephole = true;
    expect_error<ModelError>([&] { check_cell(cell); }, "exist for LSTM only");
    cell.peephole = false;
    cell.input_forget = true;
    expect_error<ModelError>([&] { check_cell(cell); }, "exist for LSTM only");
}

TEST(KernelErrors, SharedSumsAreForGru) {
    CellConfig cell = default_cell(CellKind::gru_linear_before_reset, 1, 1);
    cell.reset = ResetSum::of_z;
    expect_error<ModelError>([&] { check_cell(cell); },
                             "a reset gate of z's sum exists for gru only");
}

TEST(KernelErrors, CellsMustFitTheDirection) {
    SequenceConfig config = config_of(default_cell(CellKind::rnn, 1, 1));
    config.direction = Direction::bidirectional;
    expect_error<ModelError>(
        [&] {
            make(config, {kWeights, kWeights});
        },
        "got 1 cells for 2 direction(s)");
    config.cells.push_back(default_cell(CellKind::rnn, 1, 2));
    expect_error<ModelError>(
        [&] {
            make(config, {kWeights, kWeights});
        },
        "may differ in their activations only");
}

TEST(KernelErrors, WeightsMustBeThere) {
    const SequenceConfig config = config_of(default_cell(CellKind::rnn, 1, 1));
    expect_error<ModelError>([&] { make(config, {}); }, "W and R must be given");
    SequenceConfig peephole = config_of(default_cell(CellKind::lstm, 1, 1));
    peephole.cells[0].peephole = true;
    expect_error<ModelError>([&] { make(peephole, {kWeights, kWeights}); }, "P is not given");
}

TEST(KernelErrors, ElementTypesMustFitEachOther) {
    SequenceConfig config = config_of(default_cell(CellKind::rnn, 1, 1));
    config.data = ElementType::f64;
    expect_error<ModelError>(
        [&] {
            make(config, {kWeights, kWeights});
        },
        "R has type f32, W f32 and the data f64; expected f64 for all");
    config.data = ElementType::f32;
    config.input_weights = ElementType::i8;
    expect_error<ModelError>(
        [&] {
            make(config, {kWeights, kWeights});
        },
        "with i8 weights W and R must both have this type");
    CellConfig cell = default_cell(CellKind::gru, 1, 1);
    cell.weights = ElementType::i32;
    expect_error<ModelError>([&] { check_cell(cell); },
                             "R has type i32; expected f32, f16, bf16, f64, i8 or i16");
}

TEST(KernelErrors, SumsOfIntegersMustFit) {
    CellConfig cell = default_cell(CellKind::lstm, 2, 2);
    cell.weights = ElementType::i8;
    cell.hidden_size = kMaxQuantized + 1;
    expect_error<ModelError>([&] { check_cell(cell); },
                             "hidden_size is 16385; with i8 weights expected at most 16384");
    cell.hidden_size = 2;
    SequenceConfig config = config_of(cell);
    config.input_weights = ElementType::i8;
    EXPECT_NO_THROW(make(config, {kWeights, kWeights}));
    config.cells[0].input_size = kMaxQuantized + 1;
    expect_error<ModelError>(
        [&] {
            make(config, {kWeights, kWeights});
        },
        "input_size be no more than 16384");
    config.cells[0].input_size = 2;
    config.data = ElementType::f64;
    expect_error<ModelError>([&] { make(config, {kWeights, kWeights}); }, "the data be f32");
}

TEST(KernelErrors, ProductsTakeFewTypes) {
    expect_error<UnsupportedError>([] { make_gemm_kernel(Isa::plain, ElementType::i32); },
                                   "no matrix product for weights of type i32");
}

TEST(KernelList, EveryKindHasAnEntryForEveryInstructionSet) {
    for (const ops::CellInfo& info : ops::kCells) {
        for (Isa isa : {Isa::plain, Isa::avx2, Isa::avx512}) {
            for (const NamedFormat& weights : kWeightFormats) {
                CellConfig cell = default_cell(info.kind, 1, 1);
                cell.weights = weights.format;
                const CellKernelEntry& entry = choose_cell_kernel(cell, isa);
                EXPECT_EQ(entry.isa, isa);
                EXPECT_EQ(std::string(entry.name),
                          std::string(info.name) + "_" + name_of(isa) + "_" + weights.name);
            }
        }
    }
}

// The lists are products of axes: no name occurs twice, and of each format the best instruction set
// comes first.
TEST(KernelList, NamesAreUniqueAndTheBestComeFirst) {
    std::set<std::string> names;
    for (const auto entries : {cell_kernels(), rounding_cell_kernels()}) {
        const CellKernelEntry* last = nullptr;
        for (const CellKernelEntry& entry : entries) {
            if (last != nullptr && last->weights == entry.weights) {
                EXPECT_LE(entry.isa, last->isa) << entry.name;
            }
            EXPECT_EQ(entry.weights.rounds_rows(), entries.data() != cell_kernels().data());
            last = &entry;
            names.insert(entry.name);
        }
    }
    EXPECT_EQ(names.size(), 96u);
    EXPECT_EQ(names.count("gru_lbr_avx512_bf16w"), 1u);
    EXPECT_EQ(names.count("rnn_avx2_w8r16"), 1u);
    for (const auto entries : {gemm_kernels(), rounding_gemm_kernels()}) {
        for (const GemmKernelEntry& entry : entries) names.insert(entry.name);
    }
    EXPECT_EQ(names.size(), 96u + 24u);
    EXPECT_EQ(names.count("gemm_plain_f64"), 1u);
    EXPECT_EQ(names.count("gemm_avx2_bf16"), 1u);
}

TEST(KernelList, RefusalsSayWhy) {
    const Support support = cell_kernels()[0].supports(default_cell(CellKind::rnn, 1, 1));
    EXPECT_FALSE(support.ok);
    EXPECT_EQ(support.reason, "computes lstm, not rnn");
    CellConfig cell = default_cell(CellKind::lstm, 1, 1);
    cell.weights = ElementType::bf16;
    EXPECT_EQ(cell_kernels()[0].supports(cell).reason, "takes weights of type f32, not bf16");
}

TEST(KernelList, NothingForAnUnknownKind) {
    CellConfig cell = default_cell(CellKind::rnn, 1, 1);
    cell.kind = static_cast<CellKind>(99);
    expect_error<UnsupportedError>([&] { choose_cell_kernel(cell, Isa::avx2); },
                                   "lstm_avx2_f32: computes lstm");
}

}  // namespace
}  // namespace rondo::cpu::kernel_errors_test
