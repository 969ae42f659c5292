// A block of typed memory with a shape: owned, borrowed, or shared with another owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rondo/element_type.hpp"
#include "rondo/export.hpp"
#include "rondo/shape.hpp"

namespace rondo {

/// The distance between neighbours along each axis, in bytes, outermost first.
using Strides = std::vector<std::ptrdiff_t>;

/// A handle: copies share the same memory. Row-major unless it has other strides.
class RONDO_API Tensor {
public:
    /// An empty handle: `if (!tensor)`.
    Tensor() = default;
    /// Owns zeroed memory, 64-byte aligned. Throws ModelError for `dynamic` or a hostile size.
    Tensor(ElementType type, const Shape& shape);
    /// Borrows the caller's memory, which must outlive every copy of the handle. `strides` in
    /// bytes; empty means row-major. Throws ModelError for strides that don't fit the shape.
    Tensor(ElementType type, const Shape& shape, void* data, const Strides& strides = {});
    /// Borrows and keeps `owner` alive (a mapped file, say). The memory must not be written to.
    Tensor(ElementType type, const Shape& shape, const void* data,
           std::shared_ptr<const void> owner);
    /// Borrows memory that may be written to, with strides as above, and keeps `owner` alive.
    Tensor(ElementType type, const Shape& shape, void* data, const Strides& strides,
           std::shared_ptr<const void> owner);

    explicit operator bool() const { return impl_ != nullptr; }

    ElementType element_type() const;
    const Shape& shape() const;
    std::size_t size() const;        ///< number of elements
    std::size_t byte_size() const;   ///< number of elements times their size
    const Strides& strides() const;  ///< always filled
    bool is_contiguous() const;

    /// The first byte. Throws ModelError unless the tensor is contiguous.
    const void* data() const;
    void* data();
    /// As data(), and checks that T is the element type.
    template <typename T>
    const T* data() const {
        return static_cast<const T*>(checked_data(element_type_of<T>()));
    }
    template <typename T>
    T* data() {
        return const_cast<T*>(static_cast<const T*>(checked_data(element_type_of<T>())));
    }
    /// The first byte, whatever the strides are.
    const void* strided_data() const;
    void* strided_data();

    /// Copies the elements into `target`, honouring both sides' strides. Types and shapes must
    /// match; the memory may be the same in part.
    void copy_to(Tensor& target) const;
    /// This tensor if it is contiguous, else a row-major copy.
    Tensor contiguous() const;
    /// The same memory under another shape with as many elements.
    Tensor reshaped(const Shape& shape) const;

    struct Impl;

private:
    const void* checked_data(ElementType expected) const;

    std::shared_ptr<Impl> impl_;
};

}  // namespace rondo
