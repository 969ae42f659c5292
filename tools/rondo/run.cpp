#include <filesystem>
#include <iostream>
#include <set>

#include "arguments.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "inputs.hpp"
#include "npy.hpp"

namespace rondo::tool {
namespace {

std::string file_name(const std::string& output) {
    std::string name;
    for (const char c : output) {
        const bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                           (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
        name += plain ? c : '_';
    }
    return name + ".npy";
}

std::filesystem::path make_folder(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw ModelError(path + ": can't make the folder: " + error.message());
    return path;
}

}  // namespace

int run(const RunOptions& options) {
    Core core;
    const Model model = core.read_model(options.model);
    const auto inputs = read_inputs(options.inputs, model);
    require_all(inputs, model);
    CompiledModel compiled = core.compile_model(model, options.device);
    InferRequest request = compiled.create_infer_request();
    for (const auto& [name, tensor] : inputs) request.set_tensor(name, tensor);
    request.infer();
    const auto folder = make_folder(options.output_dir);
    std::set<std::string> written;
    for (std::size_t i = 0; i < compiled.outputs().size(); ++i) {
        const PortInfo& port = compiled.outputs()[i];
        const Tensor tensor = request.get_output_tensor(i);
        const std::string name = file_name(port.any_name());
        if (!written.insert(name).second) {
            throw ModelError("two outputs would be written to " + name);
        }
        write_npy((folder / name).string(), tensor);
        std::cout << (folder / name).string() << ": " << port.any_name() << " "
                  << to_string(tensor.element_type()) << to_string(tensor.shape()) << '\n';
    }
    return 0;
}

}  // namespace rondo::tool
