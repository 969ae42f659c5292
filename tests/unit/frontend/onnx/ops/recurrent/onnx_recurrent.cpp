#include "tests/unit/frontend/onnx/ops/recurrent/onnx_recurrent.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/graph/inference.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test {
namespace {

using ops::ActivationFunction;
using ops::ActivationKind;
using Row = std::vector<double>;

const ActivationFunction kSigmoid{ActivationKind::sigmoid, 0, 0};
const ActivationFunction kTanh{ActivationKind::tanh, 0, 0};

// One direction of one row of the batch, step by step.
class Cell {
public:
    Cell(const OnnxRecurrent& node, std::size_t direction) : node_(node), d_(direction) {
        if (!node.activations.empty()) {
            functions_ = node.activations[direction];
        } else if (node.op_type == "LSTM") {
            functions_ = {kSigmoid, kTanh, kTanh};
        } else if (node.op_type == "GRU") {
            functions_ = {kSigmoid, kTanh};
        } else {
            functions_ = {kTanh};
        }
    }

    void step(const Row& x, Row& h, Row& c) const {
        if (node_.op_type == "LSTM") return lstm(x, h, c);
        if (node_.op_type == "GRU") return gru(x, h);
        const Row before = h;
        for (std::size_t j = 0; j < node_.h; ++j) {
            h[j] = f(0, at_w(0, j, x) + at_r(0, j, before) + bias(0, j) + bias(1, j));
        }
    }

private:
    double bias(std::size_t block, std::size_t j) const {
        if (!node_.b) return 0;
        const std::size_t width = 2 * node_.gates() * node_.h;
        return node_.b.data<float>()[d_ * width + block * node_.h + j];
    }
    static double dot(const Tensor& m, std::size_t row, const Row& v) {
        double sum = 0;
        for (std::size_t k = 0; k < v.size(); ++k)
            sum += m.data<float>()[row * v.size() + k] * v[k];
        return sum;
    }
    double at_w(std::size_t gate, std::size_t j, const Row& x) const {
        return dot(node_.w, (d_ * node_.gates() + gate) * node_.h + j, x);
    }
    double at_r(std::size_t gate, std::size_t j, const Row& h) const {
        return dot(node_.r, (d_ * node_.gates() + gate) * node_.h + j, h);
    }
    double peep(std::size_t block, std::size_t j) const {
        return node_.p ? node_.p.data<float>()[(d_ * 3 + block) * node_.h + j] : 0;
    }
    double f(std::size_t which, double value) const {
        if (node_.clip > 0) value = std::clamp(value, -double{node_.clip}, double{node_.clip});
        return ops::apply(functions_[which], value);
    }

    // Gates iofc; peepholes iof.
    void lstm(const Row& x, Row& h, Row& c) const {
        const Row before = h;
        for (std::size_t j = 0; j < node_.h; ++j) {
            const auto sum = [&](std::size_t g) {
                return at_w(g, j, x) + at_r(g, j, before) + bias(g, j) + bias(4 + g, j);
            };
            const double i = f(0, sum(0) + peep(0, j) * c[j]);
            const double forget = node_.input_forget ? 1 - i : f(0, sum(2) + peep(2, j) * c[j]);
            c[j] = forget * c[j] + i * f(1, sum(3));
            h[j] = f(0, sum(1) + peep(1, j) * c[j]) * ops::apply(functions_[2], c[j]);
        }
    }

    // Gates zrh.
    void gru(const Row& x, Row& h) const {
        Row z(node_.h), r(node_.h), reset(node_.h);
        for (std::size_t j = 0; j < node_.h; ++j) {
            z[j] = f(0, at_w(0, j, x) + at_r(0, j, h) + bias(0, j) + bias(3, j));
            r[j] = f(0, at_w(1, j, x) + at_r(1, j, h) + bias(1, j) + bias(4, j));
            reset[j] = r[j] * h[j];
        }
        const Row before = h;
        for (std::size_t j = 0; j < node_.h; ++j) {
            const double linear = r[j] * (at_r(2, j, before) + bias(5, j));
            const double hidden =
                at_w(2, j, x) + bias(2, j) +
                (node_.linear_before_reset ? linear : at_r(2, j, reset) + bias(5, j));
            h[j] = (1 - z[j]) * f(1, hidden) + z[j] * before[j];
        }
    }

    const OnnxRecurrent& node_;
    std::size_t d_;
    std::vector<ActivationFunction> functions_;
};

// The row's place in a state of [D,N,H], or [N,D,H] with layout 1.
std::size_t state_row(const OnnxRecurrent& node, std::size_t d, std::size_t n) {
    return (node.layout ? n * node.directions() + d : d * node.n + n) * node.h;
}

Row initial(const OnnxRecurrent& node, const Tensor& state, std::size_t d, std::size_t n) {
    Row row(node.h);
    if (!state) return row;
    const float* from = state.data<float>() + state_row(node, d, n);
    std::copy_n(from, node.h, row.begin());
    return row;
}

}  // namespace

Shape OnnxRecurrent::state_shape() const {
    return layout ? Shape{n, directions(), h} : Shape{directions(), n, h};
}

void OnnxRecurrent::fill(Rng& rng, bool all) {
    const auto random = [&](const Shape& shape) {
        return random_tensor(ElementType::f32, shape, rng);
    };
    const std::size_t d = directions();
    x = random(layout ? Shape{n, t, i} : Shape{t, n, i});
    w = random({d, gates() * h, i});
    r = random({d, gates() * h, h});
    if (!all) return;
    b = random({d, 2 * gates() * h});
    initial_h = random(state_shape());
    lengths.resize(n);
    for (auto& length : lengths) {
        length = static_cast<std::int32_t>(uniform_int(rng, 1, static_cast<std::int64_t>(t)));
    }
    if (op_type != "LSTM") return;
    initial_c = random(state_shape());
    p = random({d, 3 * h});
}

