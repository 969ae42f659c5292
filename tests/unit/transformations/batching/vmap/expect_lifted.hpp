// Checks of graphs that get a batch axis.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "core/graph/printer.hpp"
#include "core/runtime/transforms.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"
#include "transformations/batching/vmap/add_batch_axis.hpp"

namespace rondo::test {

/// Row n of an axis 0, without that axis.
inline Tensor row_of(const Tensor& whole, std::size_t n) {
    Shape shape(whole.shape().begin() + 1, whole.shape().end());
    Tensor row(whole.element_type(), shape);
    const Tensor dense = whole.contiguous();
    std::memcpy(row.data(), static_cast<const char*>(dense.data()) + n * row.byte_size(),
                row.byte_size());
    return row;
}

/// Rows with a new axis 0 between them.
inline Tensor stacked(const std::vector<Tensor>& rows) {
    Shape shape = rows[0].shape();
    shape.insert(shape.begin(), rows.size());
    Tensor whole(rows[0].element_type(), shape);
    auto* to = static_cast<char*>(whole.data());
    for (const Tensor& row : rows) {
        std::memcpy(to, row.contiguous().data(), row.byte_size());
        to += row.byte_size();
    }
    return whole;
}

/// Gives the graph an open batch axis. Three rows must then get the bits that the graph gave each
/// before. Returns the graph.
inline std::shared_ptr<Graph> expect_lifted(const std::shared_ptr<Graph>& graph,
                                            const Dimension& batch = {},
                                            std::vector<std::vector<Tensor>> rows = {}) {
    constexpr std::size_t kRows = 3;
    const auto before = graph->clone();
    passes::add_batch_axis(*graph, batch);
    if (rows.empty()) {
        const auto all = random_inputs(*graph, kRows);
        for (std::size_t n = 0; n < kRows; ++n) {
            auto& row = rows.emplace_back();
            for (std::size_t i = 0; i < all.size(); ++i) {
                const bool shared = graph->parameters()[i]->output_shape(0).rank() ==
                                    before->parameters()[i]->output_shape(0).rank();
                row.push_back(shared ? all[i] : row_of(all[i], n));
            }
        }
    }
    std::vector<Tensor> joined;
    for (std::size_t i = 0; i < rows[0].size(); ++i) {
        std::vector<Tensor> parts;
        for (const auto& row : rows) parts.push_back(row[i]);
        const bool shared = graph->parameters()[i]->output_shape(0).rank() ==
                            before->parameters()[i]->output_shape(0).rank();
        joined.push_back(shared ? parts[0] : stacked(parts));
    }
    const auto outputs = evaluate_graph(*graph, joined);
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const auto expected = evaluate_graph(*before, rows[n]);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            EXPECT_EQ(graph->results()[i]->input(0).names(),
                      before->results()[i]->input(0).names());
            expect_same(row_of(outputs[i], n), expected[i]);
        }
    }
    return graph;
}

/// The graph is refused, and stays as it is.
inline void expect_not_lifted(const std::shared_ptr<Graph>& graph, const std::string& why) {
    const std::string before = to_text(*graph);
    expect_error<UnsupportedError>([&] { passes::add_batch_axis(*graph, Dimension()); }, why);
    EXPECT_EQ(to_text(*graph), before);
}

}  // namespace rondo::test
