// `rondo compile`: reads a model, runs the portable passes and writes IR.
#include <iostream>

#include "arguments.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "statistics.hpp"

namespace rondo::tool {
namespace {

TransformOptions transform_options(const CompileOptions& options) {
    TransformOptions result;
    if (options.print_passes) {
        result.print = [](const std::string& line) { std::cout << line << '\n'; };
    }
    result.dump_after = options.dump_after;
    result.dump = [](const std::string& text) { std::cout << text; };
    result.stop_after = options.stop_after;
    result.validate = options.validate_passes;
    return result;
}

// Prints everything that changes a model's numbers.
void print_precision(const std::vector<NodeInfo>& nodes) {
    for (const auto& node : nodes) {
        for (const auto& [key, value] : node.facts) {
            if (key != "precision") continue;
            std::cout << "note: '" << node.name << "' (" << node.type << "): " << value << '\n';
        }
    }
}

}  // namespace

int compile(const CompileOptions& options) {
    const std::string suffix = ".xml";
    if (options.output.size() <= suffix.size() ||
        options.output.compare(options.output.size() - suffix.size(), suffix.size(), suffix) != 0) {
        throw ModelError("-o " + options.output + ": the output must end in .xml");
    }
    Core core;
    Model model = core.read_model(options.model);
    core.transform(model, transform_options(options));
    save_model(model, options.output, element_type_from_string(options.weights));
    std::size_t weights = 0;
    const auto nodes = model.nodes();
    for (const auto& node : nodes) weights += node.constant_bytes;
    print_precision(nodes);
    const std::string stem = options.output.substr(0, options.output.size() - suffix.size());
    std::cout << options.output << " and " << stem << ".bin: " << nodes.size() << " nodes, "
              << bytes_text(static_cast<double>(weights)) << " of constants"
              << (options.weights == "f32" ? "" : ", written as " + options.weights) << '\n';
    return 0;
}

}  // namespace rondo::tool
