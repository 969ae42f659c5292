#include "core/runtime/model/reshape.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "core/graph/graph.hpp"
#include "core/graph/printer.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/runtime/ports.hpp"
#include "core/support/errors.hpp"
#include "core/support/process.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

using Shapes = std::vector<PartialShape>;

void set_shapes(Graph& graph, const Shapes& shapes) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const auto parameter = as<ops::Parameter>(graph.parameters()[i]);
        internal_check(parameter != nullptr, "a graph's parameter is no Parameter");
        parameter->set_shape(shapes[i]);
    }
    graph.validate();
    ops::variables_of(graph);  // they may no longer agree in shape
}

bool keeps_known_extents(const PartialShape& now, const PartialShape& wanted) {
    if (!now.has_rank()) return true;
    if (!wanted.has_rank() || wanted.rank() != now.rank()) return false;
    for (std::size_t i = 0; i < now.rank(); ++i) {
        if (now[i].is_static() && wanted[i] != now[i]) return false;
    }
    return true;
}

PartialShape opened(const PartialShape& shape) {
    return shape.has_rank() ? PartialShape::of_rank(shape.rank()) : shape;
}

// With inputs that are declared with some shapes, and reshaped to others then.
std::shared_ptr<Graph> read_again(const GraphOrigin& origin, const Shapes& declared,
                                  const Shapes& shapes) {
    const DefaultFloatModes modes;
    auto graph = origin.read(declared);
    set_shapes(*graph, shapes);
    return graph;
}

// Null if it can't be read so.
std::shared_ptr<Graph> try_to_read(const GraphOrigin& origin, const Shapes& declared,
                                   const Shapes& shapes) {
    try {
        return read_again(origin, declared, shapes);
    } catch (const ModelError&) {
        return nullptr;
    } catch (const UnsupportedError&) {
        return nullptr;
    }
}

// Whether nothing but shapes and facts of the whole model was changed since it was read.
bool is_as_read(const Graph& graph, const GraphOrigin& origin) {
    if (graph.parameters().size() != origin.shapes().size()) return false;
    const auto again = try_to_read(origin, origin.shapes(), parameter_shapes(graph));
    if (again == nullptr) return false;
    again->set_name(graph.name());
    return same_graph(graph, *again);
}

// Whether the graph would be another one, had the extents been open when it was read.
bool used_extents(const GraphOrigin& origin) {
    const Shapes& shapes = origin.shapes();
    if (std::none_of(shapes.begin(), shapes.end(), has_known_extent)) return false;
    Shapes open;
    std::transform(shapes.begin(), shapes.end(), std::back_inserter(open), opened);
    const auto known = try_to_read(origin, shapes, shapes);
    const auto other = try_to_read(origin, open, shapes);
    return known == nullptr || other == nullptr || !same_graph(*known, *other);
}

void replace(Graph& graph, const Graph& by) {
    graph.set_ends(by.parameters(), by.results(), by.sinks());
    graph.set_origin(by.origin());
}

[[noreturn]] void refuse(const Graph& graph, const Shapes& shapes, const std::string& why) {
    const auto ports = input_ports(graph);
    for (std::size_t i = 0; i < ports.size(); ++i) {
        if (keeps_known_extents(ports[i].shape, shapes[i])) continue;
        throw UnsupportedError("input '" + ports[i].any_name() + "' can't be reshaped from " +
                               to_string(ports[i].shape) + " to " + to_string(shapes[i]) + ": " +
                               why);
    }
    internal_error("a reshape that is refused changes nothing");
}

}  // namespace

void reshape(Graph& graph, const Shapes& shapes) {
    const Shapes old = parameter_shapes(graph);
    const bool keeps = std::equal(old.begin(), old.end(), shapes.begin(), keeps_known_extents);
    const auto origin = graph.origin();
    if (!keeps && graph.rt_info().contains(kFixedExtents)) {
        // Passes may have written one into any constant: another would give a wrong answer.
        refuse(graph, shapes,
               "known extents are part of a model that was transformed; reshape the original");
    }
    if (!keeps && origin != nullptr) {
        if (is_as_read(graph, *origin)) return replace(graph, *read_again(*origin, shapes, shapes));
        if (used_extents(*origin)) {
            refuse(graph, shapes,
                   "known extents are part of the model as it was read; reshape it before other "
                   "changes");
        }
    }
    try {
        set_shapes(graph, shapes);
    } catch (...) {
        set_shapes(graph, old);
        throw;
    }
}

bool has_read_extents(const Graph& graph) {
    return graph.origin() != nullptr && used_extents(*graph.origin());
}

}  // namespace rondo
