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

// The memory of what a dict of external data has for a file.
Tensor file_from(const std::string& location, const py::object& object) {
    if (py::isinstance<PyTensor>(object)) return py::cast<const PyTensor&>(object).tensor;
    const auto numpy = py::module_::import("numpy");
    if (py::isinstance<py::array>(object)) {
        const py::object flat = numpy.attr("ascontiguousarray")(object).attr("reshape")(-1);
        return tensor_sharing(flat.attr("view")("uint8")).tensor;
    }
    if (!is_buffer(object)) {
        throw py::type_error("weights: expected bytes, an array or a Tensor for '" + location +
                             "', got " + repr_of(py::type::of(object)));
    }
    if (Bytes(object).size() == 0) return {ElementType::u8, {0}};
    return tensor_sharing(numpy.attr("frombuffer")(object, "uint8")).tensor;
}

// Nothing if `weights` is no dict.
std::optional<ExternalData> external_from(const py::object& weights) {
    if (!py::isinstance<py::dict>(weights)) return std::nullopt;
    std::map<std::string, Tensor> files;
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(weights)) {
        const std::string location =
            utf8_from(py::reinterpret_borrow<py::object>(key), "weights: the location of a file");
        files.emplace(location, file_from(location, py::reinterpret_borrow<py::object>(value)));
    }
    return ExternalData(std::move(files));
}

Model read_bytes(const Core& core, const py::object& object, const py::object& weights,
                 const Properties& properties) {
    if (const auto external = external_from(weights)) {
        const Bytes bytes(object);
        const WithoutGil unlocked;
        return core.read_model(bytes.data(), bytes.size(), *external, properties);
    }
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

// What people give for a model, as bytes: nothing if it is no such thing.
std::optional<py::object> bytes_from(const py::object& model) {
    if (is_xml(model)) return model.attr("encode")("utf-8");
    if (is_path(model)) return std::nullopt;
    if (is_buffer(model)) return model;
    if (py::hasattr(model, "SerializeToString")) return model.attr("SerializeToString")();
    if (py::hasattr(model, "read")) return model.attr("read")();
    return std::nullopt;
}

[[noreturn]] void refuse_model(const py::object& model) {
    const char* const hint =
        py::hasattr(model, "state_dict") ? "; torch.onnx.export() makes one of a module" : "";
    throw py::type_error(
        "expected a model as a path, bytes, an open file or an onnx.ModelProto, got " +
        repr_of(py::type::of(model)) + hint);
}

}  // namespace

std::optional<std::string> lone_path(const py::object& model, const py::object& weights) {
    if (!weights.is_none() || is_xml(model) || !is_path(model)) return std::nullopt;
    return path_from(model);
}

Model read_model(const Core& core, const py::object& model, const py::object& weights,
                 const Properties& properties) {
    if (py::isinstance<Model>(model)) return py::cast<Model>(model);
    if (const auto bytes = bytes_from(model)) return read_bytes(core, *bytes, weights, properties);
    if (is_path(model)) return read_path(core, model, weights, properties);
    refuse_model(model);
}

std::vector<NodeSupport> query_nodes(const Core& core, const py::object& model,
                                     const py::object& weights, const Properties& properties) {
    const auto object = bytes_from(model);
    if (!object && !is_path(model)) refuse_model(model);
    if (!object) {
        if (!weights.is_none()) {
            throw py::type_error(
                "weights: the files of a model that is read from a path lie "
                "beside it");
        }
        const std::string path = path_from(model);
        const WithoutGil unlocked;
        return core.query_model(path, properties);
    }
    const auto external = external_from(weights);
    if (!external && !weights.is_none()) {
        throw py::type_error("weights: expected a dict of files and their bytes");
    }
    const Bytes bytes(*object);
    const WithoutGil unlocked;
    return core.query_model(bytes.data(), bytes.size(), external.value_or(ExternalData({})),
                            properties);
}

}  // namespace rondo::python
