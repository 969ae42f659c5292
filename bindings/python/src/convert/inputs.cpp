#include "bindings/python/src/convert/inputs.hpp"

#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/convert/dtypes.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

std::string place_of(const Port& port) {
    return std::string(to_string(port.kind)) + " '" + port.info.any_name() + "': ";
}

bool has(const PyTensor& tensor, ElementType type, const Shape& shape) {
    return tensor.tensor && tensor.tensor.element_type() == type && tensor.tensor.shape() == shape;
}

// Before any element is copied: the request says the same, but only when the tensor is made.
void check_shape(const py::array& array, const Port& port) {
    const Shape shape = shape_of(array);
    if (port.info.takes(shape)) return;
    throw ModelError(place_of(port) + "got an array of shape " + to_string(shape) + "; expected " +
                     std::string(to_string(port.info.element_type)) + to_string(port.info.shape));
}

}  // namespace

PyTensor input_tensor(py::handle value, const Port& port, bool share, PyTensor& own) {
    if (py::isinstance<PyTensor>(value)) return py::cast<const PyTensor&>(value);
    const py::array array = array_from(value, place_of(port));
    check_shape(array, port);
    ElementType type = port.info.element_type;
    if (type == ElementType::dynamic) type = type_of(array.dtype());
    if (share && can_share(array, type)) return tensor_sharing(array);
    const Shape shape = shape_of(array);
    if (!has(own, type, shape)) own = {Tensor(type, shape)};
    copy_into(own, array, place_of(port));
    return own;
}

std::vector<std::pair<std::size_t, PyTensor>> input_tensors(const py::object& inputs,
                                                            const PortList& ports, bool share,
                                                            OwnTensors& own) {
    std::vector<std::pair<std::size_t, PyTensor>> tensors;
    const auto add = [&](std::size_t index, py::handle value) {
        tensors.emplace_back(index, input_tensor(value, ports[index], share, own[index]));
    };
    if (inputs.is_none()) return tensors;
    if (const auto dict = dict_from(inputs)) {
        std::vector<bool> given(ports.size());
        for (const auto& [key, value] : *dict) {
            const std::size_t index = ports.index_of(key);
            if (given[index]) throw ModelError(place_of(ports[index]) + "is given twice");
            given[index] = true;
            add(index, value);
        }
    } else if (py::isinstance<py::list>(inputs) || py::isinstance<py::tuple>(inputs)) {
        const auto values = py::reinterpret_borrow<py::sequence>(inputs);
        if (values.size() > ports.size()) {
            throw ModelError("got a list of " + std::to_string(values.size()) +
                             " inputs; the model has " + std::to_string(ports.size()) +
                             " (give one input of several rows as an array)");
        }
        for (std::size_t i = 0; i < values.size(); ++i) add(i, values[i]);
    } else {
        add(ports.only().index, inputs);
    }
    return tensors;
}

}  // namespace rondo::python
