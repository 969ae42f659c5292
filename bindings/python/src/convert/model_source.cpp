#include "bindings/python/src/convert/model_source.hpp"

#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/convert/arrays.hpp"
#include "bindings/python/src/support/gil.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

bool is_path(const py::object& object) {
    return py::isinstance<py::str>(object) || py::hasattr(object, "__fspath__");
}

// Bytes in any form, seen and not copied.
bool is_buffer(const py::object& object) { return PyObject_CheckBuffer(object.ptr()) != 0; }

// A view over the object's bytes; the object must not change while it is used.
class Bytes {
public:
    explicit Bytes(const py::object& object) {
        if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_SIMPLE) != 0) {
            throw py::error_already_set();
        }
    }
    ~Bytes() { PyBuffer_Release(&buffer_); }
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;

    const void* data() const { return buffer_.buf; }
    std::size_t size() const { return static_cast<std::size_t>(buffer_.len); }

private:
    Py_buffer buffer_{};
};

Tensor weights_from(const py::object& weights) {
    if (weights.is_none()) return {};
    if (py::isinstance<PyTensor>(weights)) return py::cast<const PyTensor&>(weights).tensor;
    if (!is_buffer(weights)) {
        throw py::type_error("weights: expected bytes or a Tensor for a model in memory");
    }
    const Bytes bytes(weights);
    if (bytes.size() == 0) return {};
    // A copy, since a bytearray may change: the model keeps its weights.
    Tensor tensor(ElementType::u8, {bytes.size()});
    std::memcpy(tensor.data(), bytes.data(), bytes.size());
    return tensor;
}

Model read_bytes(const Core& core, const py::object& object, const py::object& weights,
                 const Properties& properties) {
    const Tensor tensor = weights_from(weights);
    const Bytes bytes(object);
    const WithoutGil unlocked;
    return core.read_model(bytes.data(), bytes.size(), tensor, properties);
}

Model read_path(const Core& core, const py::object& object, const py::object& weights,
                const Properties& properties) {
    const std::string path = path_from(object);
    if (!weights.is_none() && !is_path(weights)) {
        throw py::type_error("weights: expected a path for a model that is read from a path");
    }
    const std::string weights_path = weights.is_none() ? "" : path_from(weights);
    const WithoutGil unlocked;
    return core.read_model(path, weights_path, properties);
}

// OpenVINO takes an IR's XML itself in place of a path.
bool is_xml(const py::object& object) {
    if (!py::isinstance<py::str>(object)) return false;
    // A byte order mark stays in the text of a file that was opened as utf-8, not as utf-8-sig.
    return py::cast<bool>(object.attr("lstrip")("\xEF\xBB\xBF \t\r\n").attr("startswith")("<"));
}

}  // namespace

std::optional<std::string> lone_path(const py::object& model, const py::object& weights) {
    if (!weights.is_none() || is_xml(model) || !is_path(model)) return std::nullopt;
    return path_from(model);
}

Model read_model(const Core& core, const py::object& model, const py::object& weights,
                 const Properties& properties) {
    const auto from_bytes = [&](const py::object& bytes) {
        return read_bytes(core, bytes, weights, properties);
    };
    if (py::isinstance<Model>(model)) return py::cast<Model>(model);
    if (is_xml(model)) return from_bytes(model.attr("encode")("utf-8"));
    if (is_path(model)) return read_path(core, model, weights, properties);
    if (is_buffer(model)) return from_bytes(model);
    if (py::hasattr(model, "SerializeToString")) {
        return from_bytes(model.attr("SerializeToString")());
    }
    if (py::hasattr(model, "read")) return from_bytes(model.attr("read")());
    const char* const hint =
        py::hasattr(model, "state_dict") ? "; torch.onnx.export() makes one of a module" : "";
    throw py::type_error(
        "expected a model as a path, bytes, an open file or an onnx.ModelProto, got " +
        repr_of(py::type::of(model)) + hint);
}

}  // namespace rondo::python
