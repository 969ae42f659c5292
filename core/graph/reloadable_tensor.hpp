// Tensors whose elements a file has as well: they can be given up and read again.
#pragma once

#include <memory>

#include "core/support/mapped_file.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

/// So many bytes of a constant are worth it to be given up.
inline constexpr std::size_t kWorthReleasing = std::size_t{64} << 10;

/// A copy of a file's bytes, or of others that don't change, which needn't be aligned. It remembers
/// where they came from.
Tensor copy_from_file(ElementType type, const Shape& shape, const MappedFile& bytes);

/// Gives the memory of elements that lie in a mapped file back to the system, until they are read.
void drop_pages(const Tensor& tensor);

/// Type and shape of a tensor, with a null pointer in place of its elements, whose pages are
/// dropped.
Tensor without_elements(const Tensor& tensor);
/// True for what without_elements() has made of a tensor that has elements.
bool is_released(const Tensor& tensor);

/// Throws ModelError if the file was changed in place since it was mapped.
void check_as_mapped(const MappedFile& file);
/// The same for the file whose bytes are the tensor's elements, if there is one.
void check_as_mapped(const Tensor& tensor);

/// Keeps a tensor, or if it is a copy of a file's bytes, only their place in the file.
class ReloadableTensor {
public:
    explicit ReloadableTensor(Tensor tensor);

    /// True if a file has the elements, so that this keeps no memory.
    bool is_in_file() const { return file_.owner != nullptr; }
    /// The tensor, which shares the memory of the first one if anything still uses that. Throws
    /// ModelError if the file was changed in place since it was mapped.
    Tensor load() const;

private:
    Tensor tensor_;  // without elements if a file has them
    MappedFile file_;
    std::weak_ptr<const void> owner_;
    const void* data_ = nullptr;  // of owner_
};

}  // namespace rondo
