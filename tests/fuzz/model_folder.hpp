// A folder in which models with external data find what hostile ones would look for.
#pragma once

#include <string>
#include <string_view>

#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test {

/// Holds the data, an empty file, a folder with a link to the data, a pipe, and two links to a file
/// outside, which no model may read.
class ModelFolder {
public:
    ModelFolder();

    /// Where the model lies; there need not be such a file.
    std::string model_path() const { return folder_ / "model/m.onnx"; }
    /// The bytes of the file that readers may open, beside the model.
    void set_data(std::string_view data);
    /// True where the path leads to a file in the model's folder, links resolved.
    bool holds(const std::string& path) const;

private:
    TemporaryFolder folder_;
    std::string data_;
};

}  // namespace rondo::test
