// Products, convolutions and reductions with elementwise ops beside them: fused, and op by op.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "core/graph/graph.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/window/convolutions.hpp"
#include "rondo/core.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/random_floats.hpp"

namespace rondo::cpu::bench {
namespace {

using ops::BinaryFunction;
using ops::UnaryFunction;

// A graph under construction: each node has a name, each input its elements.
class Network {
public:
    Output input(const Shape& shape) {
        parameters_.push_back(named(make_node<ops::Parameter>(ElementType::f32, shape)));
        values_.push_back(random(shape));
        return parameters_.back();
    }
    Output weights(const Shape& shape) { return named(make_node<ops::Constant>(random(shape))); }
    template <typename Op, typename... Args>
    Output add(Args&&... args) {
        return named(make_node<Op>(std::forward<Args>(args)...));
    }

    InferRequest request(const Output& last) {
        const auto result = named(make_node<ops::Result>(last));
        const auto graph =
            std::make_shared<Graph>("fused", parameters_, std::vector<NodePtr>{result});
        auto made = Core()
                        .compile_model(Model(graph), "CPU", {{"INFERENCE_NUM_THREADS", "1"}})
                        .create_infer_request();
        for (std::size_t i = 0; i < values_.size(); ++i) made.set_input_tensor(i, values_[i]);
        return made;
    }

private:
    NodePtr named(NodePtr node) {
        node->set_name("node_" + std::to_string(++nodes_));
        return node;
    }
    static Tensor random(const Shape& shape) {
        Tensor value(ElementType::f32, shape);
        const auto floats = random_floats(static_cast<std::int64_t>(value.size()));
        std::copy(floats.begin(), floats.end(), value.data<float>());
        return value;
    }

    std::vector<NodePtr> parameters_;
    std::vector<Tensor> values_;
    int nodes_ = 0;
};

// rows x inner x columns.
struct Sizes {
    std::size_t rows, inner, columns;
};

Output dense(Network& net, const Sizes& sizes) {
    const Output product = net.add<ops::MatMul>(net.input({sizes.rows, sizes.inner}),
                                                net.weights({sizes.inner, sizes.columns}));
    const Output sum =
        net.add<ops::Binary>(BinaryFunction::add, product, net.weights({sizes.columns}));
    return net.add<ops::Unary>(UnaryFunction::relu, sum);
}

Output residual(Network& net, const Sizes& sizes) {
    const Output product = net.add<ops::MatMul>(net.input({sizes.rows, sizes.inner}),
                                                net.weights({sizes.inner, sizes.columns}));
    return net.add<ops::Binary>(BinaryFunction::add, product,
                                net.input({sizes.rows, sizes.columns}));
}

// `inner` channels, `rows` filters of 3, `columns` positions.
Output convolution(Network& net, const Sizes& sizes) {
    const Output sums = net.add<ops::Convolution>(net.input({1, sizes.inner, sizes.columns + 2}),
                                                  net.weights({sizes.rows, sizes.inner, 3}),
                                                  ops::ConvolutionAttributes());
    const Output sum =
        net.add<ops::Binary>(BinaryFunction::add, sums, net.weights({1, sizes.rows, 1}));
    return net.add<ops::Unary>(UnaryFunction::relu, sum);
}

Output attention(Network& net, const Sizes& sizes) {
    const Shape shape{sizes.rows, sizes.columns};
    const Output scaled =
        net.add<ops::Binary>(BinaryFunction::multiply, net.input(shape), net.weights({}));
    const Output masked =
        net.add<ops::Binary>(BinaryFunction::add, scaled, net.input({1, sizes.columns}));
    return net.add<ops::Softmax>(masked, -1);
}

Output variance(Network& net, const Sizes& sizes) {
    const Output difference =
        net.add<ops::Binary>(BinaryFunction::squared_difference,
                             net.input({sizes.rows, sizes.columns}), net.input({sizes.rows, 1}));
    Tensor axis(ElementType::i64, {1});
    *axis.data<std::int64_t>() = 1;
    return net.add<ops::Reduce>(ops::ReduceFunction::mean, difference, net.add<ops::Constant>(axis),
                                true);
}

using Make = Output (*)(Network& net, const Sizes& sizes);

void run_fused(benchmark::State& state, Make make, Sizes sizes, bool fuse) {
    Network net;
    const Output last = make(net, sizes);
    if (!fuse) ::setenv("RONDO_CPU_STOP_AFTER", "fuse_elementwise", 1);
    InferRequest request = net.request(last);
    ::unsetenv("RONDO_CPU_STOP_AFTER");
    for (auto _ : state) request.infer();
}

}  // namespace

void add_fused_benchmarks() {
    const auto add = [](const std::string& name, Make make, const Sizes& sizes) {
        const std::string text = name + "/" + std::to_string(sizes.rows) + "x" +
                                 std::to_string(sizes.inner) + "x" + std::to_string(sizes.columns);
        for (const bool fuse : {true, false}) {
            benchmark::RegisterBenchmark((text + (fuse ? "/fused" : "/apart")).c_str(), run_fused,
                                         make, sizes, fuse);
        }
    };
    for (const Sizes& sizes : {Sizes{1, 64, 64}, Sizes{16, 128, 256}, Sizes{1000, 64, 512}}) {
        add("dense_relu", dense, sizes);
        add("dense_residual", residual, sizes);
    }
    add("convolution_relu", convolution, {8, 3, 100});
    add("convolution_relu", convolution, {16, 16, 20000});
    for (const Sizes& sizes : {Sizes{8, 1, 64}, Sizes{1000, 1, 1000}}) {
        add("masked_softmax", attention, sizes);
        add("variance", variance, sizes);
    }
}

}  // namespace rondo::cpu::bench
