// `rondo info --why NODE`: what the passes made of a node.
#include <iostream>
#include <map>
#include <vector>

#include "arguments.hpp"
#include "inputs/inputs.hpp"
#include "property_arguments.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"

namespace rondo::tool {
namespace {

using Types = std::map<std::string, std::string>;

// One node's history while the passes run.
class History {
public:
    explicit History(std::string node) : node_(std::move(node)) {}

    void see(const std::string& pass, const Types& ops) {
        if (pass.empty()) names_ = ops;
        const auto found = ops.find(node_);
        const std::string type = found == ops.end() ? "" : found->second;
        if (type == type_) return;
        was_seen_ = true;
        const std::string from = pass.empty() ? "the file" : "pass '" + pass + "'";
        if (type.empty()) {
            lines_.push_back(from + " removes it");
        } else if (type_.empty()) {
            lines_.push_back(from + " makes it: " + type);
        } else {
            lines_.push_back(from + " makes " + type + " of " + type_);
        }
        type_ = type;
    }

    void add(const std::string& line) {
        was_seen_ = true;
        lines_.push_back(line);
    }

    bool was_seen() const { return was_seen_; }
    bool is_left() const { return !type_.empty(); }
    const std::vector<std::string>& lines() const { return lines_; }
    /// The names of the file's ops, for a message.
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const auto& [name, type] : names_) names.push_back(name);
        return names;
    }

private:
    std::string node_;
    std::string type_;
    bool was_seen_ = false;
    std::vector<std::string> lines_;
    Types names_;
};

TransformOptions watching(History& history, const std::string& node) {
    TransformOptions options;
    options.watch = [&](const std::string& pass, const Types& ops) { history.see(pass, ops); };
    options.explain = [&, node](const std::string& name, const std::string& reason) {
        if (name == node) history.add("it became no part of a sequence: " + reason);
    };
    return options;
}

void add_kernels(const CompiledModel& compiled, const InfoOptions& options, History& history) {
    bool runs = false;
    for (const auto& row : compiled.kernels()) {
        if (row.node_name != options.why) continue;
        runs = true;
        history.add(options.device + " runs " + row.node_type + " on " + row.kernel +
                    (row.reason.empty() ? "" : " (" + row.reason + ")"));
    }
    if (!runs && history.is_left())
        history.add(options.device + " needs no step of its own for it");
}

}  // namespace

int why(const InfoOptions& options) {
    const Core core = core_for(options.properties);
    Model model = read_with_shapes(core, options.models[0], options.data_shape);
    History history(options.why);
    core.transform(model, watching(history, options.why));
    add_kernels(core.compile_model(model, options.device, parse_properties(options.properties)),
                options, history);
    if (!history.was_seen()) {
        throw ModelError(options.models[0] + ": --why " + options.why + ": no op has that name; " +
                         known_names(options.why, history.names()));
    }
    std::cout << "'" << options.why << "'\n";
    for (const auto& line : history.lines()) std::cout << "  " << line << '\n';
    return 0;
}

}  // namespace rondo::tool
