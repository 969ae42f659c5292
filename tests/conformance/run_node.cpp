#include "tests/conformance/run_node.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/support/strings.hpp"
#include "tests/conformance/node_model.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

bool is_bounded(const std::string& name) {
    return equals_ignoring_case(name, "Sigmoid") || equals_ignoring_case(name, "Tanh") ||
           equals_ignoring_case(name, "HardSigmoid") || equals_ignoring_case(name, "Softsign");
}

// Half the last place of a value rounded in each type, seen from the other side of the rounding.
double last_place(ElementType type) {
    if (type == ElementType::f16) return 0x1p-10;
    return type == ElementType::bf16 ? 0x1p-7 : 0;
}

std::string place_of(const Shape& shape, std::size_t index) {
    Shape place(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        place[axis] = index % shape[axis];
        index /= shape[axis];
    }
    return to_string(place);
}

std::vector<Tensor> outputs_of(InferRequest& request, std::size_t count) {
    std::vector<Tensor> outputs;
    for (std::size_t k = 0; k < count; ++k) {
        const Tensor output = request.get_output_tensor(k);
        outputs.emplace_back(output.element_type(), output.shape());
        output.copy_to(outputs.back());
    }
    return outputs;
}

void compare(const RecurrentNode& node, const ReferenceResult& reference, Outcome& outcome) {
    const Tolerance tolerance = tolerance_of(node, reference);
    std::size_t next = 0;
    for (std::size_t k = 0; k < node.output_count(); ++k) {
        if (!node.outputs[k]) continue;
        const Tensor& output = outcome.outputs.at(next++);
        std::string text =
            output.element_type() == node.type
                ? first_difference(output, reference.outputs[k], tolerance, outcome.worst)
                : "is of type " + std::string(to_string(output.element_type()));
        if (text.empty() || outcome.verdict == Verdict::differs) continue;
        outcome.verdict = Verdict::differs;
        outcome.text = "output " + std::to_string(k) + " " + text;
    }
}

}  // namespace

Tolerance tolerance_of(const RecurrentNode& node, const ReferenceResult& reference) {
    const bool bounded = std::all_of(node.activations.begin(), node.activations.end(), is_bounded);
    const double scale = bounded ? 1 : std::max(1.0, reference.largest);
    const double steps = std::sqrt(static_cast<double>(std::max<std::size_t>(node.t, 1)));
    const double unit = node.type == ElementType::f64 ? 1e-13 : 2e-6;
    return {unit * steps * scale, last_place(node.type)};
}

std::string first_difference(const Tensor& actual, const Tensor& expected,
                             const Tolerance& tolerance, double& worst) {
    if (actual.shape() != expected.shape()) {
        return "has shape " + to_string(actual.shape()) + "; expected " +
               to_string(expected.shape());
    }
    const Tensor got = converted(actual, ElementType::f64);
    const Tensor wanted = converted(converted(expected, actual.element_type()), ElementType::f64);
    std::string complaint;
    for (std::size_t k = 0; k < got.size(); ++k) {
        const double a = got.data<double>()[k];
        const double e = wanted.data<double>()[k];
        if (a == e || (std::isnan(a) && std::isnan(e))) continue;
        const double allowed = tolerance.absolute + tolerance.relative * std::fabs(e);
        const double share = std::fabs(a - e) / allowed;
        worst = std::isnan(share) ? 1e300 : std::max(worst, share);
        if (share <= 1 || !complaint.empty()) continue;
        std::ostringstream text;
        text.precision(10);
        text << place_of(got.shape(), k) << " is " << a << "; expected " << e << ", within "
             << allowed;
        complaint = text.str();
    }
    return complaint;
}

Outcome infer_node(InferRequest& request, const RecurrentNode& node,
                   const ReferenceResult& reference) {
    Outcome outcome;
    try {
        for (const auto& input : model_inputs(node)) request.set_tensor(input.name, input.value);
        request.infer();
        request.infer();
        outcome.outputs = outputs_of(request, model_outputs(node).size());
    } catch (const Error& error) {
        outcome.verdict = Verdict::refused;
        outcome.text = error.what();
        return outcome;
    }
    compare(node, reference, outcome);
    return outcome;
}

Outcome run_node(const RecurrentNode& node, const ReferenceResult& reference,
                 const std::string& device) {
    const std::string bytes = model_of(node);
    InferRequest request;
    try {
        const Core core;
        request = core.compile_model(core.read_model(bytes.data(), bytes.size()), device)
                      .create_infer_request();
    } catch (const Error& error) {
        return {Verdict::refused, error.what(), {}, 0};
    }
    return infer_node(request, node, reference);
}

}  // namespace rondo::test
