// Lets Python's garbage collector see through objects that keep callbacks, which often refer back.
#pragma once

#include <pybind11/pybind11.h>

namespace rondo::python {

/// The C++ object in a Python one; null while it is being made.
template <typename T>
T* value_in(PyObject* self) {
    auto* const instance = reinterpret_cast<pybind11::detail::instance*>(self);
    return static_cast<T*>(instance->get_value_and_holder().value_ptr());
}

/// For classes T with `visit_objects(T&, visitproc, void*)` and `clear_objects(T&)`.
template <typename T>
pybind11::custom_type_setup garbage_collected() {
    return pybind11::custom_type_setup([](PyHeapTypeObject* heap_type) {
        PyTypeObject& type = heap_type->ht_type;
        type.tp_flags |= Py_TPFLAGS_HAVE_GC;
        // Destructors may give Python's lock up: until they end, the collector of another thread,
        // or of a child that is forked meanwhile, must not find the object.
        type.tp_dealloc = [](PyObject* self) {
            PyObject_GC_UnTrack(self);
            PyObject* const base = pybind11::detail::get_internals().instance_base;
            reinterpret_cast<PyTypeObject*>(base)->tp_dealloc(self);
        };
        type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) {
            Py_VISIT(Py_TYPE(self));
            T* const value = value_in<T>(self);
            return value == nullptr ? 0 : visit_objects(*value, visit, arg);
        };
        type.tp_clear = [](PyObject* self) {
            if (T* const value = value_in<T>(self)) clear_objects(*value);
            return 0;
        };
    });
}

}  // namespace rondo::python
