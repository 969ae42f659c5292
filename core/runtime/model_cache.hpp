// Stores models after the portable passes, so that a later start needs neither to read the original
// nor to run the passes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"

namespace rondo {

/// A folder of entries, a file each, which any number of threads and processes may share: an entry
/// appears under its name when it is complete. Damaged and foreign entries count as missing. The
/// folder must be as trustworthy as the models are: a digest finds damage, not forgery.
class ModelCache {
public:
    /// Makes the folder if there is none. Throws ModelError if it can't be made or written
    /// to.
    explicit ModelCache(std::string folder);

    /// The graph that was stored under `key`, its constants mapped from the entry and from the
    /// model's files; null if there is none, if the entry isn't what store() wrote for this key, if
    /// a file that it was read from has changed, or if the graph exceeds a limit. `model_path`: the
    /// model's present path; empty for one whose files have absolute paths.
    std::shared_ptr<Graph> load(const std::string& key, const std::string& model_path = "",
                                const ModelLimits& limits = {}) const;

    /// Replaces an older entry. `files`: what was read besides `model_path`, whose bytes as they
    /// were read the entry belongs to; constants that lie there aren't copied. A failure, such as a
    /// full disk, is logged: the model runs without. So is a refusal of what isn't worth its bytes.
    void store(const std::string& key, const Graph& graph, const std::string& model_path = "",
               const std::vector<OpenedFile>& files = {}) const;

    /// The path of the entry of that key.
    std::string path_of(const std::string& key) const;

private:
    std::string folder_;
};

}  // namespace rondo
