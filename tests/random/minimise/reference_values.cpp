#include "tests/random/minimise/reference_values.hpp"

#include "rondo/error.hpp"
#include "tests/random/minimise/graph_parts.hpp"
#include "tests/random/run_model.hpp"

namespace rondo::test {
namespace {

using Values = std::map<std::string, std::vector<Tensor>>;

// Empty where the model can't run with these outputs.
Values values_of(Candidate candidate, const std::vector<std::string>& names) {
    candidate.graph().clear_output();
    for (const auto& name : names) candidate.graph().add_output()->set_name(name);
    drop_unread(candidate);
    Values values;
    try {
        const auto runs = run_model(candidate.model(), "REFERENCE");
        for (std::size_t i = 0; i < names.size(); ++i) {
            for (std::size_t run = 0; run < candidate.inputs.size(); ++run) {
                values[names[i]].push_back(runs[run][i]);
            }
        }
    } catch (const Error&) {
        return {};
    }
    return values;
}

}  // namespace

Values reference_values(const Candidate& candidate) {
    std::vector<std::string> names;
    for (const auto& node : candidate.graph().node()) {
        for (const auto& value : node.output()) {
            if (!value.empty()) names.push_back(value);
        }
    }
    Values values = values_of(candidate, names);
    if (!values.empty()) return values;
    for (const auto& name : names) values.merge(values_of(candidate, {name}));
    return values;
}

}  // namespace rondo::test
