// Looks for the parts of an ONNX graph and of the bodies in it, and changes them.
#pragma once

#include <rondo_onnx.pb.h>

#include <cstddef>
#include <string>
#include <vector>

#include "tests/random/minimise/candidate.hpp"

namespace rondo::test {

/// The bodies of a node itself, without those inside of them.
std::vector<rondo_onnx::GraphProto*> bodies_of(rondo_onnx::NodeProto& node);
/// The body in the attribute of that name; null without one.
rondo_onnx::GraphProto* body_named(rondo_onnx::NodeProto& node, const std::string& name);
/// The model's graph and every body, each after the graph that it is in.
std::vector<rondo_onnx::GraphProto*> all_graphs(Candidate& candidate);

/// A node by its number in a graph, which has a number in all_graphs().
struct Place {
    std::size_t graph = 0;
    int node = 0;
};
/// Every node with bodies.
std::vector<Place> nodes_with_bodies(Candidate& candidate);

/// The nodes of the graph and of every body in it.
std::size_t count_nodes(const rondo_onnx::GraphProto& graph);

/// Whether a node of the graph or of a body in it reads the value.
bool reads(const rondo_onnx::GraphProto& graph, const std::string& value);
/// Whether the node or a body in it reads the value.
bool reads(const rondo_onnx::NodeProto& node, const std::string& value);
/// Whether the value is one of the graph's outputs.
bool is_output(const rondo_onnx::GraphProto& graph, const std::string& value);
/// Whether the value is read, or an output. One that was left out, "", isn't.
bool is_used(const rondo_onnx::GraphProto& graph, const std::string& value);
/// Whether nothing uses what a node of the graph makes.
bool is_dead(const rondo_onnx::GraphProto& graph, const rondo_onnx::NodeProto& node);
/// The values that a node, an input or an initializer of the graph itself makes.
std::vector<std::string> made_values(const rondo_onnx::GraphProto& graph);

/// Where the graph and the bodies in it read `from`, they read `to`. Its outputs stay.
void replace_reads(rondo_onnx::GraphProto& graph, const std::string& from, const std::string& to);
/// Puts a node in front of node `at`.
void insert_node(rondo_onnx::GraphProto& graph, int at, rondo_onnx::NodeProto node);
/// A node with one output.
rondo_onnx::NodeProto make_node(const std::string& op, const std::vector<std::string>& inputs,
                                const std::string& output);
/// The model's graph has this output alone, of any type.
void set_output(Candidate& candidate, const std::string& value);

/// Takes away what no output depends on: nodes, initializers and inputs of the model, and nodes and
/// initializers of bodies.
void drop_unread(Candidate& candidate);

/// Takes away element `at` of a list of a message, if there is one.
template <typename List>
void erase_at(List& list, int at) {
    if (at < list.size()) list.erase(list.begin() + at);
}

}  // namespace rondo::test
