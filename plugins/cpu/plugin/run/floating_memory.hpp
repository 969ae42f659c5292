// Finds memory for the floating values of a run, and keeps their shapes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/support/limits.hpp"
#include "plugins/cpu/plugin/plan/plan.hpp"
#include "plugins/cpu/plugin/run/arena.hpp"
#include "plugins/cpu/plugin/run/memory_ranges.hpp"

namespace rondo::cpu {

/// A value whose shape the present run has found.
struct FloatingValue {
    ElementType type = ElementType::dynamic;
    Shape shape;
    char* data = nullptr;
    std::optional<std::size_t> block = {};  ///< of the pool; nothing if the memory isn't its own
};

/// For one run at a time. Once it has served some shapes, it serves them without allocating.
class FloatingMemory {
public:
    /// `plan` and `limits` must outlive this object.
    FloatingMemory(const Plan& plan, std::size_t values, const ModelLimits& limits);

    /// Takes the shapes and addresses of the inputs, which must stay until finish().
    void start(std::span<const Tensor> inputs);
    const FloatingValue& of(ValueId id) const { return values_[id]; }
    /// New memory for a value; that of a result where it is one. Throws ModelError where it
    /// exceeds the limits.
    void* give_memory(ValueId id, ElementType type, const Shape& shape);
    /// The value lies at `data`, which is in that block, or in memory that stays.
    void set_view(ValueId id, const TensorInfo& form, char* data, std::optional<std::size_t> block);
    /// The value lies in a tensor that stays.
    void set_tensor(ValueId id, const Tensor& tensor);
    /// No later step reads the value.
    void release(ValueId id);
    /// Memory for one call; the next call of this function may return the same.
    void* scratch(std::size_t bytes);
    /// Sets those of the outputs that float.
    void finish(std::span<Tensor> outputs);
    /// Frees memory where it is much. No run goes on.
    void release_large();

private:
    std::optional<std::size_t> result_of(ValueId id) const;
    void check_memory(std::size_t more) const;

    const FloatingPart& part_;
    std::size_t arena_bytes_;
    const ModelLimits& limits_;
    std::span<const Tensor> inputs_;  // of this run
    std::vector<FloatingValue> values_;
    std::vector<GrowingResult> results_;  // a result each of the graph
    std::vector<Tensor> written_;         // likewise: those that hold their value already
    BlockPool pool_;
};

}  // namespace rondo::cpu
