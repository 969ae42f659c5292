#include "core/streams/state_store.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "core/support/errors.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"

namespace rondo {
namespace {

constexpr std::size_t kAlignment = 8;
constexpr std::size_t kBlockBytes = std::size_t{64} << 10;  // the system's memory in few calls

std::size_t aligned(std::size_t bytes) { return (bytes + kAlignment - 1) & ~(kAlignment - 1); }

// A row's extents, 1 along its axis; open ones are as small as they may be.
Shape row_shape_of(const PartialShape& shape, std::optional<std::size_t> axis) {
    Shape row;
    if (!shape.has_rank()) return {0};
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        row.push_back(axis == i ? 1 : static_cast<std::size_t>(shape[i].min()));
    }
    return row;
}

bool has_known_rows(const PartialShape& shape, std::optional<std::size_t> axis) {
    if (!shape.has_rank()) return false;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (axis != i && !shape[i].is_static()) return false;
    }
    return true;
}

}  // namespace

StateStore::StateStore(const Graph& graph, const std::vector<std::optional<std::size_t>>& axes) {
    auto variables = ops::variables_of(graph);
    internal_check(axes.size() == variables.size(), "an axis a variable is needed");
    for (std::size_t i = 0; i < variables.size(); ++i) {
        parts_.push_back(make_part(std::move(variables[i]), axes[i]));
    }
}

StateStore::Part StateStore::make_part(ops::Variable variable, std::optional<std::size_t> axis) {
    const PartialShape shape = variable.shape();
    const ElementType type = variable.type();
    has_slots_ = has_slots_ && has_known_rows(shape, axis);
    Shape row = row_shape_of(shape, axis);
    const RowLayout layout(type, row, axis);
    return {std::move(variable), axis, row, layout, 0, row};
}

// The extent of the row axis that a stream has. Once there are slots it stays.
void StateStore::settle_extent(Part& part, std::size_t extent) const {
    if (!part.axis || part.row_shape[*part.axis] == extent) return;
    if (slot_bytes_ > 0) {
        throw UnsupportedError(
            "variable '" + part.variable.id + "' has an extent of " + std::to_string(extent) +
            " along axis " + std::to_string(*part.axis) + " for one stream, but had " +
            std::to_string(part.row_shape[*part.axis]) + "; the states of a pool keep their size");
    }
    const std::lock_guard lock(mutex_);
    part.row_shape[*part.axis] = extent;
    part.batch_shape = part.row_shape;
    part.layout = RowLayout(part.variable.type(), part.row_shape, part.axis);
}

void StateStore::settle_slots() {
    if (slot_bytes_ > 0) return;
    std::size_t bytes = aligned(parts_.size());
    for (Part& part : parts_) {
        part.offset = bytes;
        bytes += aligned(part.layout.row_bytes());
    }
    const std::lock_guard lock(mutex_);
    slot_bytes_ = bytes;
}

void StateStore::need_slot(StreamState& state) {
    if (state.slot != nullptr) return;
    settle_slots();
    const std::lock_guard lock(mutex_);
    if (free_slots_.empty()) {
        const std::size_t count = std::max<std::size_t>(kBlockBytes / slot_bytes_, 1);
        free_slots_.reserve((blocks_.size() + 1) * count);  // close() must not throw
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(count * slot_bytes_));
        for (std::size_t i = count; i-- > 0;) {
            free_slots_.push_back(blocks_.back().get() + i * slot_bytes_);
        }
    }
    state.slot = free_slots_.back();
    free_slots_.pop_back();
    std::memset(state.slot, 0, parts_.size());
}

StreamState StateStore::open() {
    StreamState state;
    state.loose.reserve(parts_.size());  // set() must not throw
    if (!has_slots_) state.loose.resize(parts_.size());
    return state;
}

void StateStore::close(StreamState& state) {
    state.loose.clear();
    if (state.slot == nullptr) return;
    const std::lock_guard lock(mutex_);
    free_slots_.push_back(std::exchange(state.slot, nullptr));
}

