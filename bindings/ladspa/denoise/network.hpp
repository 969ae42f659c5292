// Networks of denoisers: read once, run by any number of streams, each with its own states.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <rondo/core.hpp>

namespace rondo::denoise {

/// A network that keeps its own states, compiled for one thread.
struct NetworkFile {
    std::string path;
    CompiledModel model;
    std::vector<bool> gives_factors;  ///< whether an output comes from a Sigmoid: 0 to 1
};

using Networks = std::vector<NetworkFile>;

/// Reads networks and lets them keep their states: those that are inputs and outputs, what a
/// network with an open time axis needs of earlier frames, or none if it has variables or no
/// states. Throws rondo::Error that names the file.
Networks load_networks(const std::vector<std::string>& paths);

/// A stream's use of a network. All tensors are bound once, so that infer() allocates nothing.
class Network {
public:
    /// Inputs that `given` names share its tensors, others have their own; an open extent becomes
    /// 1, or if the elements are given, what makes the only input have so many.
    explicit Network(const NetworkFile& file, const std::map<std::string, Tensor>& given = {},
                     std::size_t elements = 0);

    /// The shape of the only input or output. Throws ModelError that lists them if there are more.
    const Shape& only_input() const { return only(inputs_, "input").shape(); }
    const Shape& only_output() const { return only(outputs_, "output").shape(); }
    /// The elements, of which there are as many as expected; `name` may be empty for the only one.
    /// Throws ModelError that names file and port, with what was expected.
    float* input(std::size_t expected, const std::string& name = "");
    const float* output(std::size_t expected, const std::string& name = "") const;
    /// For the `given` of another network.
    Tensor output_tensor(const std::string& name) const;
    bool gives_factors() const { return gives_factors_; }  ///< the only output

    void infer() { request_.infer(); }
    void reset() { request_.reset_state(); }

private:
    using Ports = std::map<std::string, Tensor>;

    void bind_inputs(const std::vector<PortInfo>& inputs, const Ports& given, std::size_t elements);
    void bind_outputs(const std::vector<PortInfo>& outputs);
    const Tensor& only(const Ports& ports, const char* kind) const;
    const Tensor& find(const Ports& ports, const char* kind, const std::string& name) const;
    const Tensor& sized(const Ports& ports, const char* kind, const std::string& name,
                        std::size_t expected) const;

    std::string path_;
    InferRequest request_;
    Ports inputs_;
    Ports outputs_;
    bool gives_factors_ = false;
};

}  // namespace rondo::denoise