std::vector<Tensor> OnnxRecurrent::expected() const {
    const std::size_t d_count = directions();
    Tensor y(ElementType::f32, layout ? Shape{n, t, d_count, h} : Shape{t, d_count, n, h});
    std::vector<Tensor> outputs = {y, Tensor(ElementType::f32, state_shape()),
                                   Tensor(ElementType::f32, state_shape())};
    for (std::size_t d = 0; d < d_count; ++d) {
        const bool backwards = direction == "reverse" || d == 1;
        for (std::size_t row = 0; row < n; ++row) {
            Row state = initial(*this, initial_h, d, row);
            Row cell = initial(*this, initial_c, d, row);
            const std::size_t steps = lengths.empty() ? t : static_cast<std::size_t>(lengths[row]);
            if (steps == 0 && t > 0) {  // docs/onnx_operators.md: such a row has no state
                state.assign(h, 0);
                cell.assign(h, 0);
            }
            for (std::size_t k = 0; k < steps; ++k) {
                const std::size_t time = backwards ? steps - 1 - k : k;
                const float* from =
                    x.data<float>() + (layout ? row * t + time : time * n + row) * i;
                Cell(*this, d).step(Row(from, from + i), state, cell);
                const std::size_t at =
                    layout ? (row * t + time) * d_count + d : (time * d_count + d) * n + row;
                std::copy_n(state.begin(), h, y.data<float>() + at * h);
            }
            std::copy_n(state.begin(), h, outputs[1].data<float>() + state_row(*this, d, row));
            std::copy_n(cell.begin(), h, outputs[2].data<float>() + state_row(*this, d, row));
        }
    }
    if (op_type != "LSTM") outputs.pop_back();
    return outputs;
}

ModelBuilder OnnxRecurrent::model(std::int64_t opset, bool weights_are_inputs) const {
    ModelBuilder model(opset);
    std::vector<std::string> names;
    const auto add = [&](const std::string& name, const Tensor& tensor, bool is_input) {
        names.push_back(tensor ? name : "");
        if (!tensor) return;
        if (is_input) {
            model.input(name, tensor.element_type(), tensor.shape());
        } else {
            model.initializer(name, tensor);
        }
    };
    add("X", x, true);
    add("W", w, weights_are_inputs);
    add("R", r, weights_are_inputs);
    add("B", b, weights_are_inputs);
    add("sequence_lens", lengths.empty() ? Tensor() : tensor_of<std::int32_t>({n}, lengths), true);
    add("initial_h", initial_h, true);
    add("initial_c", initial_c, true);
    add("P", p, weights_are_inputs);
    if (op_type != "LSTM") names.resize(6);
    std::vector<std::string> outputs = {"Y", "Y_h", "Y_c"};
    if (op_type != "LSTM") outputs.pop_back();
    for (const auto& name : outputs) model.output(name);
    auto node = model.node(op_type, names, outputs);
    node.with("hidden_size", static_cast<std::int64_t>(h)).with("direction", direction);
    if (clip > 0) node.with("clip", clip);
    if (linear_before_reset) node.with("linear_before_reset", 1);
    if (input_forget) node.with("input_forget", 1);
    if (layout) node.with("layout", 1);
    if (activations.empty()) return model;
    std::vector<std::string> functions;
    std::vector<float> alpha, beta;
    for (const auto& set : activations) {
        for (const auto& function : set) {
            functions.emplace_back(to_string(function.kind));
            if (info_of(function.kind).takes_alpha) alpha.push_back(function.alpha);
            if (info_of(function.kind).takes_beta) beta.push_back(function.beta);
        }
    }
    node.with("activations", functions);
    if (!alpha.empty()) node.with("activation_alpha", alpha);
    if (!beta.empty()) node.with("activation_beta", beta);
    return model;
}

std::vector<Tensor> OnnxRecurrent::inputs(bool weights_are_inputs) const {
    std::vector<Tensor> all = {x};
    const auto add = [&](const Tensor& tensor, bool is_input) {
        if (tensor && is_input) all.push_back(tensor);
    };
    add(w, weights_are_inputs);
    add(r, weights_are_inputs);
    add(b, weights_are_inputs);
    if (!lengths.empty()) all.push_back(tensor_of<std::int32_t>({n}, lengths));
    add(initial_h, true);
    add(initial_c, true);
    add(p, weights_are_inputs);
    return all;
}

void OnnxRecurrent::check(std::int64_t opset, bool weights_are_inputs) const {
    check_model(model(opset, weights_are_inputs), inputs(weights_are_inputs));
}

void OnnxRecurrent::check_model(const ModelBuilder& model, const std::vector<Tensor>& inputs,
                                double cpu_tolerance) const {
    const auto graph = model.read();
    check_graph(*graph);
    const auto all = expected();
    std::vector<Tensor> wanted;
    for (const auto& result : graph->results()) {
        const std::string name = *result->output(0).names().begin();
        wanted.push_back(all.at(name == "Y" ? 0 : name == "Y_h" ? 1 : 2));
    }
    const auto expect = [&](const std::vector<Tensor>& outputs, const char* device, double most) {
        SCOPED_TRACE(device);
        ASSERT_EQ(outputs.size(), wanted.size());
        for (std::size_t k = 0; k < wanted.size(); ++k) expect_near(outputs[k], wanted[k], most);
    };
    expect(evaluate(*graph, inputs), "evaluated", kTolerance);
    expect(on_reference(*graph).run(inputs), "REFERENCE", kTolerance);
    expect(on_cpu(*graph).run(inputs), "CPU", cpu_tolerance);
}

}  // namespace rondo::test
