// Functions of rondo/c/tensor.h.
#include "rondo/c/tensor.h"

#include <memory>

#include "bindings/c/handles.hpp"
#include "rondo/conversion.hpp"
#include "rondo/error.hpp"

using namespace rondo::c;

namespace rondo::c {

std::map<std::string, Tensor> named_tensors(const rondo_named_tensor_t* given, std::size_t count,
                                            const char* parameter) {
    std::map<std::string, Tensor> all;
    for (const rondo_named_tensor_t& entry : elements(given, count, parameter)) {
        const std::string name = text(entry.name, "name");
        if (!all.emplace(name, required(entry.tensor, parameter).tensor).second) {
            throw InvalidArgument("tensor '" + name + "' is named twice");
        }
    }
    return all;
}

rondo_tensor_t* tensor_handle(Tensor tensor) { return new rondo_tensor{std::move(tensor)}; }

namespace {

Shape shape_of(const size_t* shape, size_t rank) {
    if (rank == 0) return {};
    const size_t* first = &required(shape, "shape");
    return {first, first + rank};
}

// Calls the owner of borrowed memory when no tensor uses it any more.
struct Release {
    rondo_release_fn function = nullptr;
    void* user_data = nullptr;

    Release() = default;
    Release(const Release&) = delete;
    Release& operator=(const Release&) = delete;
    ~Release() {
        if (function != nullptr) function(user_data);
    }
};

// A list that the tensor owns; the pointer isn't null for a scalar either.
template <typename T, typename GetList>
void give_list(const T** list, const char* name, size_t* rank, const GetList& get_list) {
    static constexpr T kNone = 0;
    auto& first = cleared(list, name);
    auto& count = cleared(rank, "rank");
    const auto& all = get_list();
    first = all.empty() ? &kNone : all.data();
    count = all.size();
}

}  // namespace
}  // namespace rondo::c

rondo_status_t rondo_tensor_create(rondo_element_type_t type, const size_t* shape, size_t rank,
                                   rondo_tensor_t** tensor) {
    return produce(tensor, "tensor", [&] {
        return tensor_handle({element_type(type), shape_of(shape, rank)});
    });
}

rondo_status_t rondo_tensor_create_borrowed(rondo_element_type_t type, const size_t* shape,
                                            size_t rank, void* data, const ptrdiff_t* strides,
                                            rondo_tensor_t** tensor) {
    return produce(tensor, "tensor", [&] {
        rondo::Strides all;
        if (strides != nullptr) all.assign(strides, strides + rank);
        return tensor_handle({element_type(type), shape_of(shape, rank), data, all});
    });
}

// lint: allow(functions): the C ABI has no structs of options here
rondo_status_t rondo_tensor_create_with_release(rondo_element_type_t type, const size_t* shape,
                                                size_t rank, void* data, rondo_release_fn release,
                                                void* user_data, rondo_tensor_t** tensor) {
    return translate([&] {
        auto& result = cleared(tensor, "tensor");
        if (release == nullptr) throw InvalidArgument("'release' is NULL");
        const auto owner = std::make_shared<Release>();
        const rondo::Tensor made(element_type(type), shape_of(shape, rank), data, owner);
        if (made.size() > 0) required(static_cast<char*>(data), "data");
        result = tensor_handle(made);
        owner->function = release;  // last, since a call that fails releases nothing
        owner->user_data = user_data;
    });
}

void rondo_tensor_free(rondo_tensor_t* tensor) { delete tensor; }

rondo_status_t rondo_tensor_element_type(const rondo_tensor_t* tensor, rondo_element_type_t* type) {
    return produce(type, "type", [&] { return element_type(tensor_of(tensor).element_type()); });
}

rondo_status_t rondo_tensor_shape(const rondo_tensor_t* tensor, const size_t** shape,
                                  size_t* rank) {
    return translate([&] {
        give_list(
            shape, "shape", rank, [&]() -> auto& { return tensor_of(tensor).shape(); });
    });
}

rondo_status_t rondo_tensor_strides(const rondo_tensor_t* tensor, const ptrdiff_t** strides,
                                    size_t* rank) {
    return translate([&] {
        give_list(
            strides, "strides", rank, [&]() -> auto& { return tensor_of(tensor).strides(); });
    });
}

rondo_status_t rondo_tensor_size(const rondo_tensor_t* tensor, size_t* size) {
    return produce(size, "size", [&] { return tensor_of(tensor).size(); });
}

rondo_status_t rondo_tensor_byte_size(const rondo_tensor_t* tensor, size_t* bytes) {
    return produce(bytes, "bytes", [&] { return tensor_of(tensor).byte_size(); });
}

rondo_status_t rondo_tensor_is_contiguous(const rondo_tensor_t* tensor, int* contiguous) {
    return produce(contiguous, "contiguous",
                   [&] { return tensor_of(tensor).is_contiguous() ? 1 : 0; });
}

rondo_status_t rondo_tensor_data(const rondo_tensor_t* tensor, void** data) {
    return produce(data, "data", [&] {
        rondo::Tensor shared = tensor_of(tensor);
        return shared.data();
    });
}

rondo_status_t rondo_tensor_data_as(const rondo_tensor_t* tensor, rondo_element_type_t type,
                                    void** data) {
    return produce(data, "data", [&] {
        rondo::Tensor shared = tensor_of(tensor);
        if (shared.element_type() != element_type(type)) {
            throw rondo::ModelError("the tensor holds " +
                                    std::string(rondo::to_string(shared.element_type())) +
                                    ", but is read as " + rondo_element_type_name(type));
        }
        return shared.data();
    });
}

rondo_status_t rondo_tensor_strided_data(const rondo_tensor_t* tensor, void** data) {
    return produce(data, "data", [&] {
        rondo::Tensor shared = tensor_of(tensor);
        return shared.strided_data();
    });
}

rondo_status_t rondo_tensor_copy_to(const rondo_tensor_t* tensor, rondo_tensor_t* target) {
    return translate([&] { tensor_of(tensor).copy_to(required(target, "target").tensor); });
}

rondo_status_t rondo_tensor_contiguous(const rondo_tensor_t* tensor, rondo_tensor_t** result) {
    return produce(result, "result", [&] { return tensor_handle(tensor_of(tensor).contiguous()); });
}

rondo_status_t rondo_tensor_converted(const rondo_tensor_t* tensor, rondo_element_type_t type,
                                      size_t* rounded, rondo_tensor_t** result) {
    return produce(result, "result", [&] {
        const rondo::Conversion made = rondo::convert_tensor(tensor_of(tensor), element_type(type));
        if (made.refused) {
            throw rondo::ModelError("element " + std::to_string(*made.refused) +
                                    " of the tensor is a number that " +
                                    std::string(to_string(element_type(type))) + " can't hold");
        }
        if (rounded != nullptr) *rounded = made.rounded;
        return tensor_handle(made.tensor);
    });
}

rondo_status_t rondo_tensor_reshaped(const rondo_tensor_t* tensor, const size_t* shape, size_t rank,
                                     rondo_tensor_t** result) {
    return produce(result, "result", [&] {
        return tensor_handle(tensor_of(tensor).reshaped(shape_of(shape, rank)));
    });
}
