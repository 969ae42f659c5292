// States on the command line: the pairs of `--stateful h:hn,c:cn`, and lists of variables.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

/// The names of an input and an output for each pair. Names may hold colons and commas, as long as
/// the model's names allow one reading. Throws ModelError naming the part that is no pair.
std::vector<std::pair<std::string, std::string>> parse_state_pairs(const std::string& text,
                                                                   const Model& model);

struct VariableSummary {
    std::string id;
    std::string port;  ///< type and shape
    bool is_computed;  ///< whether the model computes its first value; else that is zeros
};

/// The variables of a model, in the order in which they are read.
std::vector<VariableSummary> variables_of(const std::vector<NodeInfo>& nodes);

/// Does what `--stateful` asks: "auto", or pairs. Nothing for an empty text. Returns lines on the
/// variables that were made.
std::vector<std::string> make_stateful(Model& model, const std::string& asked);

}  // namespace rondo::tool
