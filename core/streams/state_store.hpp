// Keeps the variables of many streams, and brings those of a batch to an executor and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ops/state/variables.hpp"
#include "core/runtime/variable_value.hpp"
#include "core/streams/row_layout.hpp"
#include "core/support/process.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

/// The variables of one stream. If their extents besides the row axis are known, they lie in
/// `slot`: a byte for each that says whether it has a value, then the values; null as long as none
/// has. Otherwise, and if they were set before any stream had a slot, each is a tensor of its
/// own, which is empty if it has no value.
struct StreamState {
    std::byte* slot = nullptr;
    std::vector<Tensor> loose;
};

/// Opening, closing and checking states is thread-safe; all else is for one thread at a time. How
/// much of its row axis a variable of one stream has is found with the first values that an
/// inference leaves.
class StateStore {
public:
    using Values = std::map<std::string, Tensor>;

    /// `axes`: the row axis of each of the graph's variables; empty if the whole is a row.
    StateStore(const Graph& graph, const std::vector<std::optional<std::size_t>>& axes);

    /// A state in which no variable has a value.
    StreamState open();
    void close(StreamState& state);

    void reset(StreamState& state) const;
    void copy(const StreamState& from, StreamState& to);
    /// `state` becomes what copy() had put in `kept`, whose values it takes; allocates nothing.
    void restore(StreamState& kept, StreamState& state) const;
    /// Copies; zeros, with open extents as small as they may be, for a variable without a value.
    Values get(const StreamState& state) const;
    /// The same, with an empty tensor for a variable without a value.
    Values save(const StreamState& state) const;
    /// Throws ModelError naming the variable that doesn't exist or fit.
    void check(const Values& values) const;
    /// Throws ModelError unless these are all variables, and those that aren't empty fit. Removes
    /// the empty ones.
    void check_saved(Values& values) const;
    /// `values` must have passed check(), and be the caller's no more. Allocates nothing.
    void set(StreamState& state, const Values& values) const;

    /// True if steps from both states may be rows of one batch: variables with an init input
    /// have values in both or in neither.
    bool may_share_batch(const StreamState& a, const StreamState& b) const;
    /// False as long as an inference may have one row only.
    bool is_settled() const { return parts_.empty() || !has_slots_ || slot_bytes_ > 0; }
    /// `variables` become those of a batch of `rows`, of which the ones after `states` repeat the
    /// first. Throws ModelError for a value that was set and has another extent along its row axis
    /// than other streams have.
    void load(std::span<StreamState* const> states, std::size_t rows,
              std::span<VariableValue> variables);
    /// The reverse, without the repeated ones. Throws UnsupportedError for a value whose extent
    /// along its row axis has changed, before it changes a state.
    void store(std::span<StreamState* const> states, std::size_t rows,
               std::span<const VariableValue> variables);

    /// The bytes of a state, if all have the same.
    std::size_t slot_bytes() const { return slot_bytes_; }

private:
    struct Part {
        ops::Variable variable;
        std::optional<std::size_t> axis;
        Shape row_shape;  // open extents are as small as they may be, that of the row axis 1
        RowLayout layout;
        std::size_t offset = 0;  // in a slot
        Shape batch_shape;
    };

    Part make_part(ops::Variable variable, std::optional<std::size_t> axis);
    const Part& part_of(const std::string& name) const;
    bool is_set(const StreamState& state, std::size_t part) const;
    void settle_extent(Part& part, std::size_t extent) const;
    void settle_slots();
    void need_slot(StreamState& state);
    void move_to_slot(StreamState& state);
    void put_in_slot(StreamState& state, std::size_t part, const Tensor& value) const;
    void store_loose(StreamState& state, std::span<const VariableValue> variables);
    void load_part(std::size_t part, std::span<StreamState* const> states, std::size_t rows,
                   VariableValue& variable);

    std::vector<Part> parts_;
    bool has_slots_ = true;  // all parts have known extents
    std::size_t slot_bytes_ = 0;

    /// Guards what follows, and shapes and slot_bytes_ where they change or check() reads them.
    mutable ForkMutex mutex_;
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::vector<std::byte*> free_slots_;
};

}  // namespace rondo