void StateStore::reset(StreamState& state) const {
    if (state.slot != nullptr) std::memset(state.slot, 0, parts_.size());
    std::fill(state.loose.begin(), state.loose.end(), Tensor());
}

void StateStore::copy(const StreamState& from, StreamState& to) {
    reset(to);
    if (from.slot != nullptr) {
        need_slot(to);
        std::memcpy(to.slot, from.slot, slot_bytes_);
    }
    to.loose.resize(from.loose.size());
    for (std::size_t i = 0; i < from.loose.size(); ++i) {
        to.loose[i] = from.loose[i] ? copy_of(from.loose[i]) : Tensor();
    }
}

void StateStore::restore(StreamState& kept, StreamState& state) const {
    reset(state);
    const bool have_slots = kept.slot != nullptr && state.slot != nullptr;
    if (have_slots) std::memcpy(state.slot, kept.slot, slot_bytes_);
    state.loose.swap(kept.loose);
}

bool StateStore::is_set(const StreamState& state, std::size_t part) const {
    if (!state.loose.empty() && state.loose[part]) return true;
    return state.slot != nullptr && state.slot[part] != std::byte{0};
}

// Values that were set before there were slots.
void StateStore::move_to_slot(StreamState& state) {
    for (std::size_t i = 0; i < state.loose.size(); ++i) {
        const Tensor& value = state.loose[i];
        if (!value || value.shape() == parts_[i].row_shape) continue;
        throw ModelError("variable '" + parts_[i].variable.id + "' was set to a tensor of shape " +
                         to_string(value.shape()) + "; the state of a stream has " +
                         to_string(parts_[i].row_shape));
    }
    need_slot(state);
    for (std::size_t i = 0; i < state.loose.size(); ++i) {
        if (state.loose[i]) put_in_slot(state, i, state.loose[i]);
    }
    state.loose.clear();
}

void StateStore::put_in_slot(StreamState& state, std::size_t part, const Tensor& value) const {
    state.slot[part] = std::byte{1};
    if (value.byte_size() == 0) return;
    std::memcpy(state.slot + parts_[part].offset, value.data(), value.byte_size());
}

StateStore::Values StateStore::get(const StreamState& state) const {
    Values values;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Part& part = parts_[i];
        if (!state.loose.empty() && state.loose[i]) {
            values.emplace(part.variable.id, copy_of(state.loose[i]));
            continue;
        }
        Tensor value(part.variable.type(), part.row_shape);
        if (is_set(state, i) && value.byte_size() > 0) {
            std::memcpy(value.data(), state.slot + part.offset, value.byte_size());
        }
        values.emplace(part.variable.id, std::move(value));
    }
    return values;
}

StateStore::Values StateStore::save(const StreamState& state) const {
    Values values = get(state);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (!is_set(state, i)) values[parts_[i].variable.id] = Tensor();
    }
    return values;
}

const StateStore::Part& StateStore::part_of(const std::string& name) const {
    for (const Part& part : parts_) {
        if (part.variable.id == name) return part;
    }
    std::vector<std::string> known;
    for (const Part& part : parts_) known.push_back(part.variable.id);
    throw ModelError("the model has no variable '" + name + "'; " + known_names(name, known));
}

void StateStore::check(const Values& values) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, value] : values) {
        const Part& part = part_of(name);
        if (!value) throw ModelError("variable '" + name + "': the tensor is empty");
        const PartialShape expected =
            slot_bytes_ > 0 ? PartialShape(part.row_shape) : part.variable.shape();
        if (value.element_type() == part.variable.type() && expected.contains(value.shape())) {
            continue;
        }
        throw ModelError("variable '" + name + "': got " + text_of(value) + "; expected " +
                         text_of(part.variable.type(), expected) + ", the state of one stream");
    }
}

