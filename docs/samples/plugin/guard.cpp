// The device GUARD: the CPU runs the model, and an inference that gives NaN or an infinity throws.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <rondo/plugin.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

// The exponent's bits, which are all set in NaN and infinities, and in no other number.
template <typename Bits>
std::size_t find_not_finite(const rondo::Tensor& tensor, Bits exponent) {
    const auto* bytes = static_cast<const char*>(tensor.data());
    for (std::size_t i = 0; i < tensor.size(); ++i) {
        Bits bits = 0;
        std::memcpy(&bits, bytes + i * sizeof(Bits), sizeof(Bits));
        if ((bits & exponent) == exponent) return i;
    }
    return tensor.size();
}

// The first element that isn't finite; as many as there are if all are. Integers always are.
std::size_t find_not_finite(const rondo::Tensor& tensor) {
    switch (tensor.element_type()) {
        case rondo::ElementType::f64:
            return find_not_finite<std::uint64_t>(tensor, 0x7ff0000000000000);
        case rondo::ElementType::f32: return find_not_finite<std::uint32_t>(tensor, 0x7f800000);
        case rondo::ElementType::f16: return find_not_finite<std::uint16_t>(tensor, 0x7c00);
        case rondo::ElementType::bf16: return find_not_finite<std::uint16_t>(tensor, 0x7f80);
        default: return tensor.size();
    }
}

// "[0,3]" of an element's number in row-major order.
std::string place_of(std::size_t element, const rondo::Shape& shape) {
    std::string text;
    for (auto extent = shape.rbegin(); extent != shape.rend(); ++extent) {
        text = std::to_string(element % *extent) + (text.empty() ? "" : "," + text);
        element /= *extent;
    }
    return "[" + text + "]";
}

void check(const std::string& name, const rondo::Tensor& tensor) {
    const std::size_t bad = find_not_finite(tensor);
    if (bad == tensor.size()) return;
    throw rondo::ModelError(name + " is NaN or infinite at " + place_of(bad, tensor.shape()));
}

void stop_if_cancelled(const rondo::DeviceInference& inference) {
    if (*inference.cancelled) throw rondo::CancelledError("the inference was cancelled");
}

// All properties that an object of Rondo's lists, with their values.
template <typename GetProperty>
rondo::Properties properties_of(const GetProperty& get_property) {
    rondo::Properties all;
    std::istringstream names(get_property(rondo::property::kSupportedProperties));
    for (std::string name; names >> name;) all[name] = get_property(name);
    return all;
}

class GuardRequest final : public rondo::DeviceRequest {
public:
    explicit GuardRequest(rondo::CompiledModel model)
        : outputs_(model.outputs()),
          request_(model.create_infer_request()),
          states_(request_.query_state()) {}

    void run(rondo::DeviceInference& inference) override {
        stop_if_cancelled(inference);
        for (std::size_t i = 0; i < inference.inputs.size(); ++i) {
            request_.set_input_tensor(i, inference.inputs[i]);
        }
        for (rondo::VariableState& state : states_) {
            const rondo::Tensor& value = variable_of(state, inference).value;
            value ? state.set_state(value) : state.reset();
        }
        request_.infer();
        stop_if_cancelled(inference);
        for (std::size_t i = 0; i < inference.outputs.size(); ++i) {
            inference.outputs[i] = request_.get_output_tensor(i);
            check("output '" + outputs_[i].any_name() + "'", inference.outputs[i]);
        }
        for (rondo::VariableState& state : states_) {
            rondo::Tensor& next = variable_of(state, inference).next;
            next = state.get_state();
            check("variable '" + state.get_name() + "'", next);
        }
    }

    std::vector<rondo::ProfilingInfo> profiling() const override {
        return request_.get_profiling_info();
    }

private:
    static rondo::DeviceVariable& variable_of(const rondo::VariableState& state,
                                              rondo::DeviceInference& inference) {
        return *std::find_if(inference.variables.begin(), inference.variables.end(),
                             [name = state.get_name()](const rondo::DeviceVariable& variable) {
                                 return variable.name == name;
                             });
    }

    std::vector<rondo::PortInfo> outputs_;
    rondo::InferRequest request_;
    std::vector<rondo::VariableState> states_;
};

class GuardModel final : public rondo::DeviceModel {
public:
    explicit GuardModel(rondo::CompiledModel model) : model_(std::move(model)) {}

    std::unique_ptr<rondo::DeviceRequest> create_request() override {
        return std::make_unique<GuardRequest>(model_);
    }
    rondo::Properties properties() const override {
        return properties_of([&](const std::string& name) { return model_.get_property(name); });
    }
    std::vector<rondo::KernelInfo> kernels() const override { return model_.kernels(); }
    rondo::Model runtime_model() const override { return model_.runtime_model(); }

private:
    rondo::CompiledModel model_;
};

class GuardPlugin final : public rondo::DevicePlugin {
public:
    rondo::Version version() const override {
        return {rondo::get_version().build_number, "the CPU, whose results must be finite"};
    }
    rondo::Properties properties() const override {
        return properties_of(
            [&](const std::string& name) { return core_.get_property("CPU", name); });
    }
    void check_property(const std::string& name, const std::string& value) const override {
        rondo::Core().set_property("CPU", {{name, value}});
    }
    std::unique_ptr<rondo::DeviceModel> compile(const rondo::Model& model,
                                                const rondo::Properties& properties) override {
        return std::make_unique<GuardModel>(core_.compile_model(model, "CPU", properties));
    }

private:
    rondo::Core core_;
};

}  // namespace

RONDO_DEFINE_PLUGIN(GuardPlugin)
