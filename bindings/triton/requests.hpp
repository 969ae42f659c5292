// Reading the server's requests, and answering them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "bindings/triton/model_config.hpp"
#include "bindings/triton/triton_api.hpp"
#include "rondo/tensor.hpp"

namespace rondo::triton {

/// The correlation id of a sequence: a number or a text.
using SequenceId = std::variant<std::uint64_t, std::string>;

std::string to_string(const SequenceId& id);

/// What a request says of its sequence.
struct SequenceFacts {
    SequenceId id = std::uint64_t{0};
    bool starts = false;
    bool ends = false;

    /// 0 and "" mean that the request belongs to no sequence.
    bool has_id() const;
};

SequenceFacts sequence_facts(TRITONBACKEND_Request* request);

/// True for what the direct sequence batcher fills its batches with: it asks for nothing, and there
/// is no place for an answer.
bool is_null_request(TRITONBACKEND_Request* request);

/// What the server knows; false if it doesn't say.
bool is_cancelled(TRITONBACKEND_Request* request);

/// In microseconds; 0: none.
std::uint64_t timeout_of(TRITONBACKEND_Request* request);
/// 1 is the highest; 0: none.
std::uint64_t priority_of(TRITONBACKEND_Request* request);

/// The tensors of a request, in the order of the model's `input_count` inputs; one that is missing
/// is empty. They borrow the request's memory if it lies in one piece. Throws ServerError for what
/// can't be read.
std::vector<Tensor> read_inputs(TRITONBACKEND_Request* request, const ConfiguredPorts& ports,
                                std::size_t input_count);

/// Gives the tensor of an output by its index in the model.
using OutputSource = std::function<Tensor(std::size_t output)>;

/// Sends the outputs that the request asks for, or the error that arises meanwhile. True if the
/// outputs were sent.
bool send_outputs(TRITONBACKEND_Request* request, const ConfiguredPorts& ports,
                  const OutputSource& outputs) noexcept;

/// Sends the error, which it deletes.
void send_error(TRITONBACKEND_Request* request, TRITONSERVER_Error* error) noexcept;

/// Gives the request back to the server: the last use of it.
void release(TRITONBACKEND_Request* request) noexcept;

/// The monotonic clock, in nanoseconds.
std::uint64_t now_ns();

/// When a request was taken up and when its inference began and ended; it ends now.
struct RequestTimes {
    std::uint64_t start = 0;
    std::uint64_t compute_start = 0;
    std::uint64_t compute_end = 0;
};
void report(TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_Request* request, bool succeeded,
            const RequestTimes& times) noexcept;

}  // namespace rondo::triton
