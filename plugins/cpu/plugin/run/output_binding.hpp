// Where an executor writes the results: the caller's tensors, its own, or a detour.
#pragma once

#include <span>
#include <vector>

#include "core/graph/graph.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::cpu {

/// Settles each run where the results go. Allocates only where sizes changed.
class OutputBinding {
public:
    explicit OutputBinding(const Graph& graph)
        : graph_(graph),
          own_(graph.results().size()),
          detours_(graph.results().size()),
          targets_(graph.results().size()) {}

    /// Fills empty outputs with tensors of this object's, and chooses a target for each result: the
    /// output itself, or a detour where it shares memory with an input (a state kept in place).
    /// Throws ModelError where an output's type, shape or memory won't do.
    void bind(std::span<const Tensor> inputs, std::span<Tensor> outputs,
              std::span<const TensorInfo> expected);

    /// Where result `index` has to be written.
    void* target(std::size_t index) const { return targets_[index]; }

    /// Copies the detours to the outputs, once all results are written.
    void finish(std::span<Tensor> outputs) const;

    /// Lets go of this object's tensors where they hold more than kWorthKeeping together.
    void release_large();
    static constexpr std::size_t kWorthKeeping = std::size_t{1} << 20;

private:
    void check_apart(std::span<const Tensor> outputs) const;

    const Graph& graph_;
    std::vector<Tensor> own_;
    std::vector<Tensor> detours_;
    std::vector<void*> targets_;
};

/// True where `tensor` has that type and shape.
bool has_form(const Tensor& tensor, const TensorInfo& form);

/// Throws ModelError naming the result unless `output` is contiguous and has that type and shape.
void check_output(const Node& result, const Tensor& output, const TensorInfo& expected);

}  // namespace rondo::cpu
