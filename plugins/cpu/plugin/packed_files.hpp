// Packed weights as files of the model cache, which processes map and share.
#pragma once

#include <mutex>
#include <string>

#include "plugins/cpu/kernels/machine/shared_bytes.hpp"

namespace rondo::cpu {

/// A file for each packed weight, named by what it was packed from and by the build. A file appears
/// when it is complete; a damaged one counts as missing. What can't be written is logged.
class PackedFiles final : public PackedStore {
public:
    explicit PackedFiles(std::string folder) : folder_(std::move(folder)) {}

    MappedFile find(const Digest& source, std::size_t size) override;
    MappedFile keep(const Digest& source, std::span<const std::byte> bytes) override;

private:
    std::string path_of(const Digest& source) const;

    std::string folder_;
    std::once_flag is_tidied_;
};

}  // namespace rondo::cpu
