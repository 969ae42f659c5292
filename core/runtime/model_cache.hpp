// Models on disk as the portable passes left them, so that a later start needs neither to read the
// original nor to run the passes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace rondo {

/// A folder of entries, a file each, which any number of threads and processes may share: an entry
/// appears under its name when it is complete. Damaged and foreign entries count as missing. The
/// folder is to be trusted as much as the models are: a digest finds damage, not forgery.
class ModelCache {
public:
    /// Makes the folder where there is none. Throws ModelError where it can't be made or written
    /// to.
    explicit ModelCache(std::string folder);

    /// The graph that was stored under `key`, its constants mapped from the entry; null where there
    /// is none, where the entry isn't what store() wrote for this key, or where a file that it was
    /// read from has changed. `model_path`: where the model lies now; empty for one without files.
    std::shared_ptr<Graph> load(const std::string& key, const std::string& model_path = "") const;

    /// Takes the place of an older entry. `files`: paths of those that were read besides
    /// `model_path`. A failure, such as a full disk, is logged: the model runs without.
    void store(const std::string& key, const Graph& graph, const std::string& model_path = "",
               const std::vector<std::string>& files = {}) const;

    /// Where the entry of that key lies.
    std::string path_of(const std::string& key) const;

private:
    std::string folder_;
};

}  // namespace rondo
