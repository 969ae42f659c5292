#include "transformations/lowering/passes.hpp"

#include <string>

#include "core/graph/port_forms.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "rondo/error.hpp"

namespace rondo::passes {
namespace {

bool is_own_type(ElementType type) {
    return type == ElementType::f8e4m3fnuz || type == ElementType::f8e5m2fnuz ||
           type == ElementType::i2;
}

// An input that comes with the run, where OpenVINO wants a constant; null where there is none.
const PortForm* late_port(const Node& node) {
    for (const PortForm& form : port_forms_of(node.type_name())) {
        const bool is_there = form.input < node.input_count();
        const bool is_late = form.time == PortTime::compilation;
        if (is_there && is_late && !known_value(node.input(form.input))) return &form;
    }
    return nullptr;
}

// What OpenVINO lacks of a node; empty where it has all.
std::string lacking(const Node& node) {
    if (node.op_type().opset == 0) return std::string(node.type_name());
    const auto* convert = as_op<ops::Convert>(node);
    if (convert != nullptr && convert->rounding() != NarrowRounding()) {
        return "Convert that rounds in another way";
    }
    if (const PortForm* port = late_port(node)) {
        return std::string(node.type_name()) + " whose " + std::string(port->name) +
               " comes with the run";
    }
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        if (is_own_type(node.output_type(i))) return std::string(to_string(node.output_type(i)));
    }
    return {};
}

}  // namespace

void refuse_own_ops(const Graph& graph) {
    std::string list;
    for_each_graph(graph, [&](const Graph& one) {
        for (const auto& node : one.ordered_nodes()) {
            const std::string what = lacking(*node);
            if (what.empty()) continue;
            list += (list.empty() ? "'" : ", '") + node->name() + "' (" + what + ")";
        }
    });
    if (list.empty()) return;
    throw UnsupportedError("OpenVINO has nothing for " + list +
                           "; without 'for openvino' Rondo writes them under its opset rondo1");
}

}  // namespace rondo::passes
