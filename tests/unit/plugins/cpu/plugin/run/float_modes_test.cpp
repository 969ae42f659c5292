// What the caller's floating-point modes are changes no result, and they are the same afterwards.
#include <fenv.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "plugins/cpu/kernels/machine/flush_denormals.hpp"
#include "rondo/rondo.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::cpu::float_modes_test {
namespace {

// The modes of vectors and, on x86-64, of the x87 unit; without the flags of past exceptions.
std::uint64_t modes_now() {
    std::uint64_t modes = FloatControl::read();
#if defined(__x86_64__)
    std::uint16_t x87 = 0;
    asm volatile("fnstcw %0" : "=m"(x87));
    modes = (modes & ~std::uint64_t{0x3f}) | std::uint64_t{x87} << 32;
#endif
    return modes;
}

void set_x87(std::uint16_t control) {
#if defined(__x86_64__)
    asm volatile("fldcw %0" : : "m"(control));
#else
    static_cast<void>(control);
#endif
}

struct Modes {
    const char* name;
    void (*set)();
};

void flush() { FloatControl::write(FloatControl::read() | FloatControl::kFlushBits); }

// What an earlier test has left in the flags of x87 would trap at once.
void trap() {
    ::feclearexcept(FE_ALL_EXCEPT);
    ::feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
}

const Modes kModes[] = {
    {"default", [] {}},
    {"up", [] { ::fesetround(FE_UPWARD); }},
    {"to zero", [] { ::fesetround(FE_TOWARDZERO); }},
    {"flush", flush},
    {"x87 of 24 bits, rounding down", [] { set_x87(0x047f); }},
    {"traps", trap},
};

// Runs `work` among the caller's modes; returns what is left of them.
template <typename Work>
void with(const Modes& modes, Work work) {
    fenv_t saved;
    ::fegetenv(&saved);
    modes.set();
    const std::uint64_t before = modes_now();
    work();
    const std::uint64_t after = modes_now();
    ::fesetenv(&saved);
    EXPECT_EQ(after, before) << modes.name;
}

// A layer, and a constant that is folded: 1/3 of a denormal.
std::shared_ptr<Graph> graph_with_constants(std::vector<Tensor>& inputs) {
    test::RecurrentCase layer;
    layer.attributes.hidden_size = 33;
    layer.batch = 8;
    layer.time = 20;
    auto made = test::make_recurrent<ops::LSTMSequence>(layer);
    inputs = made.inputs;
    const auto small = test::constant(test::tensor_of<float>({1}, {1e-39F}), "small");
    const auto three = test::constant(test::tensor_of<float>({1}, {3}), "three");
    const auto third = make_node<ops::Binary>(ops::BinaryFunction::divide, small, three);
    auto results = made.graph->results();
    const auto exp = make_node<ops::Unary>(ops::UnaryFunction::exp, made.graph->parameters()[0]);
    results.push_back(test::named(make_node<ops::Result>(third), "third"));
    results.push_back(test::named(make_node<ops::Result>(exp), "exp"));
    made.graph->set_ends(made.graph->parameters(), results, {});
    made.graph->validate();
    return made.graph;
}

TEST(FloatModes, TheCallersChangeNothingAndStay) {
    std::vector<Tensor> inputs;
    const auto graph = graph_with_constants(inputs);
    for (const char* device : {"CPU", "REFERENCE"}) {
        for (const char* threads : {"1", "2"}) {
            Properties properties;
            if (device == std::string("CPU")) properties[property::kInferenceNumThreads] = threads;
            std::vector<Tensor> expected;
            for (const Modes& modes : kModes) {
                std::vector<Tensor> outputs;
                with(modes, [&] {
                    CompiledModel compiled = Core().compile_model(Model(graph), device, properties);
                    InferRequest request = compiled.create_infer_request();
                    for (std::size_t i = 0; i < inputs.size(); ++i) {
                        request.set_input_tensor(i, inputs[i]);
                    }
                    request.infer();
                    request.start_async();
                    request.wait();
                    for (std::size_t i = 0; i < graph->results().size(); ++i) {
                        outputs.push_back(request.get_output_tensor(i));
                    }
                });
                if (expected.empty()) expected = outputs;
                SCOPED_TRACE(std::string(device) + ", " + modes.name);
                for (std::size_t i = 0; i < outputs.size(); ++i) {
                    test::expect_same(outputs[i], expected[i]);
                }
            }
        }
    }
}

TEST(FloatModes, NumbersThatTrapWouldEndTheProgram) {
    const auto x = test::parameter("x", {4});
    const auto graph = test::graph_of({x}, {make_node<ops::Unary>(ops::UnaryFunction::exp, x),
                                            make_node<ops::Unary>(ops::UnaryFunction::log, x)});
    for (const char* device : {"CPU", "REFERENCE"}) {
        with(kModes[5], [&] {
            CompiledModel compiled = Core().compile_model(Model(graph), device);
            InferRequest request = compiled.create_infer_request();
            request.set_input_tensor(0, test::tensor_of<float>({4}, {1e10F, -1, 0, 1e-40F}));
            request.infer();
        });
    }
}

}  // namespace
}  // namespace rondo::cpu::float_modes_test
