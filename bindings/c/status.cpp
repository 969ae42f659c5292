// Functions of rondo/c/status.h, and the message of the last failed call.
#include "rondo/c/status.h"

#include <cstdlib>
#include <string>

#include "bindings/c/handles.hpp"
#include "rondo/core.hpp"

using namespace rondo::c;

const char* rondo_status_name(rondo_status_t status) {
    switch (status) {
        case RONDO_OK: return "RONDO_OK";
        case RONDO_MODEL_ERROR: return "RONDO_MODEL_ERROR";
        case RONDO_UNSUPPORTED: return "RONDO_UNSUPPORTED";
        case RONDO_INTERNAL_ERROR: return "RONDO_INTERNAL_ERROR";
        case RONDO_CANCELLED: return "RONDO_CANCELLED";
        case RONDO_INVALID_ARGUMENT: return "RONDO_INVALID_ARGUMENT";
        case RONDO_OUT_OF_MEMORY: return "RONDO_OUT_OF_MEMORY";
        case RONDO_QUEUE_FULL: return "RONDO_QUEUE_FULL";
        default: return "unknown status";
    }
}

const char* rondo_version(void) {
    try {
        static const std::string version = rondo::get_version().build_number;
        return version.c_str();
    } catch (...) {
        return "";
    }
}

void rondo_string_free(char* text) { std::free(text); }

size_t rondo_string_list_size(const rondo_string_list_t* list) { return entry_count(list); }

const char* rondo_string_list_at(const rondo_string_list_t* list, size_t index) {
    const std::string* entry = entry_at(list, index);
    return entry == nullptr ? nullptr : entry->c_str();
}

void rondo_string_list_free(rondo_string_list_t* list) { delete list; }
