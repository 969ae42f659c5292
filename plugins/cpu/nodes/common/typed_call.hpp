// Calls that run a plain elementwise loop over operands that are broadcast.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {

/// K inputs, one output.
template <std::size_t K>
class TypedCall final : public Call {
public:
    TypedCall(const Node& node, ElementLoop<K> loop, const CallSite& site)
        : node_(node), loop_(loop), walk_(walk_of(site)) {
        for (std::size_t k = 0; k < K; ++k) bytes_[k] = element_bytes(site.inputs[k].type);
        bytes_[K] = element_bytes(site.outputs[0].type);
    }

    /// Throws ModelError naming the node where an element has no value.
    void run(const RunArgs& args) const override {
        std::atomic<bool> has_value = true;
        const auto& axis = walk_.run();
        const auto run_at = [&](const Offsets& at, std::int64_t first, std::int64_t count) {
            ElementRun<K> run;
            for (std::size_t k = 0; k < K; ++k) {
                run.from[k] = static_cast<const char*>(args.inputs[k]) +
                              (at[k] + first * axis.steps[k]) * bytes_[k];
                run.steps[k] = axis.steps[k];
            }
            run.to = static_cast<char*>(args.outputs[0]) + (at[K] + first) * bytes_[K];
            run.n = count;
            if (!loop_(run)) has_value.store(false, std::memory_order_relaxed);
        };
        if (walk_.runs() == 1) {
            share(args.team, axis.count, kGrain,
                  [&](std::int64_t begin, std::int64_t end) { run_at({}, begin, end - begin); });
        } else {
            share(args.team, walk_.runs(), kGrain / (axis.count + 1) + 1,
                  [&](std::int64_t begin, std::int64_t end) {
                      walk_.for_each_run(begin, end,
                                         [&](const Offsets& at) { run_at(at, 0, axis.count); });
                  });
        }
        if (has_value) return;
        throw ModelError(describe(node_) + ": divides an integer by 0; expected other divisors");
    }

private:
    using Offsets = typename NdLoop<K + 1>::Offsets;

    static constexpr std::int64_t kGrain = 1 << 15;  // elements that are worth a thread

    static NdLoop<K + 1> walk_of(const CallSite& site) {
        std::array<const Shape*, K> shapes{};
        for (std::size_t k = 0; k < K; ++k) shapes[k] = &site.inputs[k].shape;
        return broadcast_loop<K>(shapes, site.outputs[0].shape);
    }

    const Node& node_;
    ElementLoop<K> loop_;
    NdLoop<K + 1> walk_;
    std::array<std::int64_t, K + 1> bytes_{};  // of an element of each input, then of the output
};

/// A node of such calls. Throws UnsupportedError naming it where `loop` is null. Kernel name:
/// "Add_plain_i64".
template <std::size_t K>
std::unique_ptr<CpuNode> make_typed_node(const Node& node, ElementLoop<K> loop) {
    const std::string type(to_string(node.input(K - 1).element_type()));
    if (loop == nullptr) {
        throw UnsupportedError(describe(node) + ": the CPU device has no kernel for " + type);
    }
    return make_function_node(node,
                              {std::string(node.type_name()) + "_plain_" + type,
                               "one pass; axes that repeat are not copied"},
                              [&node, loop](const CallSite& site) {
                                  return std::make_unique<TypedCall<K>>(node, loop, site);
                              });
}

}  // namespace rondo::cpu
