#include "benchmark/roofline.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "benchmark/counters.hpp"
#include "machine/calibration.hpp"
#include "model_contents.hpp"
#include "texts.hpp"

namespace rondo::tool {
namespace {

constexpr double kSecondsEach = 0.1;
constexpr double kLeastMicroseconds = 1;  // the clock's own time counts in shorter ones

template <std::size_t count>
bool is_among(const std::string& type, const char* const (&types)[count]) {
    return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

// What they do depends on values, or they have bodies.
// keep-sorted
constexpr const char* kUnknown[] = {
    "Assign",  "Const",     "Constant",  "If",     "Loop",           "NonMaxSuppression",
    "NonZero", "Parameter", "ReadValue", "Result", "TensorIterator", "Unique",
};

// They read no more of their first input than they write.
// keep-sorted
constexpr const char* kPicks[] = {
    "Gather", "GatherElements", "GatherND", "Slice", "Split", "StridedSlice", "VariadicSplit",
};

std::optional<double> elements_of(const PortInfo& port) {
    if (!port.shape.is_static()) return std::nullopt;
    double count = 1;
    for (const std::size_t extent : port.shape.to_shape()) count *= static_cast<double>(extent);
    return count;
}

// What a node reads and writes, all of known extents.
struct Ports {
    std::vector<PortInfo> inputs;
    std::vector<bool> are_constant;
    std::vector<PortInfo> outputs;

    Shape shape(std::size_t input) const { return inputs[input].shape.to_shape(); }
    double elements(std::size_t input) const { return *elements_of(inputs[input]); }
    double result() const { return *elements_of(outputs[0]); }
};

std::optional<Ports> ports_of(const NodeInfo& node, const std::vector<NodeInfo>& nodes) {
    Ports ports;
    for (const auto& source : node.inputs) {
        ports.inputs.push_back(nodes[source.node].outputs[source.output]);
        ports.are_constant.push_back(nodes[source.node].type == "Const");
    }
    ports.outputs = node.outputs;
    for (const auto* list : {&ports.inputs, &ports.outputs}) {
        for (const PortInfo& port : *list) {
            if (!port.shape.is_static() || port.element_type == ElementType::dynamic) return {};
        }
    }
    return ports;
}

double bytes_of(const PortInfo& port) {
    return *elements_of(port) * static_cast<double>(size_of(port.element_type));
}

double bytes_of(const NodeInfo& node, const Ports& ports) {
    double written = 0;
    for (const PortInfo& port : ports.outputs) written += bytes_of(port);
    double read = 0;
    for (const PortInfo& port : ports.inputs) read += bytes_of(port);
    if (is_among(node.type, kPicks) && !ports.inputs.empty()) {
        read += std::min(written, bytes_of(ports.inputs[0])) - bytes_of(ports.inputs[0]);
    }
    return read + written;
}

double matmul_flops(const NodeInfo& node, const Ports& ports) {
    const Shape a = ports.shape(0);
    if (a.empty()) return 0;
    const bool is_turned = attribute(node, "transpose_a") == "true" && a.size() > 1;
    const std::size_t inner = a[a.size() - (is_turned ? 2 : 1)];
    return 2 * ports.result() * static_cast<double>(inner);
}

// Each element of W and R meets each row and step once. They are the largest constants' rank: 3
// for layers, 2 for cells.
double recurrent_flops(const Ports& ports) {
    const Shape x = ports.shape(0);
    if (x.empty() || x.back() == 0) return 0;
    double weights = 0;
    for (std::size_t i = 1; i < ports.inputs.size(); ++i) {
        if (ports.are_constant[i] && ports.shape(i).size() == x.size()) {
            weights += ports.elements(i);
        }
    }
    return 2 * ports.elements(0) / static_cast<double>(x.back()) * weights;
}

// Multiply-adds for an element of the output, or of the input if `spreads`.
double filter_size(const Ports& ports, bool has_groups) {
    const Shape filters = ports.shape(1);
    const double channels =
        static_cast<double>(filters[0]) * (has_groups ? static_cast<double>(filters[1]) : 1.0);
    return channels == 0 ? 0 : ports.elements(1) / channels;
}

double flops_of(const NodeInfo& node, const Ports& ports) {
    if (node.type == "MatMul") return matmul_flops(node, ports);
    if (is_recurrent(node) || node.type == "StridedSequence" || node.type == "SequenceStack") {
        return recurrent_flops(ports);
    }
    const bool has_groups = node.type.rfind("Group", 0) == 0;
    if (node.type == "Convolution" || node.type == "GroupConvolution") {
        return 2 * ports.result() * filter_size(ports, has_groups);
    }
    if (node.type == "ConvolutionBackpropData" || node.type == "GroupConvolutionBackpropData") {
        // filters: [Cin, Cout, ...] or [G, Cin / G, Cout / G, ...]
        return 2 * ports.elements(0) * filter_size(ports, has_groups);
    }
    return 0;
}

VectorSet vector_set_of(const std::string& device) {
    if (device.find("avx512") != std::string::npos) return VectorSet::avx512;
    return device.find("avx2") != std::string::npos ? VectorSet::avx2 : VectorSet::plain;
}

// The sum of what a row measured; empty if a node's work isn't known.
std::optional<NodeWork> work_of_row(const ProfilingInfo& row, const std::set<std::string>& names,
                                    const std::map<std::string, NodeWork>& works) {
    NodeWork sum;
    const auto measured = measured_nodes(row, names);
    for (const std::string& name : measured) {
        const auto at = works.find(name);
        if (at == works.end()) return std::nullopt;
        sum.flops += at->second.flops;
        sum.bytes += at->second.bytes;
    }
    if (measured.empty()) return std::nullopt;
    return sum;
}

}  // namespace

std::optional<NodeWork> work_of(const NodeInfo& node, const std::vector<NodeInfo>& nodes) {
    if (is_among(node.type, kUnknown)) return std::nullopt;
    const auto ports = ports_of(node, nodes);
    if (!ports || ports->outputs.empty()) return std::nullopt;
    return NodeWork{flops_of(node, *ports), bytes_of(node, *ports)};
}

double total_bytes(const std::vector<NodeInfo>& nodes) {
    double bytes = 0;
    for (const NodeInfo& node : nodes) {
        if (const auto work = work_of(node, nodes)) bytes += work->bytes;
    }
    return bytes;
}

MachineLimits measure_limits(const std::string& device, int threads, double bytes) {
    const CacheSizes caches = cache_sizes();
    MachineLimits limits;
    limits.threads = threads;
    limits.level = "memory";
    if (bytes <= static_cast<double>(caches.l3)) limits.level = "l3";
    if (bytes <= static_cast<double>(caches.l2 * threads)) limits.level = "l2";
    CalibrationOptions options{kSecondsEach, 0, limits.level};
    Calibration measured = calibrate(vector_set_of(device), caches, threads, options);
    if (measured.reads.empty()) {  // the third cache is hardly larger than the second
        options.level = limits.level = "l2";
        measured = calibrate(vector_set_of(device), caches, threads, options);
    }
    limits.flops = measured.gigaflops.best * 1e3;
    limits.bytes = measured.reads.front().gigabytes.best * 1e3;
    return limits;
}

LimitShares limit_shares(const std::vector<ProfilingInfo>& rows, const std::vector<NodeInfo>& nodes,
                         const MachineLimits& limits) {
    std::map<std::string, NodeWork> works;
    std::set<std::string> names;
    for (const NodeInfo& node : nodes) {
        names.insert(node.name);
        if (const auto work = work_of(node, nodes)) works.emplace(node.name, *work);
    }
    LimitShares shares;
    for (const ProfilingInfo& row : rows) {
        if (row.status != ProfilingInfo::ExecutionStatus::executed) continue;
        if (microseconds(row) < kLeastMicroseconds) continue;
        const auto work = work_of_row(row, names, works);
        if (!work) continue;
        const double least = std::max(work->flops / limits.flops, work->bytes / limits.bytes);
        shares[row.node_name] = least / microseconds(row);
    }
    return shares;
}

std::string to_text(const MachineLimits& limits) {
    return formatted("%.3g GFLOP/s, %.3g GB/s from %s, %d thread%s", limits.flops / 1e3,
                     limits.bytes / 1e3, limits.level.c_str(), limits.threads,
                     limits.threads == 1 ? "" : "s");
}

}  // namespace rondo::tool
