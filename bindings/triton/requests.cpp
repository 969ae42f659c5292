#include "bindings/triton/requests.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

#include "bindings/triton/data_types.hpp"
#include "bindings/triton/server_error.hpp"
#include "rondo/error.hpp"

namespace rondo::triton {
namespace {

void check_memory(TRITONSERVER_MemoryType memory, const std::string& place) {
    if (memory == TRITONSERVER_MEMORY_CPU || memory == TRITONSERVER_MEMORY_CPU_PINNED) return;
    throw ServerError(TRITONSERVER_ERROR_UNSUPPORTED,
                      place + " lies in a GPU's memory; Rondo reads and writes the CPU's alone");
}

struct Piece {
    const void* data = nullptr;
    std::uint64_t bytes = 0;
};

Piece piece_of(TRITONBACKEND_Input* input, std::uint32_t index, const std::string& place) {
    Piece piece;
    TRITONSERVER_MemoryType memory = TRITONSERVER_MEMORY_CPU;
    std::int64_t memory_id = 0;
    check(TRITONBACKEND_InputBuffer(input, index, &piece.data, &piece.bytes, &memory, &memory_id));
    check_memory(memory, place);
    return piece;
}

bool is_aligned(const void* data, ElementType type) {
    return reinterpret_cast<std::uintptr_t>(data) % size_of(type) == 0;
}

// The elements, which lie in `count` pieces.
Tensor elements_of(TRITONBACKEND_Input* input, std::uint32_t count, ElementType type,
                   const Shape& shape, const std::string& place) {
    const std::size_t bytes = element_count(shape) * size_of(type);
    const bool is_boolean = type == ElementType::boolean;  // a client may send any bytes
    if (count == 1 && !is_boolean) {
        const Piece piece = piece_of(input, 0, place);
        if (piece.bytes == bytes && is_aligned(piece.data, type)) {
            return Tensor(type, shape, piece.data, std::shared_ptr<const void>());
        }
    }
    Tensor joined(type, shape);
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Piece piece = piece_of(input, i, place);
        if (piece.bytes > bytes - at) {
            at = bytes + 1;
            break;
        }
        if (piece.bytes > 0) {
            std::memcpy(static_cast<char*>(joined.data()) + at, piece.data, piece.bytes);
        }
        at += piece.bytes;
    }
    if (is_boolean) {
        auto* bytes_of = static_cast<unsigned char*>(joined.data());
        std::transform(bytes_of, bytes_of + bytes, bytes_of, [](auto byte) { return byte != 0; });
    }
    if (at == bytes) return joined;
    throw ServerError(TRITONSERVER_ERROR_INVALID_ARG,
                      place + " has shape " + rondo::to_string(shape) + " and other than " +
                          std::to_string(bytes) + " bytes");
}

struct InputFacts {
    const char* name = nullptr;
    TRITONSERVER_DataType type = TRITONSERVER_TYPE_INVALID;
    const std::int64_t* shape = nullptr;
    std::uint32_t rank = 0;
    std::uint32_t pieces = 0;
};

InputFacts facts_of(TRITONBACKEND_Input* input) {
    InputFacts facts;
    std::uint64_t bytes = 0;
    check(TRITONBACKEND_InputProperties(input, &facts.name, &facts.type, &facts.shape, &facts.rank,
                                        &bytes, &facts.pieces));
    return facts;
}

Shape shape_for(const ConfiguredPort& port, const InputFacts& facts, const std::string& place) {
    Shape shape(facts.shape, facts.shape + facts.rank);
    if (!port.has_extra_axis) return shape;
    if (shape.empty() || shape.front() != 1) {
        throw ServerError(TRITONSERVER_ERROR_INVALID_ARG,
                          place + " has shape " + rondo::to_string(shape) +
                              "; a request of a sequence has one row: [1,...]");
    }
    shape.erase(shape.begin());
    return shape;
}

void send_output(TRITONBACKEND_Response* response, const ConfiguredPort& port,
                 const Tensor& tensor) {
    const Tensor whole = tensor.contiguous();
    std::vector<std::int64_t> shape(whole.shape().begin(), whole.shape().end());
    if (port.has_extra_axis) shape.insert(shape.begin(), 1);
    TRITONBACKEND_Output* output = nullptr;
    check(TRITONBACKEND_ResponseOutput(response, &output, port.name.c_str(), port.type,
                                       shape.data(), static_cast<std::uint32_t>(shape.size())));
    void* buffer = nullptr;
    TRITONSERVER_MemoryType memory = TRITONSERVER_MEMORY_CPU;
    std::int64_t memory_id = 0;
    check(TRITONBACKEND_OutputBuffer(output, &buffer, whole.byte_size(), &memory, &memory_id));
    check_memory(memory, "output '" + port.name + "'");
    if (whole.byte_size() > 0) std::memcpy(buffer, whole.data(), whole.byte_size());
}

void fill(TRITONBACKEND_Response* response, TRITONBACKEND_Request* request,
          const ConfiguredPorts& ports, const OutputSource& outputs) {
    std::uint32_t count = 0;
    check(TRITONBACKEND_RequestOutputCount(request, &count));
    for (std::uint32_t i = 0; i < count; ++i) {
        const char* name = nullptr;
        check(TRITONBACKEND_RequestOutputName(request, i, &name));
        const ConfiguredPort* port = ports.find_output(name);
        if (port == nullptr) {
            throw ServerError(TRITONSERVER_ERROR_INVALID_ARG,
                              std::string("the model has no output '") + name + "'");
        }
        send_output(response, *port, outputs(port->index));
    }
}

}  // namespace

