// The tensors of a request, as OpenVINO's programs hold them: handles that stay good.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rondo/infer_request.hpp"
#include "rondo/openvino/tensor.hpp"

namespace rondo::ov {

/// Inputs and outputs of a compiled model.
struct ModelPorts {
    std::vector<Output<const Node>> inputs;
    std::vector<Output<const Node>> outputs;
};

/// A request, and the handles of its tensors that were given out: one that was taken before an
/// inference has the output after it, and one whose set_shape() was called is bound again.
class RequestTensors {
public:
    struct Place {
        PortKind kind;
        std::size_t index;
    };

    RequestTensors(rondo::InferRequest request, std::shared_ptr<const ModelPorts> ports)
        : request_((std::move)(request)),
          ports_((std::move)(ports)),
          inputs_(ports_->inputs.size()),
          outputs_(ports_->outputs.size()) {}

    rondo::InferRequest& request() { return request_; }

    /// They throw ov::Exception if there is no such one.
    Place input(std::size_t index) const {
        port_at(ports_->inputs, index, "input");
        return {PortKind::input, index};
    }
    Place output(std::size_t index) const {
        port_at(ports_->outputs, index, "output");
        return {PortKind::output, index};
    }
    Place only_input() const {
        only_port(ports_->inputs, "input");
        return {PortKind::input, 0};
    }
    Place only_output() const {
        only_port(ports_->outputs, "output");
        return {PortKind::output, 0};
    }
    Place find(const std::string& name) const {
        for (std::size_t i = 0; i < ports_->inputs.size(); ++i) {
            if (ports_->inputs[i].get_names().count(name) != 0) return {PortKind::input, i};
        }
        return {PortKind::output, find_port(ports_->outputs, name, "input or output")};
    }
    /// Ports of the model that was compiled are found by their names.
    Place find(const Output<const Node>& port) const {
        const bool is_input = port.data().kind == PortKind::input;
        const auto& ports = is_input ? ports_->inputs : ports_->outputs;
        const std::size_t place = port.data().place;
        const bool same = port.data().kind != PortKind::node_output && place < ports.size() &&
                          ports[place].get_names().count(port.get_any_name()) != 0;
        if (same) return {port.data().kind, place};
        return find(port.get_any_name());
    }

    /// get() then gives this handle, whatever shape a scalar's element has in it.
    void set(const Place& place, const Tensor& tensor) {
        if (place.kind == PortKind::input) {
            request_.set_input_tensor(place.index, tensor.native());
        } else {
            request_.set_output_tensor(place.index, tensor.native());
        }
        slot(place) = {tensor, tensor.version(), true};
    }

    Tensor get(const Place& place) {
        Slot& own = slot(place);
        if (!own.tensor) own = place.kind == PortKind::input ? new_input(place) : new_output(place);
        if (place.kind == PortKind::output && has_run_) take_output(place.index);
        return own.tensor;
    }

    void bind_changed_inputs() {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            Slot& slot = inputs_[i];
            if (!slot.tensor || slot.tensor.version() == slot.version) continue;
            request_.set_input_tensor(i, slot.tensor.native());
            slot.version = slot.tensor.version();
        }
    }

    /// After an inference that succeeded.
    void take_outputs() {
        has_run_ = true;
        for (std::size_t i = 0; i < outputs_.size(); ++i) take_output(i);
    }

    /// wait() may also be called if nothing was started.
    void expect_outputs() { expects_outputs_ = true; }
    void take_expected_outputs() {
        if (expects_outputs_) take_outputs();
    }

private:
    struct Slot {
        Tensor tensor;
        std::uint64_t version = 0;  ///< of the tensor, when it was bound
        bool is_bound = false;
    };

    Slot& slot(const Place& place) {
        return place.kind == PortKind::input ? inputs_[place.index] : outputs_[place.index];
    }

    // Open extents are 0 until the program says more.
    static Tensor without_elements(const Output<const Node>& port) {
        return Tensor(port.get_element_type(), port.get_partial_shape().get_min_shape());
    }

    Slot new_input(const Place& place) {
        const auto& port = ports_->inputs[place.index];
        if (port.get_partial_shape().is_dynamic()) return {without_elements(port), 0, false};
        return {Tensor::of(request_.get_input_tensor(place.index)), 0, true};
    }

    // One of a known shape is bound, so that its memory stays.
    Slot new_output(const Place& place) {
        const auto& port = ports_->outputs[place.index];
        if (port.get_partial_shape().is_dynamic() || has_run_) {
            return {without_elements(port), 0, false};
        }
        const Tensor tensor(port);
        request_.set_output_tensor(place.index, tensor.native());
        return {tensor, 0, true};
    }

    void take_output(std::size_t index) {
        Slot& slot = outputs_[index];
        if (slot.tensor && !slot.is_bound) slot.tensor.assign(request_.get_output_tensor(index));
    }

    rondo::InferRequest request_;
    std::shared_ptr<const ModelPorts> ports_;
    std::vector<Slot> inputs_;
    std::vector<Slot> outputs_;
    bool has_run_ = false;
    bool expects_outputs_ = false;
};

}  // namespace rondo::ov
