// What the C API's handles point to: each holds the C++ handle of the same name.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
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
    std::vector<std::string> entries;
};

namespace rondo::c {

/// Throws InvalidArgument for a number that isn't a type.
ElementType element_type(rondo_element_type_t type);
rondo_element_type_t element_type(ElementType type);

/// Throws InvalidArgument for null texts, a name given twice, and a count without an array.
Properties properties(const rondo_property_t* properties, std::size_t count);

/// Throws InvalidArgument for nulls, and a name given twice. `parameter` is what the function calls
/// them.
std::map<std::string, Tensor> named_tensors(const rondo_named_tensor_t* given, std::size_t count,
                                            const char* parameter = "inputs");

/// A new handle for the caller.
rondo_tensor_t* tensor_handle(Tensor tensor);

/// What a caller's handle holds. All throw InvalidArgument for NULL.
inline const Tensor& tensor_of(const rondo_tensor_t* handle) {
    return required(handle, "tensor").tensor;
}
template <typename Handle>
auto& core_of(Handle* handle) {
    return required(handle, "core").core;
}
template <typename Handle>
auto& model_of(Handle* handle) {
    return required(handle, "model").model;
}
template <typename Handle>
auto& compiled_of(Handle* handle) {
    return required(handle, "compiled").compiled;
}
template <typename Handle>
auto& request_of(Handle* handle) {
    return required(handle, "request").request;
}

/// A list whose entries, which callers see, point into what the list owns.
template <typename Owned, typename Entry>
struct PointingList {
    std::vector<Owned> owned;
    std::vector<Entry> entries;
};

/// A list for the caller, which owns `owned`; `show` makes an entry of one.
template <typename List, typename Owned, typename Show>
List* pointing_list(std::vector<Owned> owned, const Show& show) {
    auto list = std::make_unique<List>();
    list->owned = std::move(owned);
    for (const Owned& one : list->owned) list->entries.push_back(show(one));
    return list.release();
}

/// The number of a list's entries; 0 for NULL.
template <typename List>
std::size_t entry_count(const List* list) {
    return list == nullptr ? 0 : list->entries.size();
}

/// An entry of a list; NULL if there is none.
template <typename List>
auto entry_at(const List* list, std::size_t index) {
    return index < entry_count(list) ? &list->entries[index] : nullptr;
}

}  // namespace rondo::c
