#include "frontend/onnx/writer/ops/control/scan.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace rondo::onnx {
namespace {

using ops::PartRange;

bool is_scannable(const PartRange& range) {
    if (range.part_size != 1) return false;
    const auto first = range.is_reversed() ? range.end : range.start;
    const auto last = range.is_reversed() ? range.start : range.end;
    return first == 0 && last == -1;
}

class ScanWriter {
public:
    ScanWriter(WriteContext& context, const Rounds& rounds)
        : context_(context), op_(context.op<ops::IteratedOp>()), rounds_(rounds) {}

    Names write() {
        const Names outer = context_.inputs();
        Names inputs;
        for (const auto& port : rounds_.carried) inputs.push_back(outer[port.input]);
        for (const auto& port : rounds_.sliced) inputs.push_back(outer[port.input]);
        NewNode node =
            context_.emit("Scan", inputs, rounds_.carried.size() + rounds_.joined.size());
        add_attributes(node);
        write_body(outer, node);
        return outputs(node);
    }

private:
    void add_attributes(NewNode& node) const {
        Ints axes;
        Ints directions;
        for (const auto& port : rounds_.sliced) {
            axes.push_back(port.slice->axis);
            directions.push_back(port.slice->is_reversed() ? 1 : 0);
        }
        Ints output_axes;
        Ints output_directions;
        for (const auto& port : rounds_.joined) {
            output_axes.push_back(port.concat ? port.concat->axis : 0);
            output_directions.push_back(port.concat && port.concat->is_reversed() ? 1 : 0);
        }
        node.with_int("num_scan_inputs", static_cast<std::int64_t>(axes.size()))
            .with_ints("scan_input_axes", axes)
            .with_ints("scan_input_directions", directions);
        if (output_axes.empty()) return;
        node.with_ints("scan_output_axes", output_axes)
            .with_ints("scan_output_directions", output_directions);
    }

    void write_body(const Names& outer, NewNode& node) {
        BodyDraft body(context_, op_.body(),
                       node.add_graph("body", context_.node().name() + "/body"));
        for (const auto& port : rounds_.carried) body.add_parameter(port.parameter);
        for (const auto& port : rounds_.sliced) add_part(body, port);
        for (const auto& port : rounds_.whole)
            body.set_parameter(port.parameter, outer[port.input]);
        body.write_nodes();
        for (const auto& port : rounds_.carried) body.add_result(*port.back_edge);
        for (const auto& port : rounds_.joined) {
            body.add_output(stacked_part(body, port), body.source_of(port.result).element_type(),
                            PartialShape());
        }
    }

    // A part has no axis of parts in ONNX.
    void add_part(BodyDraft& body, const ops::BodyInput& port) {
        const Output value = body.parameter(port.parameter);
        PartialShape shape;
        if (value.shape().has_rank()) {
            std::vector<Dimension> extents = value.shape().dimensions();
            extents.erase(extents.begin() + port.slice->axis);
            shape = PartialShape(std::move(extents));
        }
        WriteContext inside(context_.node(), body.draft());
        const std::string part = body.add_input(value.node().name(), value.element_type(), shape);
        body.set_parameter(port.parameter, inside.unsqueeze(part, {port.slice->axis}));
    }

    Names outputs(const NewNode& node) {
        Names outputs(context_.node().output_count());
        for (const auto& port : op_.body_ports().outputs) {
            const std::size_t place = carried_place(rounds_, port.result);
            const bool is_carried = !port.concat && place < rounds_.carried.size();
            if (is_carried) outputs[port.output] = node.output(place);
        }
        for (std::size_t i = 0; i < rounds_.joined.size(); ++i) {
            const auto& port = rounds_.joined[i];
            const std::string stacked = node.output(rounds_.carried.size() + i);
            outputs[port.output] = port.concat ? stacked : last_of_rounds(context_, stacked);
        }
        return outputs;
    }

    WriteContext& context_;
    const ops::IteratedOp& op_;
    const Rounds& rounds_;
};

}  // namespace

bool is_scan(const Rounds& rounds) {
    return std::all_of(rounds.sliced.begin(), rounds.sliced.end(),
                       [](const auto& port) { return is_scannable(*port.slice); }) &&
           std::all_of(rounds.joined.begin(), rounds.joined.end(), [](const auto& port) {
               return !port.concat || port.concat->part_size == 1;
           });
}

Names write_scan(WriteContext& context, const Rounds& rounds) {
    return ScanWriter(context, rounds).write();
}

}  // namespace rondo::onnx
