#include "core/graph/reloadable_tensor.hpp"

#include <cstring>
#include <utility>

#include "core/graph/tensor_impl.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

// Ends a copy, and is found again by its type.
struct EndCopy {
    MappedFile from;
    void operator()(const Tensor* copy) const { delete copy; }
};

MappedFile bytes_of(const Tensor& tensor) {
    const Tensor::Impl& whole = Tensor::Impl::of(tensor);
    return {static_cast<const std::byte*>(whole.data), whole.bytes, whole.owner};
}

}  // namespace

Tensor copy_from_file(ElementType type, const Shape& shape, const MappedFile& bytes) {
    const std::shared_ptr<Tensor> copy(new Tensor(type, shape), EndCopy{bytes});
    std::memcpy(copy->data(), bytes.data, copy->byte_size());
    drop_pages(bytes);
    const void* data = copy->data();
    return {type, shape, data, copy};
}

void drop_pages(const Tensor& tensor) {
    if (tensor.is_contiguous()) drop_pages(bytes_of(tensor));
}

Tensor without_elements(const Tensor& tensor) {
    drop_pages(tensor);
    return {tensor.element_type(), tensor.shape(), static_cast<const void*>(nullptr), nullptr};
}

bool is_released(const Tensor& tensor) {
    return tensor && tensor.size() > 0 && tensor.strided_data() == nullptr;
}

void check_as_mapped(const MappedFile& file) {
    if (is_as_mapped(file)) return;
    throw ModelError(mapping_of(file.owner)->path +
                     ": the file was changed in place since the model was read from it, and its "
                     "weights are needed again; read the model once more");
}

void check_as_mapped(const Tensor& tensor) { check_as_mapped(bytes_of(tensor)); }

ReloadableTensor::ReloadableTensor(Tensor tensor) : tensor_(std::move(tensor)) {
    if (!tensor_) return;
    const MappedFile held = bytes_of(tensor_);
    const auto* copy = std::get_deleter<EndCopy>(held.owner);
    if (copy == nullptr || mapping_of(copy->from.owner) == nullptr) return;
    if (copy->from.size != held.size) return;
    file_ = copy->from;
    owner_ = held.owner;
    data_ = held.data;
    tensor_ = without_elements(tensor_);
}

Tensor ReloadableTensor::load() const {
    if (!is_in_file()) return tensor_;
    if (auto owner = owner_.lock()) {
        return {tensor_.element_type(), tensor_.shape(), data_, std::move(owner)};
    }
    check_as_mapped(file_);
    return copy_from_file(tensor_.element_type(), tensor_.shape(), file_);
}

}  // namespace rondo
