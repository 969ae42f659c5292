// The keys of cached models.
#include "core/runtime/compile.hpp"

#include <filesystem>

#include "core/graph/printer.hpp"
#include "core/graph/reloadable_tensor.hpp"
#include "core/runtime/cache/build_id.hpp"
#include "core/runtime/cache/file_identity.hpp"
#include "core/runtime/properties/property_values.hpp"
#include "core/support/digest.hpp"

namespace rondo {
namespace {

constexpr const char* kFormat = "rondo model cache 2";

// All but the model: what else has a say in the passes and in the numbers.
std::string circumstances(const CompileTarget& target) {
    const Version version = target.plugin->version();
    return std::string(kFormat) + "\nversion " + get_version().build_number + " build " +
           build_id() + "\ndevice " + target.device + ", version " + version.build_number + ", " +
           version.description + "\n" + target.plugin->cache_key(target.settings) + "\n";
}

void add_facts(const std::map<std::string, std::string>& facts, Digester& digester) {
    digester.add_number(facts.size());
    for (const auto& [name, value] : facts) {
        digester.add_text(name);
        digester.add_text(value);
    }
}

void add_value(const Tensor& value, std::span<const OpenedFile> files, Digester& digester) {
    const Tensor dense = value.contiguous();
    const void* data = std::as_const(dense).data();
    digester.add_number(dense.byte_size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        const MappedFile& file = files[i].bytes;
        if (!file.holds(data, dense.byte_size())) continue;
        digester.add_text("in a file");
        digester.add_number(i);
        digester.add_number(
            static_cast<std::uint64_t>(static_cast<const std::byte*>(data) - file.data));
        return;
    }
    digester.add(data, dense.byte_size());
    drop_pages(dense);
}

// What the graph's text leaves out, or where quotes in names could make it ambiguous.
void add_node(Node& node, std::span<const OpenedFile> files, Digester& digester) {
    digester.add_text(node.name());
    add_facts(node.rt_info(), digester);
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        const auto& names = node.output(i).names();
        digester.add_number(names.size());
        for (const auto& name : names) digester.add_text(name);
        if (const Tensor value = node.known_value(i)) add_value(value, files, digester);
    }
}

}  // namespace

std::string model_key(const CompileTarget& target, const MappedFile& file,
                      const std::string& path) {
    const bool keeps = switch_of(target.settings, property::kKeepInputs, false);
    const std::string reading = keeps ? "keeps inputs, " : "";
    const std::string bytes =
        file.size <= kSmallFile ? digest_of(file).text() : "samples " + sampled_digest(file).text();
    return circumstances(target) + reading + "file of " + std::to_string(file.size) + " bytes, " +
           bytes + ", " + std::filesystem::path(path).filename().string() + "\n";
}

std::string model_key(const CompileTarget& target, const Graph& graph,
                      std::span<const OpenedFile> files) {
    Digester digester;
    for (const auto& [path, bytes, settled] : files) {
        digester.add_text(path);
        digester.add_text(identity_of(bytes, FileReading::samples, settled));
    }
    digester.add_text(to_text(graph));
    for_each_graph(graph, [&](const Graph& part) {
        add_facts(part.rt_info(), digester);
        for (const auto& node : part.ordered_nodes()) add_node(*node, files, digester);
    });
    return circumstances(target) + "graph " + digester.digest().text() + "\n";
}

}  // namespace rondo
