#include "bindings/python/src/convert/results.hpp"

#include "rondo/error.hpp"

namespace rondo::python {

py::object Results::at(py::handle key) const {
    try {
        return values[ports->index_of(key)];
    } catch (const ModelError& error) {
        throw py::key_error(error.what());
    }
}

py::dict Results::to_dict() const {
    py::dict dict;
    for (std::size_t i = 0; i < ports->size(); ++i) dict[py::cast((*ports)[i])] = values[i];
    return dict;
}

}  // namespace rondo::python
