// Kernels that layers and models share.
#include "plugins/cpu/kernels/choice/kernel_list.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::cpu::tests::shared_kernels_test {
namespace {

const CellKernelEntry& entry_of(const CellConfig& config) {
    return choose_cell_kernel(config, cpu_features().best());
}

std::shared_ptr<const CellKernel> cell_of(const CellConfig& config) {
    return shared_cell_kernel(entry_of(config), config);
}

TEST(SharedKernels, EqualProductsAreOne) {
    const Isa best = cpu_features().best();
    const auto f32 = shared_gemm_kernel(best);
    EXPECT_EQ(shared_gemm_kernel(best), f32);
    EXPECT_NE(shared_gemm_kernel(best, ElementType::f16), f32);
    EXPECT_EQ(f32->weights(), ElementType::f32);
    const auto plain = shared_gemm_kernel(Isa::plain);
    EXPECT_EQ(plain == f32, best == Isa::plain);
    rondo::test::expect_error<UnsupportedError>(
        [] { shared_gemm_kernel(Isa::plain, ElementType::i32); }, "no matrix product for weights");
}

// Cells differ if anything differs that the code depends on.
TEST(SharedKernels, EqualCellsAreOne) {
    const CellConfig config = default_cell(CellKind::lstm, 7, 9);
    std::vector<CellConfig> configs(11, config);
    configs[1].kind = CellKind::rnn;
    configs[2].input_size = 8;
    configs[3].hidden_size = 10;
    configs[4].f = {ActivationKind::hard_sigmoid, 0.5f, 0.0f};
    configs[5].f = {ActivationKind::hard_sigmoid, 0.5f, -0.0f};
    configs[6].g = {ActivationKind::leaky_relu, 0.1f};
    configs[7].h = {ActivationKind::leaky_relu, 0.1f};
    configs[8].clip = 1;
    configs[9].peephole = true;
    configs[10].weights = ElementType::f16;
    std::vector<std::shared_ptr<const CellKernel>> cells;
    for (const CellConfig& each : configs) cells.push_back(cell_of(each));
    EXPECT_EQ(std::set(cells.begin(), cells.end()).size(), configs.size());
    for (std::size_t i = 0; i < configs.size(); ++i) {
        EXPECT_EQ(cell_of(configs[i]), cells[i]) << i;
        EXPECT_EQ(cells[i]->config(), configs[i]) << i;
    }
    const auto plain = shared_cell_kernel(choose_cell_kernel(config, Isa::plain), config);
    EXPECT_EQ(plain == cells[0], cpu_features().best() == Isa::plain);
}

TEST(SharedKernels, NobodyKeepsWhatNobodyHolds) {
    std::weak_ptr<const CellKernel> cell = cell_of(default_cell(CellKind::gru, 3, 5));
    EXPECT_TRUE(cell.expired());
    std::weak_ptr<const GemmKernel> gemm = shared_gemm_kernel(Isa::plain, ElementType::bf16);
    EXPECT_TRUE(gemm.expired());
}

TEST(SharedKernels, ThreadsGetTheSame) {
    std::vector<std::shared_ptr<const CellKernel>> cells(4);
    std::vector<std::thread> threads;
    for (auto& cell : cells) {
        threads.emplace_back([&cell] { cell = cell_of(default_cell(CellKind::lstm, 11, 13)); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& cell : cells) EXPECT_EQ(cell, cells[0]);
}

}  // namespace
}  // namespace rondo::cpu::tests::shared_kernels_test
