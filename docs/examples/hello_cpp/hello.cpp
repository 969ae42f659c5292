// Runs a model with one input, every value 0.5, and prints its first output.
// usage: hello MODEL INPUT SHAPE, such as: hello digits_lstm.onnx pixels 1,8,8
#include <algorithm>
#include <cstdio>
#include <rondo/rondo.hpp>

int main(int argc, char** argv) try {
    if (argc != 4) throw rondo::ModelError("usage: hello MODEL INPUT SHAPE");
    rondo::Core core;
    rondo::Model model = core.read_model(argv[1]);
    model.reshape({{argv[2], rondo::PartialShape::parse(argv[3])}});
    rondo::CompiledModel compiled = core.compile_model(model, "CPU");
    rondo::InferRequest request = compiled.create_infer_request();
    rondo::Tensor input = request.get_tensor(argv[2]);
    std::fill_n(input.data<float>(), input.size(), 0.5F);
    request.infer();
    const rondo::Tensor output = request.get_output_tensor(0);
    for (std::size_t i = 0; i < output.size(); ++i) std::printf("%g\n", output.data<float>()[i]);
    return 0;
} catch (const rondo::Error& error) {
    std::fprintf(stderr, "hello: %s\n", error.what());
    return 1;
}
