#include "rondo/tensor.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "core/graph/tensor_impl.hpp"
#include "core/support/nd_loop.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

constexpr std::size_t kAlignment = 64;  // a cache line, and the widest vector

void set_row_major(const Shape& shape, std::size_t element_size, Strides& strides) {
    strides.resize(shape.size());
    std::size_t stride = element_size;
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = static_cast<std::ptrdiff_t>(stride);
        stride *= shape[i] == 0 ? 1 : shape[i];
    }
}

Strides row_major(const Shape& shape, std::size_t element_size) {
    Strides strides;
    set_row_major(shape, element_size, strides);
    return strides;
}

bool is_row_major(const Shape& shape, const Strides& strides, std::size_t element_size) {
    const Strides expected = row_major(shape, element_size);
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 0) return true;
        if (shape[i] > 1 && strides[i] != expected[i]) return false;
    }
    return true;
}

// calloc() knows which memory is zero as it comes from the system: nothing is written twice.
std::shared_ptr<void> allocate(std::size_t bytes) {
    std::size_t padded = bytes + kAlignment;
    void* data = padded > bytes ? std::calloc(padded, 1) : nullptr;
    if (data == nullptr) {
        throw OutOfMemoryError("can't allocate a tensor of " + std::to_string(bytes) + " bytes");
    }
    const std::shared_ptr<void> owner(data, std::free);
    return {owner, std::align(kAlignment, bytes, data, padded)};
}

// Copies runs of bytes that are contiguous on both sides.
void copy_strided(const Tensor& from, Tensor& to) {
    std::vector<NdAxis<2>> axes;
    for (std::size_t i = 0; i < from.shape().size(); ++i) {
        axes.push_back(
            {static_cast<std::int64_t>(from.shape()[i]), {from.strides()[i], to.strides()[i]}});
    }
    axes.push_back({static_cast<std::int64_t>(size_of(from.element_type())), {1, 1}});
    const NdLoop<2> loop(std::move(axes));
    const auto* source = static_cast<const char*>(from.strided_data());
    auto* target = static_cast<char*>(to.strided_data());
    // A type of one byte leaves no axis of bytes: the innermost run may then have any steps.
    const auto& run = loop.run();
    const bool is_block = run.count == 1 || run.steps == NdLoop<2>::Offsets{1, 1};
    loop.for_each_run([&](const NdLoop<2>::Offsets& at) {
        if (is_block) {
            std::memcpy(target + at[1], source + at[0], static_cast<std::size_t>(run.count));
            return;
        }
        for (std::int64_t i = 0; i < run.count; ++i) {
            target[at[1] + i * run.steps[1]] = source[at[0] + i * run.steps[0]];
        }
    });
}

}  // namespace

Tensor::Impl::Impl(ElementType element_type, const Shape& extents)
    : type(element_type), shape(extents) {
    if (type == ElementType::dynamic) {
        throw ModelError("a tensor needs a known element type, not 'dynamic'");
    }
    count = element_count(shape);
    bytes = count * size_of(type);
    strides = row_major(shape, size_of(type));
}

void Tensor::Impl::rebind(Tensor& tensor, const Shape& shape, void* data) {
    Impl& impl = *tensor.impl_;
    impl.shape = shape;
    impl.count = element_count(shape);
    impl.bytes = impl.count * size_of(impl.type);
    set_row_major(shape, size_of(impl.type), impl.strides);
    impl.data = data;
}

Tensor::Tensor(ElementType type, const Shape& shape) : impl_(std::make_shared<Impl>(type, shape)) {
    auto memory = allocate(impl_->bytes);
    impl_->data = memory.get();
    impl_->owner = std::move(memory);
}

Tensor::Tensor(ElementType type, const Shape& shape, void* data, const Strides& strides)
    : impl_(std::make_shared<Impl>(type, shape)) {
    if (data == nullptr && impl_->count > 0) {
        throw ModelError("a tensor of shape " + to_string(shape) + " can't borrow a null pointer");
    }
    impl_->data = data;
    if (strides.empty()) return;
    if (strides.size() != shape.size()) {
        throw ModelError("a tensor of shape " + to_string(shape) + " got " +
                         std::to_string(strides.size()) + " strides; expected one an axis");
    }
    const auto element_size = static_cast<std::ptrdiff_t>(size_of(type));
    for (const std::ptrdiff_t stride : strides) {
        if (stride % element_size != 0) {
            throw ModelError("the stride " + std::to_string(stride) +
                             " is not a multiple of the element's " + std::to_string(element_size) +
                             " bytes; strides count bytes");
        }
    }
    impl_->strides = strides;
    impl_->contiguous = is_row_major(shape, strides, size_of(type));
}

