// Functions of rondo/c/variable_state.h.
#include "rondo/c/variable_state.h"

#include <memory>
#include <vector>

#include "bindings/c/handles.hpp"
#include "rondo/variable_state.hpp"

using namespace rondo::c;

struct rondo_variable_state {
    rondo::VariableState state;
    std::string name;
};

/// Pointers, so that the entries of a constant list can be changed.
struct rondo_variable_state_list {
    std::vector<std::unique_ptr<rondo_variable_state>> entries;
};

rondo_status_t rondo_infer_request_query_state(rondo_infer_request_t* request,
                                               rondo_variable_state_list_t** states) {
    return produce(states, "states", [&] {
        auto list = std::make_unique<rondo_variable_state_list>();
        for (auto& state : request_of(request).query_state()) {
            std::string name = state.get_name();
            list->entries.push_back(std::make_unique<rondo_variable_state>(
                rondo_variable_state{std::move(state), std::move(name)}));
        }
        return list.release();
    });
}

rondo_status_t rondo_infer_request_reset_state(rondo_infer_request_t* request) {
    return translate([&] { request_of(request).reset_state(); });
}

size_t rondo_variable_state_list_size(const rondo_variable_state_list_t* list) {
    return entry_count(list);
}

rondo_variable_state_t* rondo_variable_state_list_at(const rondo_variable_state_list_t* list,
                                                     size_t index) {
    const auto* entry = entry_at(list, index);
    return entry == nullptr ? nullptr : entry->get();
}

void rondo_variable_state_list_free(rondo_variable_state_list_t* list) { delete list; }

rondo_status_t rondo_variable_state_get_name(const rondo_variable_state_t* state,
                                             const char** name) {
    return produce(name, "name", [&] { return required(state, "state").name.c_str(); });
}

rondo_status_t rondo_variable_state_get_state(const rondo_variable_state_t* state,
                                              rondo_tensor_t** tensor) {
    return produce(tensor, "tensor",
                   [&] { return tensor_handle(required(state, "state").state.get_state()); });
}

rondo_status_t rondo_variable_state_set_state(rondo_variable_state_t* state,
                                              const rondo_tensor_t* tensor) {
    return translate([&] { required(state, "state").state.set_state(tensor_of(tensor)); });
}

rondo_status_t rondo_variable_state_reset(rondo_variable_state_t* state) {
    return translate([&] { required(state, "state").state.reset(); });
}
