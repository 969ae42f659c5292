// Converts Scan.
#include "core/ops/control/control_ops.hpp"

#include <algorithm>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
#include "frontend/onnx/ops/control/loop_values.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// One number an input or output that is scanned; zeros if the attribute is absent.
std::vector<std::int64_t> numbers(NodeContext& context, const char* name, std::size_t count) {
    auto found = context.attributes().find_ints(name).value_or(std::vector<std::int64_t>(count));
    if (found.size() != count) {
        throw ModelError("attribute '" + std::string(name) + "' has " +
                         counted(found.size(), "element") + "; expected " + std::to_string(count));
    }
    return found;
}

ops::PartRange range_of(std::int64_t axis, std::int64_t direction, const char* name) {
    if (direction == 0) return {axis, 0, 1, 1, -1};
    if (direction == 1) return {axis, -1, -1, 1, 0};
    throw ModelError("attribute '" + std::string(name) + "' has a " + std::to_string(direction) +
                     "; expected 0 or 1");
}

std::int64_t axis_of(const PartialShape& shape, std::int64_t axis, const std::string& what) {
    if (axis >= 0) return axis;
    if (!shape.has_rank()) {
        throw UnsupportedError(what + " is scanned along axis " + std::to_string(axis) +
                               ", but its rank isn't known");
    }
    const std::int64_t positive = axis + static_cast<std::int64_t>(shape.rank());
    if (positive >= 0) return positive;
    throw ModelError(what + " of shape " + to_string(shape) + " has no axis " +
                     std::to_string(axis));
}

// What is scanned: the loop-carried values come first, in inputs and results.
struct Scan {
    std::size_t values = 0;
    std::vector<Output> inputs = {};
    std::vector<std::int64_t> input_axes = {};
    std::vector<std::int64_t> input_directions = {};
    std::vector<std::int64_t> output_axes = {};
    std::vector<std::int64_t> output_directions = {};
};

std::size_t count_scans(NodeContext& context, std::size_t inputs) {
    const std::int64_t scans = context.attributes().find_int("num_scan_inputs").value_or(0);
    if (scans < 1 || scans > static_cast<std::int64_t>(inputs)) {
        throw ModelError("attribute 'num_scan_inputs' is " + std::to_string(scans) +
                         "; expected 1 to " + std::to_string(inputs));
    }
    return static_cast<std::size_t>(scans);
}

void add_inputs(const Scan& scan, BodyRequest& request, ops::BodyPorts& ports) {
    for (std::size_t i = 0; i < scan.inputs.size(); ++i) {
        const Output& input = scan.inputs[i];
        ports.inputs.push_back({i, i, {}, {}});
        request.inputs.push_back({input.element_type(), input.shape()});
        if (i < scan.values) {
            ports.inputs.back().back_edge = i;
            continue;
        }
        const std::string what = "input " + std::to_string(i);
        const std::size_t k = i - scan.values;
        const std::int64_t axis = axis_of(input.shape(), scan.input_axes[k], what);
        ports.inputs.back().slice =
            range_of(axis, scan.input_directions[k], "scan_input_directions");
        BodyValue& value = request.inputs.back();
        value.extra_axis = axis;
        if (!value.shape.has_rank()) continue;
        if (axis >= static_cast<std::int64_t>(value.shape.rank())) {
            throw ModelError(what + " of shape " + to_string(value.shape) + " has no axis " +
                             std::to_string(axis));
        }
        value.shape[static_cast<std::size_t>(axis)] = 1;
    }
}

// The ports and body of one scan. What the body reads from around it is left to the caller.
struct ReadScan {
    BodyGraph body;
    ops::BodyPorts ports;
};

ReadScan read_scan(NodeContext& context, const Scan& scan) {
    ReadScan read;
    BodyRequest request;
    add_inputs(scan, request, read.ports);
    const std::size_t joined = scan.output_axes.size();
    request.extra_axis = [&](std::size_t result) -> std::optional<std::int64_t> {
        if (result < scan.values || result - scan.values >= joined) return {};
        return scan.output_axes[result - scan.values];
    };
    read.body = read_loop_body(context, request, 0, 0, scan.values);
    const Graph& body = *read.body.graph;
    check_output_count(read.body, scan.values + joined, scan.values + joined);
    for (std::size_t i = 0; i < scan.values + joined; ++i) {
        read.ports.outputs.push_back({i, i, {}});
        if (i < scan.values) continue;
        const std::size_t k = i - scan.values;
        const std::int64_t axis = axis_of(body.results()[i]->output_shape(0), scan.output_axes[k],
                                          "output " + std::to_string(i));
        read.ports.outputs.back().concat =
            range_of(axis, scan.output_directions[k], "scan_output_directions");
    }
    return read;
}