void StateStore::check_saved(Values& values) const {
    for (const auto& [name, value] : values) part_of(name);
    if (values.size() != parts_.size()) {
        throw ModelError("the state is of " + counted(values.size(), "variable") +
                         "; the model has " + std::to_string(parts_.size()));
    }
    std::erase_if(values, [](const auto& entry) { return !entry.second; });
    check(values);
}

void StateStore::set(StreamState& state, const Values& values) const {
    for (const auto& [name, value] : values) {
        const Part& part = part_of(name);
        const auto index = static_cast<std::size_t>(&part - parts_.data());
        const Tensor dense = value.contiguous();
        // It has another shape if it was checked before there were slots: load() refuses it.
        const bool fits = state.slot != nullptr && dense.shape() == part.row_shape;
        if (!fits) state.loose.resize(parts_.size());
        if (!state.loose.empty()) state.loose[index] = fits ? Tensor() : dense;
        if (fits) put_in_slot(state, index, dense);
    }
}

bool StateStore::may_share_batch(const StreamState& a, const StreamState& b) const {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (parts_[i].variable.read->has_init() && is_set(a, i) != is_set(b, i)) return false;
    }
    return true;
}

void StateStore::load(std::span<StreamState* const> states, std::size_t rows,
                      std::span<VariableValue> variables) {
    for (StreamState* state : states) {
        if (slot_bytes_ > 0 && !state->loose.empty()) move_to_slot(*state);
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const StreamState& first = *states[0];
        if (!first.loose.empty() && first.loose[i]) {
            variables[i].set(first.loose[i]);
        } else if (parts_[i].variable.read->has_init() && !is_set(first, i)) {
            variables[i].reset();
        } else if (!has_slots_ && !parts_[i].axis) {
            variables[i].reset();
        } else {
            load_part(i, states, rows, variables[i]);
        }
    }
}

void StateStore::load_part(std::size_t index, std::span<StreamState* const> states,
                           std::size_t rows, VariableValue& variable) {
    Part& part = parts_[index];
    if (part.axis) part.batch_shape[*part.axis] = rows * part.row_shape[*part.axis];
    auto* batch = static_cast<std::byte*>(variable.stage(part.batch_shape).data());
    for (std::size_t row = 0; row < rows; ++row) {
        const StreamState& state = *states[row < states.size() ? row : 0];
        if (is_set(state, index)) {
            part.layout.put(state.slot + part.offset, batch, rows, row);
        } else {
            part.layout.clear(batch, rows, row);
        }
    }
    variable.commit();
}

void StateStore::store(std::span<StreamState* const> states, std::size_t rows,
                       std::span<const VariableValue> variables) {
    for (std::size_t i = 0; i < parts_.size() && has_slots_; ++i) {
        if (!parts_[i].axis) continue;
        const std::size_t extent = variables[i].value().shape()[*parts_[i].axis];
        internal_check(extent % rows == 0, "a variable has another batch than the inputs");
        settle_extent(parts_[i], extent / rows);
    }
    for (StreamState* state : states) {
        if (!has_slots_ || parts_.empty()) continue;
        need_slot(*state);
        state->loose.clear();
    }
    if (!has_slots_) return store_loose(*states[0], variables);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Part& part = parts_[i];
        const Tensor& value = variables[i].value();
        const void* batch = value.data();
        for (std::size_t row = 0; row < states.size(); ++row) {
            states[row]->slot[i] = std::byte{1};
            part.layout.take(batch, rows, row, states[row]->slot + part.offset);
        }
    }
}

// All memory is there before the first value changes.
void StateStore::store_loose(StreamState& state, std::span<const VariableValue> variables) {
    std::vector<Tensor> fresh;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Tensor& value = variables[i].value();
        if (state.loose[i] && state.loose[i].shape() == value.shape()) continue;
        fresh.resize(parts_.size());
        fresh[i] = Tensor(value.element_type(), value.shape());
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (!fresh.empty() && fresh[i]) state.loose[i] = std::move(fresh[i]);
        variables[i].value().copy_to(state.loose[i]);
    }
}

}  // namespace rondo