Tensor::Tensor(ElementType type, const Shape& shape, const void* data,
               std::shared_ptr<const void> owner)
    : impl_(std::make_shared<Impl>(type, shape)) {
    impl_->data = const_cast<void*>(data);
    impl_->owner = std::move(owner);
}

Tensor::Tensor(ElementType type, const Shape& shape, void* data, const Strides& strides,
               std::shared_ptr<const void> owner)
    : Tensor(type, shape, data, strides) {
    impl_->owner = std::move(owner);
}

namespace {

template <typename Impl>
Impl& filled(const std::shared_ptr<Impl>& impl) {
    if (impl == nullptr) throw ModelError("the tensor is empty; give it a type and a shape");
    return *impl;
}

}  // namespace

ElementType Tensor::element_type() const { return filled(impl_).type; }
const Shape& Tensor::shape() const { return filled(impl_).shape; }
std::size_t Tensor::size() const { return filled(impl_).count; }
std::size_t Tensor::byte_size() const { return filled(impl_).bytes; }
const Strides& Tensor::strides() const { return filled(impl_).strides; }
bool Tensor::is_contiguous() const { return filled(impl_).contiguous; }
const void* Tensor::strided_data() const { return filled(impl_).data; }
void* Tensor::strided_data() { return filled(impl_).data; }

const void* Tensor::data() const {
    if (!is_contiguous()) {
        throw ModelError("the tensor of shape " + to_string(shape()) +
                         " has strides; read it through strided_data() or contiguous()");
    }
    return impl_->data;
}

void* Tensor::data() { return const_cast<void*>(static_cast<const Tensor*>(this)->data()); }

const void* Tensor::checked_data(ElementType expected) const {
    if (element_type() != expected) {
        throw ModelError("the tensor holds " + std::string(to_string(element_type())) +
                         ", but is read as " + std::string(to_string(expected)));
    }
    return data();
}

namespace {

// The first and the last byte that elements take; there is one element at least.
std::pair<std::uintptr_t, std::uintptr_t> bytes_of(const Tensor& tensor) {
    auto first = reinterpret_cast<std::uintptr_t>(tensor.strided_data());
    if (tensor.is_contiguous()) return {first, first + tensor.byte_size() - 1};
    std::uintptr_t last = first + size_of(tensor.element_type()) - 1;
    for (std::size_t axis = 0; axis < tensor.shape().size(); ++axis) {
        const auto steps = static_cast<std::ptrdiff_t>(tensor.shape()[axis]) - 1;
        const std::ptrdiff_t reach = steps * tensor.strides()[axis];
        (reach < 0 ? first : last) += static_cast<std::uintptr_t>(reach);
    }
    return {first, last};
}

bool share_memory(const Tensor& a, const Tensor& b) {
    const auto [first_of_a, last_of_a] = bytes_of(a);
    const auto [first_of_b, last_of_b] = bytes_of(b);
    return first_of_a <= last_of_b && first_of_b <= last_of_a;
}

}  // namespace

void Tensor::copy_to(Tensor& target) const {
    if (target.element_type() != element_type() || target.shape() != shape()) {
        throw ModelError("can't copy a tensor " + std::string(to_string(element_type())) +
                         to_string(shape()) + " to one " +
                         std::string(to_string(target.element_type())) + to_string(target.shape()));
    }
    if (size() == 0) return;
    if (is_contiguous() && target.is_contiguous()) {
        std::memmove(target.strided_data(), strided_data(), byte_size());
    } else if (share_memory(*this, target)) {
        Tensor between(element_type(), shape());
        copy_strided(*this, between);
        copy_strided(between, target);
    } else {
        copy_strided(*this, target);
    }
}

Tensor Tensor::contiguous() const {
    if (is_contiguous()) return *this;
    Tensor copy(element_type(), shape());
    copy_to(copy);
    return copy;
}

Tensor Tensor::reshaped(const Shape& shape) const {
    if (element_count(shape) != size()) {
        throw ModelError("can't view a tensor of shape " + to_string(this->shape()) + " as " +
                         to_string(shape));
    }
    const Tensor dense = contiguous();
    Tensor view;
    view.impl_ = std::make_shared<Impl>(element_type(), shape);
    view.impl_->data = dense.impl_->data;
    view.impl_->owner = dense.impl_->owner;
    return view;
}

}  // namespace rondo
