#include "plugins/cpu/nodes/control/joined_parts.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "plugins/cpu/nodes/common/extents.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

AlignedBytes allocated(std::size_t bytes) {
    try {
        return AlignedBytes(bytes);
    } catch (const std::bad_alloc&) {
        throw OutOfMemoryError("can't allocate " + std::to_string(bytes) +
                               " bytes for the results of all iterations");
    }
}

}  // namespace

void JoinedParts::start(std::size_t most) {
    most_ = most;
    count_ = 0;
    first_ = {};
}

void JoinedParts::add(const Tensor& part, Check check) {
    if (count_ == 0) {
        first_ = part;
        part_bytes_ = part.byte_size();
    }
    reserve((count_ + 1) * part_bytes_, check);
    if (part_bytes_ > 0) {
        std::memcpy(memory_.data() + count_ * part_bytes_, part.data(), part_bytes_);
    }
    ++count_;
}

void JoinedParts::reserve(std::size_t bytes, Check check) {
    const bool grows = bytes > memory_.size();
    check(bytes, memory() + (grows ? bytes : 0));
    if (!grows) return;
    constexpr std::size_t kWorthIt = std::size_t{1} << 20;
    std::size_t wanted = std::max(bytes, 2 * memory_.size());
    if (most_ <= kWorthIt / part_bytes_) wanted = std::max(wanted, most_ * part_bytes_);
    AlignedBytes larger = allocated(wanted);
    if (count_ > 0) std::memcpy(larger.data(), memory_.data(), count_ * part_bytes_);
    memory_ = std::move(larger);
    forms_.clear();
}

const Tensor& JoinedParts::join(Team& team) {
    Form* form = forms_.find([&](const Form& other) {
        return other.whole.element_type() == first_.element_type() && other.count == count_ &&
               other.part == first_.shape();
    });
    const bool in_order = !reversed_ && is_block(first_.shape(), axis_);
    if (form == nullptr) form = &forms_.add(make_form(in_order));
    if (!in_order) place(*form, team);
    return form->whole;
}

JoinedParts::Form JoinedParts::make_form(bool in_order) {
    Form form;
    form.part = first_.shape();
    form.count = count_;
    Shape shape = form.part;
    shape[axis_] *= count_;
    if (in_order) {
        form.whole = Tensor(first_.element_type(), shape, memory_.data());
        return form;
    }
    if (ordered_.size() < memory_.size()) {
        ordered_ = allocated(memory_.size());
        forms_.clear();
    }
    form.whole = Tensor(first_.element_type(), shape, ordered_.data());
    const std::int64_t element = element_bytes(first_.element_type());
    const Shape& part = first_.shape();
    form.copy = StridedCopy(
        {element, extents_of(part), dense_strides(part, element), dense_strides(shape, element)});
    return form;
}

void JoinedParts::place(Form& form, Team& team) const {
    if (part_bytes_ == 0) return;
    const Shape& shape = form.whole.shape();
    std::size_t step = size_of(first_.element_type()) * first_.shape()[axis_];
    for (std::size_t i = axis_ + 1; i < shape.size(); ++i) step *= shape[i];
    auto* whole = static_cast<std::byte*>(form.whole.data());
    for (std::size_t i = 0; i < count_; ++i) {
        const std::size_t at = reversed_ ? count_ - 1 - i : i;
        form.copy.run(memory_.data() + i * part_bytes_, whole + at * step, team);
    }
}

}  // namespace rondo::cpu
