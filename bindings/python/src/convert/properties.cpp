#include "bindings/python/src/convert/properties.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/convert/dtypes.hpp"
#include "rondo/error.hpp"
#include "rondo/openvino/names.hpp"

namespace rondo::python {
namespace {

// Whose text is read as numbers, switches and lists. Others, such as paths, stay text.
// keep-sorted
constexpr const char* kNumbers[] = {
    "INFERENCE_NUM_THREADS",
    "MAX_COMPILE_TIME",
    "MAX_CONSTANT_BYTES",
    "MAX_DEPTH",
    "MAX_FOLDED_BYTES",
    "MAX_ITERATIONS",
    "MAX_LOOP_DEPTH",
    "MAX_NODES",
    "MAX_PLAN_BYTES",
    "MAX_TENSOR_BYTES",
    "NUM_STREAMS",
    "OPTIMAL_NUMBER_OF_INFER_REQUESTS",
    "PERFORMANCE_HINT_NUM_REQUESTS",
};
// keep-sorted
constexpr const char* kSwitches[] = {
    "CPU_DENORMALS_OPTIMIZATION", "ENABLE_CPU_PINNING", "KEEP_INPUTS",
    "LOADED_FROM_CACHE",          "PERF_COUNT",         "PERF_TRACE",
};
// keep-sorted
constexpr const char* kLists[] = {
    "AVAILABLE_DEVICES",
    "EXECUTION_DEVICES",
    "OPTIMIZATION_CAPABILITIES",
    "SUPPORTED_PROPERTIES",
};

// The bytes of paths are those of the file system, not UTF-8.
constexpr const char* kPath = "CACHE_DIR";

template <std::size_t count>
bool is_among(const std::string& name, const char* const (&names)[count]) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string text_of(const std::string& name, py::handle value) {
    if (py::isinstance<py::bool_>(value)) return py::cast<bool>(value) ? "YES" : "NO";
    if (py::isinstance<Type>(value)) return std::string(to_string(py::cast<Type>(value).value));
    const bool is_text = py::isinstance<py::str>(value);
    const std::string where = "property '" + name + "'";
    if (py::hasattr(value, "__fspath__") || (is_text && name == kPath)) {
        return path_from(py::reinterpret_borrow<py::object>(value));
    }
    if (!is_text && !PyIndex_Check(value.ptr())) {
        throw ModelError(where + ": got " + repr_of(value) +
                         "; expected a text, a whole number or True or False");
    }
    return utf8_from(py::str(value), where);
}

void add(Properties& properties, py::handle name, py::handle value) {
    if (!py::isinstance<py::str>(name)) {
        throw ModelError("a property's name is a text, not " + repr_of(name));
    }
    const std::string key = utf8_from(name, "a property's name");
    if (ov::is_without_effect(key)) return;
    properties[key] = text_of(key, value);
}

bool is_number(const std::string& text) {
    return !text.empty() && text.size() < 19 && std::all_of(text.begin(), text.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
}

}  // namespace

Properties properties_from(const py::object& object) {
    Properties properties;
    if (object.is_none()) return properties;
    if (py::isinstance<py::tuple>(object) && py::len(object) == 2) {
        const auto pair = py::cast<py::tuple>(object);
        add(properties, pair[0], pair[1]);
    } else if (const auto dict = dict_from(object)) {
        for (const auto& [name, value] : *dict) add(properties, name, value);
    } else {
        throw ModelError("expected properties as a dict, got " + repr_of(object));
    }
    return properties;
}

py::object property_to_python(const std::string& name, const std::string& value) {
    if (is_among(name, kNumbers) && is_number(value)) return py::int_(std::stol(value));
    if (is_among(name, kSwitches) && (value == "YES" || value == "NO")) {
        return py::bool_(value == "YES");
    }
    if (name == kPath) return py::module_::import("os").attr("fsdecode")(py::bytes(value));
    if (!is_among(name, kLists)) return py::str(value);
    py::list parts;
    if (name == "AVAILABLE_DEVICES" && value.empty()) parts.append("");  // there is one, unnamed
    std::istringstream stream(value);
    for (std::string part; stream >> part;) parts.append(part);
    return parts;
}

}  // namespace rondo::python
