// Puts a model of one kind and size through every stage, for growth_test.py, which counts the
// instructions of each under callgrind. A size is the number of nodes, inputs, outputs, constants
// or bodies.
#include <valgrind/callgrind.h>

#include <cstring>
#include <iostream>

#include "core/graph/printer.hpp"
#include "core/ir/ir.hpp"
#include "core/support/strings.hpp"
#include "rondo/core.hpp"
#include "rondo/model.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ir/ir_files.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {
namespace {

std::string v(int i) { return "v" + std::to_string(i); }

Tensor row(float value) { return tensor_of<float>({4}, {value, 1, 2, 3}); }

ModelBuilder with_input() {
    ModelBuilder model;
    model.input("v0", ElementType::f32, {Dimension(), 4});
    return model;
}

std::string chain(int n) {
    ModelBuilder model = with_input();
    for (int i = 0; i < n; ++i) model.node("Tanh", {v(i)}, {v(i + 1)}, "");
    return model.output(v(n)).bytes();
}

// 2^n ways lead from the output to the input.
std::string doublings(int n) {
    ModelBuilder model = with_input();
    for (int i = 0; i < n; ++i) model.node("Sub", {v(i), v(i)}, {v(i + 1)});
    return model.output(v(n)).bytes();
}

std::string inputs(int n) {
    ModelBuilder model;
    std::vector<std::string> names;
    for (int i = 0; i < n; ++i) {
        model.input(v(i), ElementType::f32, {Dimension(), 4});
        names.push_back(v(i));
    }
    model.node("Concat", names, {"y"}).with("axis", 1);
    return model.output("y").bytes();
}

std::string constants_and_outputs(int n) {
    ModelBuilder model = with_input();
    for (int i = 1; i <= n; ++i) {
        model.initializer("c" + v(i), row(static_cast<float>(i)));
        model.node("Add", {"v0", "c" + v(i)}, {v(i)});
        model.output(v(i));
    }
    return model.bytes();
}

std::string unused_constants(int n) {
    ModelBuilder model = with_input();
    for (int i = 1; i <= n; ++i) model.initializer("c" + v(i), row(static_cast<float>(i)));
    model.node("Tanh", {"v0"}, {"y"});
    return model.output("y").bytes();
}

std::string equal_nodes(int n) {
    ModelBuilder model = with_input();
    std::vector<std::string> names;
    for (int i = 1; i <= n; ++i) {
        model.node("Tanh", {"v0"}, {v(i)});
        names.push_back(v(i));
    }
    model.node("Concat", names, {"y"}).with("axis", 1);
    return model.output("y").bytes();
}

std::string parts(int n) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2, n});
    std::vector<std::string> names;
    std::vector<std::string> changed;
    for (int i = 0; i < n; ++i) {
        names.push_back(v(i));
        changed.push_back("t" + v(i));
    }
    model.initializer("sizes", tensor_of<std::int64_t>(
                                   {static_cast<std::size_t>(n)},
                                   std::vector<std::int64_t>(static_cast<std::size_t>(n), 1)));
    model.node("Split", {"x", "sizes"}, names).with("axis", 1);
    for (int i = 0; i < n; ++i)
        model.node("Tanh", {names[static_cast<std::size_t>(i)]}, {"t" + v(i)});
    model.node("Concat", changed, {"y"}).with("axis", 1);
    return model.output("y").bytes();
}

std::string folded(int n) {
    ModelBuilder model = with_input();
    model.initializer("c0", row(0)).initializer("one", row(1));
    for (int i = 0; i < n; ++i) {
        model.node("Add", {"c" + std::to_string(i), "one"}, {"c" + std::to_string(i + 1)});
    }
    model.node("Add", {"v0", "c" + std::to_string(n)}, {"y"});
    return model.output("y").bytes();
}

// Side by side: extents are followed up through 256 nodes, which a chain would have to exceed by
// far.
std::string views(int n) {
    ModelBuilder model = with_input();
    const std::vector<std::int64_t> turned = {1, 0};
    for (int i = 1; i <= n; ++i) {
        model.node("Shape", {"v0"}, {"s" + v(i)});
        model.node("Reshape", {"v0", "s" + v(i)}, {"r" + v(i)});
        model.node("Transpose", {"r" + v(i)}, {"t" + v(i)}).with("perm", turned);
        model.node("Tanh", {"t" + v(i)}, {"h" + v(i)});
        model.node("Transpose", {"h" + v(i)}, {v(i)}).with("perm", turned);
        model.output(v(i));
    }
    return model.bytes();
}

