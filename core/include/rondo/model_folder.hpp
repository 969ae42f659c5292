// Files that a model names, such as its external data: they must lie in its folder.
#pragma once

#include <string>

#include "rondo/export.hpp"

namespace rondo {

/// The path of the file that the model at `model_path` has at `location`, in its folder or below.
/// A model must not make its reader open files elsewhere: throws ModelError for other locations
/// and for links that lead out of the folder. Where the model is a link itself, links into the
/// folder of what it links to are allowed, too, as in stores that link to blobs. `what` the file
/// holds begins the message. There needn't be a file.
RONDO_API std::string path_in_model_folder(const std::string& model_path,
                                           const std::string& location, const std::string& what);

}  // namespace rondo
