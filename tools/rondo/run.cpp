// `rondo run`: runs one inference on .npy files.
#include <iostream>

#include "arguments.hpp"
#include "files.hpp"
#include "inputs/inputs.hpp"
#include "inputs/npy.hpp"
#include "property_arguments.hpp"
#include "rondo/core.hpp"
#include "texts.hpp"

namespace rondo::tool {

int run(const RunOptions& options) {
    Core core = core_for(options.properties);
    const Model model = core.read_model(options.model);
    const auto inputs = read_inputs(options.inputs, model);
    require_all(inputs, model);
    CompiledModel compiled =
        core.compile_model(model, options.device, parse_properties(options.properties));
    InferRequest request = compiled.create_infer_request();
    for (const auto& [name, tensor] : inputs) request.set_tensor(name, tensor);
    request.infer();
    const auto folder = make_folder(options.output_dir);
    const auto names = npy_names(compiled.outputs());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Tensor tensor = request.get_output_tensor(i);
        const std::string path = (folder / names[i]).string();
        write_npy(path, tensor);
        std::cout << path << ": " << compiled.outputs()[i].any_name() << " "
                  << typed_shape(tensor.element_type(), tensor.shape()) << '\n';
    }
    return 0;
}

}  // namespace rondo::tool
