#include "plugins/cpu/nodes/node_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/ops/op_list.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "plugins/cpu/ops/compressed_matrix.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "plugins/cpu/ops/scaled_weights.hpp"
#include "plugins/cpu/ops/sequence_stack.hpp"
#include "plugins/cpu/ops/strided_sequence.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/mystery_op.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::cpu::node_list_test {
namespace {

TEST(NodeList, IsSortedAndNamesKnownOps) {
    const auto list = node_list();
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end(),
                               [](const auto& a, const auto& b) { return a.type < b.type; }));
    for (const auto& entry : list) {
        const auto known = ops::op_list();
        const bool found = std::any_of(known.begin(), known.end(),
                                       [&](const auto& op) { return op.type->name == entry.type; });
        // Those that a pass of this plugin makes, and no file has.
        const auto made = {cpu::FusedConvolution::kType.name, cpu::FusedElementwise::kType.name,
                           cpu::FusedMatMul::kType.name,      cpu::FusedReduction::kType.name,
                           cpu::StridedSequence::kType.name,  cpu::SequenceStack::kType.name,
                           cpu::ScaledWeights::kType.name,    cpu::StoredWeights::kType.name,
                           cpu::FusedMvn::kType.name,         cpu::FusedMatMulInteger::kType.name,
                           cpu::CompressedMatrix::kType.name};
        const bool own = std::find(made.begin(), made.end(), entry.type) != made.end();
        EXPECT_TRUE(found || own) << entry.type;
    }
}

TEST(NodeList, RefusesAnOpThatNobodyCanRun) {
    const auto x = test::parameter("x", {2});
    const auto node = test::named(make_node<test::Mystery>(std::vector<Output>{x}), "what");
    const auto graph = test::graph_of({x}, {node});
    test::expect_error<UnsupportedError>([&] { test::on_cpu(*graph); },
                                         "node 'what' (Mystery): the CPU device can't run this op");
}

}  // namespace
}  // namespace rondo::cpu::node_list_test
