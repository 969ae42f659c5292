// Both devices and both formats are there, however the library was linked.
// Usage: everything model.xml model.onnx|without-onnx
#include <cstdio>
#include <cstring>
#include <rondo/rondo.hpp>

namespace {

bool runs_everywhere(const rondo::Core& core, const char* path) {
    rondo::Model model = core.read_model(path);
    for (const auto& input : model.inputs()) {
        auto shape = input.shape;
        for (std::size_t i = 0; i < shape.rank(); ++i) {
            if (!shape[i].is_static()) shape[i] = 1;
        }
        model.reshape({{input.any_name(), shape}});
    }
    for (const char* device : {"CPU", "REFERENCE"}) {
        auto request = core.compile_model(model, device).create_infer_request();
        for (std::size_t i = 0; i < model.inputs().size(); ++i) request.get_input_tensor(i);
        request.infer();
        if (request.get_output_tensor().size() == 0) return false;
    }
    return true;
}

// A library without ONNX says so and names the format that it supports.
bool refuses_onnx(const rondo::Core& core) {
    const char onnx[] = "\x08\x08\x12\x04test";
    try {
        core.read_model(onnx, sizeof(onnx) - 1);
    } catch (const rondo::Error& error) {
        std::printf("%s\n", error.what());
        return true;
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 1;
    const rondo::Core core;
    const std::vector<std::string> devices = core.get_available_devices();
    for (const auto& device : devices) std::printf("%s\n", device.c_str());
    if (devices != std::vector<std::string>{"CPU", "REFERENCE"}) return 2;
    if (!runs_everywhere(core, argv[1])) return 3;
    const bool without_onnx = std::strcmp(argv[2], "without-onnx") == 0;
    const bool good = without_onnx ? refuses_onnx(core) : runs_everywhere(core, argv[2]);
    return good ? 0 : 4;
}
