#include "state_arguments.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "model_contents.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"
#include "texts.hpp"

namespace rondo::tool {
namespace {

using Pair = std::pair<std::string, std::string>;

std::set<std::string> names_of(const std::vector<PortInfo>& ports) {
    std::set<std::string> names;
    for (const PortInfo& port : ports) names.insert(port.names.begin(), port.names.end());
    return names;
}

std::string list(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
    return text;
}

class PairReader {
public:
    PairReader(const std::string& text, const Model& model)
        : text_(text),
          inputs_(names_of(model.inputs())),
          outputs_(names_of(model.outputs())),
          constants_(model.constant_inputs()) {}

    std::vector<Pair> read() {
        for (std::size_t at = 0; at <= text_.size();) at = read_pair(at);
        return std::move(pairs_);
    }

private:
    // The first comma after which the part before is a pair.
    std::size_t read_pair(std::size_t start) {
        std::size_t end = start;
        do {
            end = std::min(text_.find(',', end), text_.size());
            if (const auto pair = pair_of(text_.substr(start, end - start))) {
                pairs_.push_back(*pair);
                return end + 1;
            }
        } while (end++ < text_.size());
        const std::string part = text_.substr(start, text_.find(',', start) - start);
        refuse_constant(part);
        throw ModelError("--stateful: '" + part + "' is not a pair of the model; expected " +
                         "auto or INPUT:OUTPUT with an input of " + list(inputs_) +
                         " and an output of " + list(outputs_));
    }

    std::optional<Pair> pair_of(const std::string& part) const {
        for (std::size_t at = part.find(':'); at != std::string::npos;
             at = part.find(':', at + 1)) {
            Pair pair{part.substr(0, at), part.substr(at + 1)};
            if (inputs_.count(pair.first) != 0 && has_output(pair.second)) return pair;
        }
        return {};
    }

    // If the input is one that reading made a constant, it says so.
    void refuse_constant(const std::string& part) const {
        for (const std::string& name : constants_) {
            if (part.rfind(name + ":", 0) != 0) continue;
            throw ModelError("--stateful: '" + part + "': the model has no input '" + name + "'; " +
                             known_inputs(name, {inputs_.begin(), inputs_.end()}, constants_));
        }
    }

    // An output, or a part of one: "state[2]".
    bool has_output(const std::string& name) const {
        return outputs_.count(name) != 0 || outputs_.count(name.substr(0, name.rfind('['))) != 0;
    }

    const std::string& text_;
    std::set<std::string> inputs_;
    std::set<std::string> outputs_;
    std::vector<std::string> constants_;
    std::vector<Pair> pairs_;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> parse_state_pairs(const std::string& text,
                                                                   const Model& model) {
    return PairReader(text, model).read();
}

std::vector<std::string> make_stateful(Model& model, const std::string& asked) {
    if (asked.empty()) return {};
    if (asked == "auto") {
        model.make_stateful();
    } else {
        model.make_stateful(parse_state_pairs(asked, model));
    }
    std::vector<std::string> lines;
    for (const VariableSummary& variable : variables_of(model.nodes())) {
        lines.push_back("variable '" + variable.id + "' " + variable.port);
    }
    return lines;
}

std::vector<VariableSummary> variables_of(const std::vector<NodeInfo>& nodes) {
    std::vector<VariableSummary> variables;
    for (const NodeInfo& node : nodes) {
        if (node.type != "ReadValue") continue;
        variables.push_back(
            {attribute(node, "variable_id"), typed_shape(node.outputs[0]), !node.inputs.empty()});
    }
    return variables;
}

}  // namespace rondo::tool