std::size_t count_joined(const NodeContext& context, std::size_t values) {
    return context.output_count() > values ? context.output_count() - values : 0;
}

// The graph around a scan of opset 8, which walks the rows of a batch.
class RowGraph {
public:
    explicit RowGraph(NodeContext& context) : context_(context) {}

    /// A row of `batch`, without its axis.
    Output add_row(const Output& batch) {
        PartialShape shape = batch.shape();
        if (shape.has_rank() && shape.rank() == 0) {
            throw ModelError("an input is a scalar; expected a batch of rows");
        }
        if (shape.has_rank()) shape[0] = 1;
        const Output row = add(batch, shape, ops::PartRange{});
        return context_.make<ops::Squeeze>("row", row, context_.ints({0}));
    }

    /// A tensor of the graph around the scan.
    Output add_whole(const Output& value) { return add(value, value.shape(), {}); }

    std::vector<Output> finish(const std::vector<Output>& rows) {
        std::vector<NodePtr> results;
        for (const Output& row : rows) {
            const Output batch = context_.make<ops::Unsqueeze>("rows", row, context_.ints({0}));
            ports_.outputs.push_back({results.size(), results.size(), ops::PartRange{}});
            results.push_back(context_.make<ops::Result>("rows/result", batch));
        }
        const auto graph = std::make_shared<Graph>("rows", parameters_, results);
        return outputs_of(context_.make<ops::TensorIterator>("", inputs_, graph, ports_));
    }

private:
    Output add(const Output& value, const PartialShape& shape,
               std::optional<ops::PartRange> range) {
        ports_.inputs.push_back({inputs_.size(), parameters_.size(), range, {}});
        inputs_.push_back(value);
        parameters_.push_back(
            context_.make<ops::Parameter>("row/input", value.element_type(), shape));
        return parameters_.back();
    }

    NodeContext& context_;
    std::vector<Output> inputs_;
    std::vector<NodePtr> parameters_;
    ops::BodyPorts ports_;
};

}  // namespace

std::vector<Output> convert_scan_9(NodeContext& context) {
    const std::size_t scans = count_scans(context, context.input_count());
    Scan scan{context.input_count() - scans, context.all_inputs(1)};
    const std::size_t joined = count_joined(context, scan.values);
    scan.input_axes = numbers(context, "scan_input_axes", scans);
    scan.input_directions = numbers(context, "scan_input_directions", scans);
    scan.output_axes = numbers(context, "scan_output_axes", joined);
    scan.output_directions = numbers(context, "scan_output_directions", joined);
    ReadScan read = read_scan(context, scan);
    add_captured(read.body, scan.inputs, read.ports);
    return outputs_of(context.make<ops::TensorIterator>("", std::move(scan.inputs), read.body.graph,
                                                        std::move(read.ports)));
}

// Each row of the batch is a scan of its own.
std::vector<Output> convert_scan_8(NodeContext& context) {
    if (context.has_input(0)) {
        throw UnsupportedError(
            "sequence_lens is not supported: all rows of the batch must have the same length");
    }
    const std::size_t inputs =
        context.input_count() - std::min<std::size_t>(context.input_count(), 1);
    const std::size_t scans = count_scans(context, inputs);
    RowGraph rows(context);
    Scan scan{inputs - scans};
    for (std::size_t i = 1; i <= inputs; ++i) scan.inputs.push_back(rows.add_row(context.input(i)));
    const std::size_t joined = count_joined(context, scan.values);
    scan.input_axes.resize(scans);
    scan.input_directions = numbers(context, "directions", scans);
    scan.output_axes.resize(joined);
    scan.output_directions.resize(joined);
    ReadScan read = read_scan(context, scan);
    for (Output& captured : read.body.captured) captured = rows.add_whole(captured);
    add_captured(read.body, scan.inputs, read.ports);
    return rows.finish(outputs_of(context.make<ops::TensorIterator>(
        "scan", std::move(scan.inputs), read.body.graph, std::move(read.ports))));
}

}  // namespace rondo::onnx
