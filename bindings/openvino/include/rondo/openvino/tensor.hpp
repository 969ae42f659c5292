// OpenVINO's Tensor, for rondo/openvino.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "rondo/openvino/element_type.hpp"
#include "rondo/openvino/node.hpp"
#include "rondo/openvino/shape.hpp"
#include "rondo/tensor.hpp"

namespace rondo::ov {

/// A handle: copies share memory and shape, and set_shape() changes all of them.
class Tensor {
public:
    Tensor() = default;
    /// Throw ov::Exception for the type `dynamic`.
    Tensor(const element::Type& type, const Shape& shape)
        : Tensor(rondo::Tensor(type, shape), Memory::own) {}
    /// Borrow the memory, which must outlive all copies. `strides` are in bytes.
    Tensor(const element::Type& type, const Shape& shape, void* data, const Strides& strides = {})
        : Tensor(rondo::Tensor(type, shape, data, {strides.begin(), strides.end()}),
                 Memory::borrowed) {}
    Tensor(const element::Type& type, const Shape& shape, const void* data,
           const Strides& strides = {})
        : Tensor(
              rondo::Tensor(type, shape, const_cast<void*>(data), {strides.begin(), strides.end()}),
              Memory::constant) {}
    explicit Tensor(const Output<const Node>& port)
        : Tensor(port.get_element_type(), port.get_shape()) {}
    Tensor(const Output<const Node>& port, void* data, const Strides& strides = {})
        : Tensor(port.get_element_type(), port.get_shape(), data, strides) {}
    /// The part of `other` from `begin` up to, not including, `end`. It shares the memory.
    Tensor(const Tensor& other, const Coordinate& begin, const Coordinate& end)
        : Tensor(part_of(other, begin, end), Memory::borrowed) {
        if (other.shared().memory == Memory::constant) shared().memory = Memory::constant;
    }

    explicit operator bool() const noexcept { return shared_ != nullptr; }
    bool operator!() const noexcept { return shared_ == nullptr; }

    element::Type get_element_type() const { return native().element_type(); }
    const Shape& get_shape() const { return shared().shape; }
    std::size_t get_size() const { return native().size(); }
    std::size_t get_byte_size() const { return native().byte_size(); }
    Strides get_strides() const {
        const auto& strides = native().strides();
        return {strides.begin(), strides.end()};
    }
    bool is_continuous() const { return native().is_contiguous(); }

    /// Memory grows if the tensor owns it; throws ov::Exception if it would have to grow and
    /// is borrowed, and for a part of another tensor. Elements stay where the memory does.
    void set_shape(const Shape& shape) {
        Shared& own = shared();
        if (shape == own.shape) return;
        if (!native().is_contiguous()) throw ModelError("set_shape: the tensor has strides");
        const auto type = own.value.element_type();
        if (element_count(shape) <= own.all.size()) {
            own.value = rondo::Tensor(type, shape, own.all.data(), {},
                                      std::make_shared<rondo::Tensor>(own.all));
        } else if (own.memory == Memory::own) {
            own.value = own.all = rondo::Tensor(type, shape);
        } else {
            throw ModelError("set_shape: " + shape.to_string() + " needs more than the borrowed " +
                             std::to_string(own.all.byte_size()) + " bytes");
        }
        own.shape = shape;
        ++own.version;
    }

    void* data() {
        if (shared().memory == Memory::constant) {
            throw ModelError("the tensor's memory is constant; use data<const T>()");
        }
        return shared().value.strided_data();
    }
    const void* data() const { return native().strided_data(); }
    /// Throw ov::Exception unless T is the element type.
    template <typename T>
    T* data() {
        check_type(element::from<T>());
        if constexpr (std::is_const_v<T>) {
            return static_cast<T*>(native().strided_data());
        } else {
            return static_cast<T*>(data());
        }
    }
    template <typename T>
    const T* data() const {
        check_type(element::from<T>());
        return static_cast<const T*>(data());
    }

    /// Gives `target` this shape if it has another. Throws ov::Exception for another type.
    void copy_to(Tensor target) const {
        if (target.get_shape() != get_shape()) target.set_shape(get_shape());
        target.data();  // throws if it is constant
        native().copy_to(target.shared().value);
    }

    // For Rondo's own code.
    const rondo::Tensor& native() const { return shared().value; }
    static Tensor of(rondo::Tensor tensor) { return Tensor((std::move)(tensor), Memory::own); }
    /// Counts what set_shape() changed.
    std::uint64_t version() const { return shared().version; }
    /// All copies of this handle have that value from now on.
    void assign(rondo::Tensor tensor) {
        Shared& own = shared();
        own.shape = tensor.shape();
        own.value = own.all = (std::move)(tensor);
    }

private:
    enum class Memory { own, borrowed, constant };
    struct Shared {
        rondo::Tensor value;
        rondo::Tensor all;  ///< the whole memory
        Shape shape;
        Memory memory;
        std::uint64_t version = 0;
    };

    Tensor(rondo::Tensor tensor, Memory memory)
        : shared_(std::make_shared<Shared>(Shared{tensor, tensor, tensor.shape(), memory})) {}

    Shared& shared() const {
        if (shared_ == nullptr) throw ModelError("the tensor is empty");
        return *shared_;
    }

    void check_type(const element::Type& wanted) const {
        if (native().element_type() == wanted) return;
        throw ModelError("the tensor holds " + get_element_type().to_string() + ", not " +
                         wanted.to_string());
    }

    static rondo::Tensor part_of(const Tensor& other, const Coordinate& begin,
                                 const Coordinate& end) {
        const rondo::Tensor& whole = other.native();
        const Shape& extents = other.get_shape();
        if (begin.size() != extents.size() || end.size() != extents.size()) {
            throw ModelError("a part of a tensor " + extents.to_string() +
                             " needs as many coordinates as axes");
        }
        Shape shape;
        std::ptrdiff_t offset = 0;
        for (std::size_t i = 0; i < extents.size(); ++i) {
            if (begin[i] > end[i] || end[i] > extents[i]) {
                throw ModelError("axis " + std::to_string(i) + ": a part from " +
                                 std::to_string(begin[i]) + " to " + std::to_string(end[i]) +
                                 " isn't in " + extents.to_string());
            }
            shape.push_back(end[i] - begin[i]);
            offset += static_cast<std::ptrdiff_t>(begin[i]) * whole.strides()[i];
        }
        auto* data = static_cast<std::byte*>(const_cast<void*>(whole.strided_data())) + offset;
        return {whole.element_type(), shape, data, whole.strides(),
                std::make_shared<rondo::Tensor>(whole)};
    }

    std::shared_ptr<Shared> shared_;
};

using TensorVector = std::vector<Tensor>;

}  // namespace rondo::ov
