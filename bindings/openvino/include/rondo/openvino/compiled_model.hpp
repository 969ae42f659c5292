// OpenVINO's CompiledModel, for rondo/openvino.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "rondo/compiled_model.hpp"
#include "rondo/openvino/infer_request.hpp"
#include "rondo/openvino/model.hpp"
#include "rondo/openvino/properties.hpp"

namespace rondo::ov {

/// Thread-safe. A handle: copies share the program.
class CompiledModel {
public:
    CompiledModel() = default;
    explicit CompiledModel(rondo::CompiledModel model) : model_((std::move)(model)) {
        const auto owner = std::make_shared<ModelPorts>();
        const auto nodes = [model = model_] { return model.runtime_model(); };
        owner->inputs = ports_of<const Node>(model_.inputs(), PortKind::input, owner.get(), nodes);
        owner->outputs =
            ports_of<const Node>(model_.outputs(), PortKind::output, owner.get(), nodes);
        ports_ = owner;
    }

    explicit operator bool() const noexcept { return ports_ != nullptr; }
    bool operator!() const noexcept { return ports_ == nullptr; }

    const std::vector<Output<const Node>>& inputs() const { return ports().inputs; }
    const std::vector<Output<const Node>>& outputs() const { return ports().outputs; }
    /// The only one, one by its place, and one by any of its names. They throw ov::Exception if
    /// there is no such one.
    const Output<const Node>& input() const { return only_port(inputs(), "input"); }
    const Output<const Node>& input(std::size_t index) const {
        return port_at(inputs(), index, "input");
    }
    const Output<const Node>& input(const std::string& name) const {
        return inputs()[find_port(inputs(), name, "input")];
    }
    const Output<const Node>& output() const { return only_port(outputs(), "output"); }
    const Output<const Node>& output(std::size_t index) const {
        return port_at(outputs(), index, "output");
    }
    const Output<const Node>& output(const std::string& name) const {
        return outputs()[find_port(outputs(), name, "output")];
    }

    InferRequest create_infer_request() {
        ports();
        return {model_, ports_};
    }

    Any get_property(const std::string& name) const { return model_.get_property(name); }
    template <typename T, PropertyMutability mutability>
    T get_property(const Property<T, mutability>& property) const {
        return get_property(std::string(property.name())).template as<T>();
    }

    std::shared_ptr<const Model> get_runtime_model() const {
        return std::make_shared<Model>(model_.runtime_model());
    }
    void export_model(std::ostream& stream) { model_.export_model(stream); }

    /// For Rondo's own functions: stream pools, kernels.
    const rondo::CompiledModel& native() const { return model_; }

private:
    const ModelPorts& ports() const {
        if (ports_ == nullptr) {
            throw ModelError("the compiled model is empty; make one with Core::compile_model()");
        }
        return *ports_;
    }

    rondo::CompiledModel model_;
    std::shared_ptr<const ModelPorts> ports_;
};

inline CompiledModel InferRequest::get_compiled_model() const {
    shared();
    return CompiledModel(model_);
}

}  // namespace rondo::ov
