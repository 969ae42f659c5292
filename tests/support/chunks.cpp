#include "tests/support/chunks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "core/graph/printer.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "rondo/core.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

// A tensor as [outer, rows, bytes of a row].
struct Rows {
    std::size_t outer = 1;
    std::size_t rows = 1;
    std::size_t bytes = 1;
};

Rows rows_along(const Tensor& tensor, std::size_t axis) {
    const Shape& shape = tensor.shape();
    Rows rows;
    for (std::size_t i = 0; i < axis; ++i) rows.outer *= shape[i];
    rows.rows = shape[axis];
    const std::size_t count = rows.outer * rows.rows;
    rows.bytes = count == 0 ? 0 : tensor.byte_size() / count;
    return rows;
}

std::size_t time_axis_of(const Node& node) { return std::stoul(node.rt_info().at(kTimeAxis)); }

bool has_time(const Node& node) { return node.rt_info().contains(kTimeAxis); }

// The results, in copies that the next call leaves alone.
std::vector<Tensor> infer(InferRequest& request, const std::vector<Tensor>& inputs,
                          std::size_t results) {
    for (std::size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
    request.infer();
    std::vector<Tensor> outputs;
    for (std::size_t i = 0; i < results; ++i) {
        const Tensor output = request.get_output_tensor(i);
        outputs.emplace_back(output.element_type(), output.shape());
        std::memcpy(outputs.back().data(), output.data(), output.byte_size());
    }
    return outputs;
}

InferRequest request_for(const Graph& graph, const std::string& device) {
    return Core().compile_model(Model(graph.clone()), device).create_infer_request();
}

}  // namespace

Tensor rows_of(const Tensor& tensor, std::size_t axis, std::size_t begin, std::size_t end) {
    const Rows all = rows_along(tensor, axis);
    Shape shape = tensor.shape();
    shape[axis] = end - begin;
    Tensor result(tensor.element_type(), shape);
    const auto* from = static_cast<const std::uint8_t*>(tensor.data());
    auto* to = static_cast<std::uint8_t*>(result.data());
    const std::size_t size = (end - begin) * all.bytes;
    for (std::size_t i = 0; i < all.outer; ++i) {
        std::memcpy(to + i * size, from + (i * all.rows + begin) * all.bytes, size);
    }
    return result;
}

Tensor joined(const std::vector<Tensor>& parts, std::size_t axis) {
    Shape shape = parts.front().shape();
    shape[axis] = 0;
    for (const Tensor& part : parts) shape[axis] += part.shape()[axis];
    Tensor result(parts.front().element_type(), shape);
    const Rows all = rows_along(result, axis);
    auto* to = static_cast<std::uint8_t*>(result.data());
    std::size_t done = 0;
    for (const Tensor& part : parts) {
        const auto* from = static_cast<const std::uint8_t*>(part.data());
        const std::size_t rows = part.shape()[axis];
        for (std::size_t i = 0; i < all.outer; ++i) {
            std::memcpy(to + (i * all.rows + done) * all.bytes, from + i * rows * all.bytes,
                        rows * all.bytes);
        }
        done += rows;
    }
    return result;
}

std::vector<Tensor> run_whole(const Graph& graph, const std::string& device,
                              const std::vector<Tensor>& inputs) {
    InferRequest request = request_for(graph, device);
    return infer(request, inputs, graph.results().size());
}

std::vector<Tensor> run_in_chunks(const Graph& graph, const std::string& device,
                                  const std::vector<Tensor>& inputs,
                                  const std::vector<std::size_t>& chunks,
                                  const std::vector<Feedback>& feedback) {
    InferRequest request = request_for(graph, device);
    std::vector<std::vector<Tensor>> parts(graph.results().size());
    std::size_t begin = 0;
    std::vector<Tensor> chunk = inputs;
    for (const std::size_t length : chunks) {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const Node& parameter = *graph.parameters()[i];
            if (!has_time(parameter)) continue;
            chunk[i] = rows_of(inputs[i], time_axis_of(parameter), begin, begin + length);
        }
        const auto outputs = infer(request, chunk, parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i) parts[i].push_back(outputs[i]);
        for (const auto& [input, output, row] : feedback) {
            const Tensor& state = outputs[output];
            chunk[input] = Tensor(state.element_type(), inputs[input].shape());
            const Tensor next = row ? rows_of(state, 0, *row, *row + 1) : state;
            std::memcpy(chunk[input].data(), next.data(), chunk[input].byte_size());
        }
        begin += length;
    }
    std::vector<Tensor> results;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Node& result = *graph.results()[i];
        results.push_back(has_time(result) ? joined(parts[i], time_axis_of(result))
                                           : parts[i].back());
    }
    return results;
}

std::vector<std::size_t> chunks_of(std::size_t frames, std::size_t length, Rng& rng) {
    std::vector<std::size_t> chunks;
    while (frames > 0) {
        const std::size_t next =
            length > 0 ? length : static_cast<std::size_t>(uniform_int(rng, 1, 9));
        chunks.push_back(std::min(next, frames));
        frames -= chunks.back();
    }
    return chunks;
}

std::shared_ptr<Graph> expect_same_in_chunks(const Graph& original,
                                             const std::vector<Tensor>& inputs,
                                             const StreamingOptions& options,
                                             SourceLocation where) {
    const testing::ScopedTrace trace(where.file_name(), where.line(), "made streaming here");
    const auto streaming = original.clone();
    Model(streaming).make_streaming(options);
    std::size_t frames = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Node& parameter = *streaming->parameters()[i];
        if (has_time(parameter)) frames = inputs[i].shape()[time_axis_of(parameter)];
    }
    Rng rng(static_cast<std::uint64_t>(where.line()));
    for (const char* device : {"REFERENCE", "CPU"}) {
        const auto expected = run_whole(original, device, inputs);
        for (const std::size_t length :
             {frames, std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{0}}) {
            SCOPED_TRACE(std::string(device) + ", chunks of " + std::to_string(length));
            const auto actual =
                run_in_chunks(*streaming, device, inputs, chunks_of(frames, length, rng));
            for (std::size_t i = 0; i < expected.size(); ++i) {
                SCOPED_TRACE("result " + std::to_string(i));
                const bool is_exact = std::string(device) == "CPU";
                expect_near(actual[i], expected[i], is_exact ? 0 : 1e-4, is_exact ? 0 : 1e-4);
            }
        }
        if (testing::Test::HasFailure()) {
            ADD_FAILURE() << to_text(*streaming);
            break;
        }
    }
    return streaming;
}

}  // namespace rondo::test