std::string layers(int n) {
    ModelBuilder model;
    model.input("v0", ElementType::f32, {Dimension(), Dimension(), 2});
    Rng rng(1);
    for (int i = 1; i <= n; ++i) {
        model.initializer("W" + v(i), random_tensor(ElementType::f32, {1, 8, 2}, rng));
        model.initializer("R" + v(i), random_tensor(ElementType::f32, {1, 8, 2}, rng));
        model.node("LSTM", {"v0", "W" + v(i), "R" + v(i)}, {v(i)}).with("hidden_size", 2);
        model.output(v(i));
    }
    return model.bytes();
}

std::string branches(int n) {
    ModelBuilder model = with_input();
    model.input("flag", ElementType::boolean, {});
    for (int i = 0; i < n; ++i) {
        const auto branch = [&](const std::string& op) {
            ModelBuilder body;
            body.node(op, {v(i)}, {op + v(i)});
            return body.output(op + v(i)).graph();
        };
        model.node("If", {"flag"}, {v(i + 1)})
            .with("then_branch", branch("Tanh"))
            .with("else_branch", branch("Sin"));
    }
    return model.output(v(n)).bytes();
}

struct Family {
    const char* name;
    std::string (*make)(int size);
    int size;  ///< of the smaller of two models
};

constexpr Family kFamilies[] = {
    {"chain", chain, 80},
    {"doublings", doublings, 80},
    {"inputs", inputs, 80},
    {"constants_and_outputs", constants_and_outputs, 80},
    {"unused_constants", unused_constants, 160},
    {"equal_nodes", equal_nodes, 80},
    {"parts", parts, 50},
    {"folded", folded, 80},
    {"views", views, 20},
    {"layers", layers, 8},
    {"branches", branches, 13},
};

// What was counted since the last stage is this one's.
void stage(const char* name) {
    if (name == nullptr) {
        CALLGRIND_ZERO_STATS;
    } else {
        CALLGRIND_DUMP_STATS_AT(name);
    }
}

void set_inputs(InferRequest& request, const CompiledModel& compiled) {
    for (std::size_t i = 0; i < compiled.inputs().size(); ++i) {
        const PortInfo& port = compiled.inputs()[i];
        Shape shape;
        for (const auto& extent : port.shape.dimensions()) {
            shape.push_back(extent.is_static() ? static_cast<std::size_t>(extent.length()) : 2);
        }
        request.set_input_tensor(i, Tensor(port.element_type, shape));
    }
}

void run_model(const Core& core, const Model& model) {
    CompiledModel compiled = core.compile_model(model, "CPU", {{"INFERENCE_NUM_THREADS", "1"}});
    stage("compile");
    InferRequest request = compiled.create_infer_request();
    set_inputs(request, compiled);
    stage("bind");
    request.infer();
    stage("first_inference");
    request.infer();
    stage("next_inference");
    compiled.kernels();
    compiled.runtime_model();
    stage("explain");
}

void run_stages(const std::string& bytes) {
    const Core core;
    const TemporaryFolder folder;
    stage(nullptr);
    Model model = core.read_model(bytes.data(), bytes.size());
    stage("read_onnx");
    model.graph()->validate();
    stage("validate");
    const std::string text = to_text(*model.graph()->clone());
    stage("clone_and_print");
    core.transform(model);
    stage("transform");
    save_model(model, folder / "m.xml", ElementType::f32);
    stage("write_ir");
    save_model(model, folder / "m.onnx", ElementType::f32);
    stage("write_onnx");
    core.read_model(folder / "m.xml");
    stage("read_ir");
    run_model(core, model);
    model = Model();
    stage("destroy");
}

int run(int argc, char** argv) {
    if (argc == 1) {
        for (const Family& family : kFamilies)
            std::cout << family.name << " " << family.size << "\n";
        return 0;
    }
    long long size = 0;
    for (const Family& family : kFamilies) {
        if (argc != 3 || std::strcmp(family.name, argv[1]) != 0 || !parse_int(argv[2], size))
            continue;
        run_stages(family.make(static_cast<int>(size)));
        return 0;
    }
    throw ModelError("usage: growth_stages [FAMILY SIZE]");
}

}  // namespace
}  // namespace rondo::test

int main(int argc, char** argv) {
    try {
        return rondo::test::run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
