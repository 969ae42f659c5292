// Where an executor writes the results: the caller's tensors, its own, or a detour.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/graph.hpp"
#include "plugins/cpu/plugin/plan/plan.hpp"
#include "plugins/cpu/plugin/run/memory_ranges.hpp"
#include "rondo/infer_request.hpp"
#include "rondo/tensor.hpp"

namespace rondo::cpu {

/// What becomes of an output that this object supplies where an input shares its memory.
enum class OwnOutputs : std::uint8_t {
    stay,       ///< it is written at the end, so that the caller finds it where it was
    take_turns  ///< another one takes its place
};

/// Settles in each run where the results of one segment go. Allocates only where sizes changed.
class OutputBinding {
public:
    /// `plan` must outlive this object.
    OutputBinding(const Graph& graph, const Plan& plan)
        : graph_(graph),
          expected_(plan.outputs),
          own_(expected_.size()),
          spare_(expected_.size()),
          detours_(expected_.size()) {}

    /// Fills those of the empty outputs that the segment writes with tensors in memory of
    /// `allocator`'s, which may be null, or else of this object's, and chooses their targets: the
    /// output itself, or a detour where it shares memory with an input (a state kept in place).
    /// `targets` and `outputs` hold all results of the graph. Throws ModelError where an output's
    /// type, shape or memory won't do.
    void bind(std::span<const Tensor> inputs, std::span<Tensor> outputs, std::span<void*> targets,
              OwnOutputs own_outputs = OwnOutputs::stay,
              const OutputAllocator* allocator = nullptr);

    /// Copies the detours to the outputs, once all results are written.
    void finish(std::span<Tensor> outputs) const {
        if (has_detours_) copy_detours(outputs);
    }

    /// Drops this object's tensors where they hold more than kWorthKeeping together.
    void release_large();
    static constexpr std::size_t kWorthKeeping = std::size_t{1} << 20;

private:
    const Tensor& own_output(std::size_t index, std::span<const Tensor> inputs,
                             OwnOutputs own_outputs);
    bool overlaps_any(const MemoryRange& range, std::span<const Tensor> inputs) const;
    void* target_of(std::size_t index, const Tensor& output, std::span<const Tensor> inputs);
    void check_apart(std::span<const Tensor> outputs);
    [[noreturn]] void refuse(std::size_t output, std::size_t other) const;
    void copy_detours(std::span<Tensor> outputs) const;

    const Graph& graph_;
    std::span<const PlannedEnd> expected_;
    std::vector<Tensor> own_;      // an expected output each
    std::vector<Tensor> spare_;    // likewise, for turns
    std::vector<Tensor> detours_;  // likewise
    MemoryRanges ranges_;          // of the inputs, then of the outputs, where there are many
    bool is_sorted_ = false;       // the inputs are in `ranges_`
    bool has_detours_ = false;
};

/// True where `tensor` has that type and shape.
bool has_form(const Tensor& tensor, const TensorInfo& form);

/// Throws ModelError naming the result unless `output` is contiguous and has that type and shape.
void check_output(const Node& result, const Tensor& output, const TensorInfo& expected);

}  // namespace rondo::cpu
