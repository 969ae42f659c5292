// Where and when a benchmark was made.
#pragma once

#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "rondo/compiled_model.hpp"
#include "rondo/core.hpp"

namespace rondo::tool {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// Date, processor, operating system and version of Rondo, as a report names them.
NamedTexts surroundings(const Core& core, const std::string& device);

/// The properties that the compiled model has, also those that no one set.
NamedTexts properties_of(const CompiledModel& compiled);

/// ISO 8601 with the zone: "2026-11-26T18:50:00+01:00".
std::string date_text(std::time_t time);

/// The arguments as a shell takes them: those with other characters than plain ones are quoted.
std::string shell_text(const std::vector<std::string>& arguments);

}  // namespace rondo::tool
