// The memory that a model's constants take while it is read.
#pragma once

#include <cstddef>

#include "core/support/limits.hpp"

namespace rondo {

/// A small file may ask for large constants: it widens, copies or repeats what it holds. Together
/// they may take `limits.constant_bytes`, or if that is 0, 64 MiB and 16 times the files.
class ConstantMemory {
public:
    /// Without limits those of ModelLimits hold, for files that aren't counted.
    explicit ConstantMemory(const ModelLimits& limits = {}) : limits_(limits) {}

    /// A file of so many bytes is one of those that the model is read from.
    void add_file(std::size_t bytes);
    /// Throws ModelError if a constant of so many bytes would be too large, or one too many.
    void check(std::size_t bytes) const;
    /// Counts one, and throws likewise.
    void take(std::size_t bytes);

private:
    std::size_t most() const;

    ModelLimits limits_;
    std::size_t files_ = 0;
    std::size_t taken_ = 0;
};

}  // namespace rondo
