// `rondo compare`: runs two models or devices on the same inputs and compares their outputs.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "inputs/inputs.hpp"
#include "inputs/shape_arguments.hpp"
#include "json_text.hpp"
#include "property_arguments.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"

namespace rondo::tool {
namespace {

using Tensors = std::map<std::string, Tensor>;

struct Difference {
    std::string output;
    std::size_t count = 0;
    double max_abs = 0;
    double max_rel = 0;
    std::size_t past_tolerance = 0;
    std::size_t first = 0;  // flat index of the first element past the tolerance
    double got = 0;
    double expected = 0;
    Shape shape;
};

double element(const Tensor& tensor, std::size_t i) {
    switch (tensor.element_type()) {
        case ElementType::f64: return tensor.data<double>()[i];
        case ElementType::f32: return static_cast<double>(tensor.data<float>()[i]);
        case ElementType::f16: return static_cast<double>(float(tensor.data<float16>()[i]));
        case ElementType::bf16: return static_cast<double>(float(tensor.data<bfloat16>()[i]));
        case ElementType::i64: return static_cast<double>(tensor.data<std::int64_t>()[i]);
        case ElementType::i32: return tensor.data<std::int32_t>()[i];
        case ElementType::i16: return tensor.data<std::int16_t>()[i];
        case ElementType::i8: return tensor.data<std::int8_t>()[i];
        case ElementType::u64: return static_cast<double>(tensor.data<std::uint64_t>()[i]);
        case ElementType::u32: return tensor.data<std::uint32_t>()[i];
        case ElementType::u16: return tensor.data<std::uint16_t>()[i];
        case ElementType::u8: return tensor.data<std::uint8_t>()[i];
        case ElementType::boolean: return tensor.data<bool>()[i] ? 1 : 0;
        case ElementType::dynamic: break;
        default: return static_cast<const std::uint8_t*>(tensor.data())[i];  // codes
    }
    throw ModelError("can't compare a tensor of unknown type");
}

Difference difference(const std::string& output, const Tensor& got, const Tensor& expected,
                      const CompareOptions& options) {
    if (got.shape() != expected.shape() || got.element_type() != expected.element_type()) {
        throw ModelError("output '" + output + "': got " +
                         std::string(to_string(got.element_type())) + to_string(got.shape()) +
                         "; the reference has " + std::string(to_string(expected.element_type())) +
                         to_string(expected.shape()));
    }
    Difference result;
    result.output = output;
    result.count = got.size();
    result.shape = got.shape();
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double a = element(got, i);
        const double b = element(expected, i);
        const bool same = a == b || (std::isnan(a) && std::isnan(b));
        const double abs = same ? 0.0 : std::fabs(a - b);
        // Not "<=": a NaN on one side must count.
        if (!(abs <= options.atol + options.rtol * std::fabs(b)) && result.past_tolerance++ == 0) {
            result.first = i;
            result.got = a;
            result.expected = b;
        }
        if (!(abs <= result.max_abs)) result.max_abs = abs;
        const double rel = abs == 0 ? 0.0 : abs / std::max(std::fabs(b), 1e-30);
        if (!(rel <= result.max_rel)) result.max_rel = rel;
    }
    return result;
}

Tensors results(const Core& core, const Model& model, const std::string& device,
                const Tensors& inputs, const Properties& properties = {}) {
    CompiledModel compiled = core.compile_model(model, device, properties);
    InferRequest request = compiled.create_infer_request();
    for (const auto& [name, tensor] : inputs) request.set_tensor(name, tensor);
    request.infer();
    Tensors outputs;
    for (std::size_t i = 0; i < compiled.outputs().size(); ++i) {
        outputs[compiled.outputs()[i].any_name()] = request.get_output_tensor(i);
    }
    return outputs;
}

Tensors make_inputs(const Model& model, const CompareOptions& options) {
    Tensors tensors = read_inputs(options.inputs, model);
    std::map<std::string, Shape> shapes;
    for (const auto& [name, list] : parse_data_shapes(options.data_shape, model.inputs())) {
        shapes[name] = list.front();
    }
    for (const auto& [name, tensor] : tensors) shapes[name] = tensor.shape();
    const Model fixed = with_shapes(model, complete_shapes(model, shapes));
    std::mt19937 random(options.seed);
    for (const auto& port : fixed.inputs()) {
        if (tensors.count(port.any_name()) != 0) continue;
        tensors[port.any_name()] = make_input(fixed, port, port.shape.to_shape(), random);
    }
    return tensors;
}

std::string index_text(std::size_t flat, const Shape& shape) {
    Shape index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        index[axis] = flat % shape[axis];
        flat /= shape[axis];
    }
    return to_string(index);
}

void print(const Difference& d) {
    std::cout << "output '" << d.output << "' " << to_string(d.shape) << ": max abs error "
              << d.max_abs << ", max rel error " << d.max_rel;
    if (d.past_tolerance > 0) {
        const auto digits = std::cout.precision(17);
        std::cout << "; " << d.past_tolerance << " of " << d.count
                  << " past the tolerance, first at " << index_text(d.first, d.shape) << ": got "
                  << d.got << ", expected " << d.expected;
        std::cout.precision(digits);
    }
    std::cout << '\n';
}

nlohmann::json to_json(const Difference& d) {
    nlohmann::json entry{{"output", d.output},   {"shape", d.shape},
                         {"max_abs", d.max_abs}, {"max_rel", d.max_rel},
                         {"count", d.count},     {"past_tolerance", d.past_tolerance}};
    if (d.past_tolerance > 0) entry["first"] = index_text(d.first, d.shape);
    return entry;
}

}  // namespace

int compare(const CompareOptions& options) {
    Core core;
    const Model model = core.read_model(options.model);
    const Model reference =
        options.reference_model.empty() ? model : core.read_model(options.reference_model);
    const Tensors inputs = make_inputs(model, options);
    const Tensors expected = results(core, reference, options.reference_device, inputs);
    const Tensors got =
        results(core, model, options.device, inputs, parse_properties(options.properties));
    bool equal = true;
    nlohmann::json report = nlohmann::json::array();
    for (const auto& port : model.outputs()) {
        const std::string& name = port.any_name();
        const auto at = expected.find(name);
        if (at == expected.end()) {
            throw ModelError("the reference has no output '" + name + "'");
        }
        const Difference d = difference(name, got.at(name), at->second, options);
        equal = equal && d.past_tolerance == 0;
        if (options.json) {
            report.push_back(to_json(d));
        } else {
            print(d);
        }
    }
    if (options.json) {
        std::cout << json_text(report) << '\n';
    } else {
        std::cout << options.device << (equal ? " equals " : " DIFFERS from ")
                  << options.reference_device << (equal ? " within atol " : " by more than atol ")
                  << options.atol << " + rtol " << options.rtol << " * |reference|\n";
    }
    return equal ? 0 : 1;
}

}  // namespace rondo::tool
