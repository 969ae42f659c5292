// What the C API's handles point to: each holds the C++ handle of the same name.
#pragma once

#include <string>
#include <vector>

#include "bindings/c/translate.hpp"
#include "rondo/c/compiled_model.h"
#include "rondo/c/core.h"
#include "rondo/c/infer_request.h"
#include "rondo/c/model.h"
#include "rondo/c/tensor.h"
#include "rondo/compiled_model.hpp"
#include "rondo/core.hpp"
#include "rondo/infer_request.hpp"
#include "rondo/model.hpp"
#include "rondo/properties.hpp"
#include "rondo/tensor.hpp"

struct rondo_core {
    rondo::Core core;
};

struct rondo_model {
    rondo::Model model;
};

struct rondo_compiled_model {
    rondo::CompiledModel compiled;
};

struct rondo_infer_request {
    rondo::InferRequest request;
};

struct rondo_tensor {
    rondo::Tensor tensor;
};

struct rondo_string_list {
    std::vector<std::string> texts;
};

namespace rondo::c {

/// Throws InvalidArgument for a number that isn't a type.
ElementType element_type(rondo_element_type_t type);
rondo_element_type_t element_type(ElementType type);

/// Throws InvalidArgument for null texts, a name given twice, and a count without an array.
Properties properties(const rondo_property_t* properties, std::size_t count);

/// A new handle for the caller.
rondo_tensor_t* tensor_handle(Tensor tensor);
/// The tensor of a caller's handle. Throws InvalidArgument for NULL.
inline const Tensor& tensor_of(const rondo_tensor_t* handle) {
    return required(handle, "tensor").tensor;
}

}  // namespace rondo::c