std::string to_string(const SequenceId& id) {
    if (const auto* number = std::get_if<std::uint64_t>(&id)) return std::to_string(*number);
    return "'" + std::get<std::string>(id) + "'";
}

bool SequenceFacts::has_id() const {
    if (const auto* number = std::get_if<std::uint64_t>(&id)) return *number != 0;
    return !std::get<std::string>(id).empty();
}

SequenceFacts sequence_facts(TRITONBACKEND_Request* request) {
    SequenceFacts facts;
    std::uint64_t number = 0;
    if (TRITONSERVER_Error* is_text = TRITONBACKEND_RequestCorrelationId(request, &number)) {
        TRITONSERVER_ErrorDelete(is_text);
        const char* text = "";
        check(TRITONBACKEND_RequestCorrelationIdString(request, &text));
        facts.id = std::string(text);
    } else {
        facts.id = number;
    }
    std::uint32_t flags = 0;
    check(TRITONBACKEND_RequestFlags(request, &flags));
    facts.starts = (flags & TRITONSERVER_REQUEST_FLAG_SEQUENCE_START) != 0;
    facts.ends = (flags & TRITONSERVER_REQUEST_FLAG_SEQUENCE_END) != 0;
    return facts;
}

bool is_null_request(TRITONBACKEND_Request* request) {
    std::uint32_t outputs = 0;
    check(TRITONBACKEND_RequestOutputCount(request, &outputs));
    return outputs == 0 && !sequence_facts(request).has_id();
}

bool is_cancelled(TRITONBACKEND_Request* request) {
    bool cancelled = false;
    ignore(TRITONBACKEND_RequestIsCancelled(request, &cancelled));
    return cancelled;
}

std::uint64_t timeout_of(TRITONBACKEND_Request* request) {
    std::uint64_t timeout = 0;
    if (TRITONBACKEND_InferenceRequestTimeoutMicroseconds != nullptr) {
        ignore(TRITONBACKEND_InferenceRequestTimeoutMicroseconds(request, &timeout));
    }
    return timeout;
}

std::uint64_t priority_of(TRITONBACKEND_Request* request) {
    std::uint64_t priority = 0;
    if (TRITONSERVER_InferenceRequestPriorityUInt64 != nullptr) {
        ignore(TRITONSERVER_InferenceRequestPriorityUInt64(request, &priority));
    }
    return priority;
}

// Inputs that the model doesn't have are controls of the sequence batcher.
std::vector<Tensor> read_inputs(TRITONBACKEND_Request* request, const ConfiguredPorts& ports,
                                std::size_t input_count) {
    std::vector<Tensor> tensors(input_count);
    std::uint32_t count = 0;
    check(TRITONBACKEND_RequestInputCount(request, &count));
    for (std::uint32_t i = 0; i < count; ++i) {
        TRITONBACKEND_Input* input = nullptr;
        check(TRITONBACKEND_RequestInputByIndex(request, i, &input));
        const InputFacts facts = facts_of(input);
        const ConfiguredPort* port = ports.find_input(facts.name);
        if (port == nullptr) continue;
        const std::string place = "input '" + port->name + "'";
        if (facts.type != port->type) {
            throw ServerError(TRITONSERVER_ERROR_INVALID_ARG,
                              place + " is " + config_name(facts.type) + "; the model takes " +
                                  config_name(port->type));
        }
        tensors[port->index] = elements_of(input, facts.pieces, element_type(facts.type),
                                           shape_for(*port, facts, place), place);
    }
    return tensors;
}

bool send_outputs(TRITONBACKEND_Request* request, const ConfiguredPorts& ports,
                  const OutputSource& outputs) noexcept {
    TRITONBACKEND_Response* response = nullptr;
    TRITONSERVER_Error* error = guarded([&] {
        check(TRITONBACKEND_ResponseNew(&response, request));
        fill(response, request, ports, outputs);
    });
    const bool succeeded = error == nullptr;
    if (response != nullptr) {
        ignore(TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, error));
    }
    ignore(error);
    return succeeded;
}

void send_error(TRITONBACKEND_Request* request, TRITONSERVER_Error* error) noexcept {
    TRITONBACKEND_Response* response = nullptr;
    TRITONSERVER_Error* problem = TRITONBACKEND_ResponseNew(&response, request);
    if (problem == nullptr) {
        problem = TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, error);
    }
    ignore(problem);
    ignore(error);
}

void release(TRITONBACKEND_Request* request) noexcept {
    ignore(TRITONBACKEND_RequestRelease(request, TRITONSERVER_REQUEST_RELEASE_ALL));
}

std::uint64_t now_ns() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

void report(TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_Request* request, bool succeeded,
            const RequestTimes& times) noexcept {
    ignore(TRITONBACKEND_ModelInstanceReportStatistics(instance, request, succeeded, times.start,
                                                       times.compute_start, times.compute_end,
                                                       now_ns()));
}

}  // namespace rondo::triton
