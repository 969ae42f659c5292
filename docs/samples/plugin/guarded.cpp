// Runs models on the devices CPU and GUARD: numbers give the same bits, and NaN is refused.
// usage: guarded PLUGIN MODEL..., such as: guarded build/guard/libguard.so model.onnx
#include <cmath>
#include <cstdio>
#include <cstring>
#include <rondo/rondo.hpp>
#include <string>
#include <vector>

namespace {

constexpr int kSteps = 3;

// Every input has this value in all its elements; open extents are 1.
void fill(rondo::InferRequest& request, const rondo::CompiledModel& model, float value) {
    for (std::size_t i = 0; i < model.inputs().size(); ++i) {
        rondo::Shape shape;
        for (const rondo::Dimension& extent : model.inputs()[i].shape.dimensions()) {
            shape.push_back(extent.is_static() ? static_cast<std::size_t>(extent.length()) : 1);
        }
        rondo::Tensor input(model.inputs()[i].element_type, shape);
        if (input.element_type() == rondo::ElementType::f32) {
            for (std::size_t k = 0; k < input.size(); ++k) input.data<float>()[k] = value;
        }
        request.set_input_tensor(i, input);
    }
}

bool same_outputs(rondo::InferRequest& a, rondo::InferRequest& b, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const rondo::Tensor one = a.get_output_tensor(i);
        const rondo::Tensor other = b.get_output_tensor(i);
        if (one.shape() != other.shape()) return false;
        if (std::memcmp(one.data(), other.data(), one.byte_size()) != 0) return false;
    }
    return true;
}

// Throws where the devices differ, or where GUARD lets NaN pass.
void compare(rondo::Core& core, const std::string& path) {
    rondo::CompiledModel plain = core.compile_model(path, "CPU");
    rondo::CompiledModel guarded = core.compile_model(path, "GUARD");
    rondo::InferRequest a = plain.create_infer_request();
    rondo::InferRequest b = guarded.create_infer_request();
    for (int step = 0; step < kSteps; ++step) {
        fill(b, guarded, std::nanf(""));
        std::string refusal;
        try {
            b.infer();
        } catch (const rondo::ModelError& error) {
            refusal = error.what();
        }
        if (refusal.empty()) throw rondo::Error(path + ": NaN passes");
        if (step == 0) std::printf("%s\n", refusal.c_str());
        // What was refused has changed no state.
        fill(a, plain, 0.5F);
        fill(b, guarded, 0.5F);
        a.infer();
        b.infer();
        if (!same_outputs(a, b, plain.outputs().size())) {
            throw rondo::Error(path + ": the devices differ");
        }
    }
    std::printf("%s: %d inferences on CPU and GUARD give the same\n", path.c_str(), kSteps);
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 3) throw rondo::ModelError("usage: guarded PLUGIN MODEL...");
    rondo::Core core;
    core.register_plugin(argv[1], "GUARD");
    for (const std::string& path : std::vector<std::string>(argv + 2, argv + argc)) {
        compare(core, path);
    }
    return 0;
} catch (const rondo::Error& error) {
    std::fprintf(stderr, "guarded: %s\n", error.what());
    return 1;
}
