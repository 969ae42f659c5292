#include "plugins/cpu/plugin/run/call_forms.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

#include "core/graph/tensor_impl.hpp"
#include "plugins/cpu/plugin/run/memory_ranges.hpp"

namespace rondo::cpu {
namespace {

// A place that a long cycle of sizes doesn't always find just before it comes back to it.
std::size_t scattered(std::uint32_t count, std::size_t places) {
    return (count * 2654435761U >> 16) % places;
}

std::size_t joined(std::size_t key, const void* data, std::size_t bytes) {
    const std::string_view text(static_cast<const char*>(data), bytes);
    return key * 0x9E3779B97F4A7C15U + std::hash<std::string_view>{}(text);
}

std::size_t joined(std::size_t key, const Shape& shape) {
    return joined(key, shape.data(), shape.size() * sizeof(std::size_t));
}

bool same_elements(const std::pair<std::size_t, Tensor>& read, std::span<const void* const> data) {
    const auto& seen = Tensor::Impl::of(read.second);
    return seen.bytes == 0 || std::memcmp(data[read.first], seen.data, seen.bytes) == 0;
}

}  // namespace

// Mostly the one that came after the last one before.
const CallForm* CallForms::find(const Inputs& inputs) {
    Kept* next = last_ != nullptr ? last_->next : nullptr;
    const bool fits =
        next != nullptr && has_sizes(next->form, inputs) && has_elements(next->form, inputs);
    if (!fits) next = look_up(inputs);
    if (next == nullptr) return nullptr;
    go_on_to(*next);
    return &next->form;
}

CallForms::Kept* CallForms::look_up(const Inputs& inputs) {
    const std::size_t sizes = key_of_sizes(inputs);
    Kept* first = with_sizes(sizes, inputs);
    if (first == nullptr || has_elements(first->form, inputs)) return first;
    const auto [begin, end] = index_.equal_range(key_of_elements(first->form, sizes, inputs));
    const auto found = std::find_if(begin, end, [&](const auto& entry) {
        const CallForm& form = entry.second->form;
        return has_sizes(form, inputs) && has_elements(form, inputs);
    });
    return found == end ? nullptr : found->second;
}

const CallForm& CallForms::add(CallForm form, const Inputs& inputs) {
    Kept& kept = place_for_one();
    kept.form = std::move(form);
    kept.sizes = key_of_sizes(inputs);
    const Kept* first = with_sizes(kept.sizes, inputs);
    if (first == nullptr) index_.emplace(kept.sizes, &kept);
    kept.elements = kept.sizes;
    if (kept.form.finder || !kept.form.reads.empty()) {
        kept.elements =
            key_of_elements(first == nullptr ? kept.form : first->form, kept.sizes, inputs);
        index_.emplace(kept.elements, &kept);
    }
    go_on_to(kept);
    return kept.form;
}

void CallForms::go_on_to(Kept& kept) {
    if (last_ != nullptr) last_->next = &kept;
    last_ = &kept;
}

CallForms::Kept& CallForms::place_for_one() {
    if (forms_.size() < most_) return forms_.emplace_back();
    Kept& old = forms_[scattered(replaced_++, most_)];
    forget(old, old.sizes);
    forget(old, old.elements);
    return old;
}

void CallForms::forget(Kept& kept, std::size_t key) {
    const auto [begin, end] = index_.equal_range(key);
    const auto found =
        std::find_if(begin, end, [&](const auto& entry) { return entry.second == &kept; });
    if (found != end) index_.erase(found);
}

bool CallForms::has_sizes(const CallForm& form, const Inputs& inputs) const {
    std::size_t floating = 0;
    for (const FloatingPort& port : ports_.inputs) {
        if (!port.floats) continue;
        const FloatingValue& value = inputs.memory.of(port.value);
        if (form.types[floating] != value.type) return false;
        if (!same_shape(form.shapes[floating++], value.shape)) return false;
    }
    return true;
}

bool CallForms::has_elements(const CallForm& form, const Inputs& inputs) {
    const auto is_same = [&](const auto& read) { return same_elements(read, inputs.data); };
    if (!std::all_of(form.reads.begin(), form.reads.end(), is_same)) return false;
    if (!form.finder) return true;
    found_.resize(form.extents.size());
    form.finder(inputs.data, found_);
    return std::equal(found_.begin(), found_.end(), form.extents.begin(), same_shape);
}

std::size_t CallForms::key_of_sizes(const Inputs& inputs) const {
    std::size_t key = 0;
    for (const FloatingPort& port : ports_.inputs) {
        if (!port.floats) continue;
        const FloatingValue& value = inputs.memory.of(port.value);
        key = joined(key + static_cast<std::size_t>(value.type), value.shape);
    }
    return key;
}

// By what another form of the same sizes depends on. Extents may be asked for only where what was
// read is the same.
std::size_t CallForms::key_of_elements(const CallForm& form, std::size_t sizes,
                                       const Inputs& inputs) {
    std::size_t key = sizes + 1;
    bool same = true;
    for (const auto& read : form.reads) {
        key = joined(key, inputs.data[read.first], read.second.byte_size());
        same = same && same_elements(read, inputs.data);
    }
    if (!form.finder || !same) return key;
    found_.resize(form.extents.size());
    form.finder(inputs.data, found_);
    for (const Shape& shape : found_) key = joined(key, shape);
    return key;
}

CallForms::Kept* CallForms::with_sizes(std::size_t key, const Inputs& inputs) const {
    const auto [begin, end] = index_.equal_range(key);
    const auto found = std::find_if(
        begin, end, [&](const auto& entry) { return has_sizes(entry.second->form, inputs); });
    return found == end ? nullptr : found->second;
}

}  // namespace rondo::cpu
