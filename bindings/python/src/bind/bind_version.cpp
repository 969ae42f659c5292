// Python's view of versions, which name the commit as OpenVINO's build numbers do.
#include <commit.hpp>
#include <string>

#include "bindings/python/src/bind/bind.hpp"
#include "rondo/core.hpp"

namespace py = pybind11;

namespace rondo::python {
namespace {

// Without git, and without RONDO_COMMIT, the commit isn't known.
std::string build_of(const std::string& version) {
    const std::string commit = RONDO_COMMIT;
    return commit == "unknown" ? version : version + "-" + commit;
}

// Devices that are part of Rondo are of its commit; others have versions of their own.
std::string build_of(const Version& device) {
    const bool is_ours = device.build_number == get_version().build_number;
    return is_ours ? build_of(device.build_number) : device.build_number;
}

// The numbers in front of the commit.
py::int_ part_of(const Version& version, int index) {
    const std::string numbers = version.build_number.substr(0, version.build_number.find('-'));
    return py::int_(py::object(py::str(numbers).attr("split")(".")[py::int_(index)]));
}

}  // namespace

void bind_version(py::module_& module) {
    const auto part = [](int index) {
        return [index](const Version& self) { return part_of(self, index); };
    };
    py::class_<Version>(module, "Version", "A version: that of a device, from Core.get_versions().")
        .def_property_readonly(
            "build_number", [](const Version& self) { return build_of(self); },
            "The version and the commit as text, such as \"0.1.0-b939d3f1b0\".")
        .def_readonly("description", &Version::description,
                      "What it is the version of; that of the device CPU names the best "
                      "instruction set here.")
        .def_property_readonly("major", part(0), "The first number of the version.")
        .def_property_readonly("minor", part(1), "The second number of the version.")
        .def_property_readonly("patch", part(2), "The third number of the version.")
        .def("__repr__", [](const Version& self) {
            return "<Version: " + build_of(self) + " " + self.description + ">";
        });
    module.def(
        "get_version", [] { return build_of(get_version().build_number); },
        "Rondo's version and commit as text, such as \"0.1.0-b939d3f1b0\"; rondo.__version__ is "
        "the "
        "version alone.");
    module.attr("_version") = get_version().build_number;
}

}  // namespace rondo::python
