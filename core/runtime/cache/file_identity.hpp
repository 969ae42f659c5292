// How a model's files are known again: few bytes whole, many without reading all of them; and the
// files that a graph's constants are mapped from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"
#include "core/support/digest.hpp"
#include "core/support/mapped_file.hpp"

namespace rondo {

/// How much of a file decides.
enum class FileReading : std::uint8_t {
    whole,     ///< all bytes
    if_moved,  ///< stamp and samples; all bytes if the stamp is another, as it is of a copy
    samples,   ///< stamp and samples
};

/// So many bytes of a model's files are read whole, the smallest files first.
inline constexpr std::size_t kWholeBytes = kSmallFile;
/// So many with those that are read whole if their stamps are other ones.
inline constexpr std::size_t kMovedBytes = std::size_t{256} << 20;

/// One for each of a model's files.
std::vector<FileReading> readings_of(std::span<const OpenedFile> files);

Digest digest_of(const MappedFile& file);

/// The digest of pages of the bytes that are spread evenly over them, the first and the last among
/// them: its time doesn't depend on `size`.
Digest sampled_digest(const MappedFile& file);

/// A word that has_identity() takes. `settled`: the file's stamp was so before its bytes were used.
/// Throws UnsupportedError if it isn't, and only samples may be read.
std::string identity_of(const MappedFile& file, FileReading reading, bool settled = true);

/// True if the file is the one of that identity.
bool has_identity(const MappedFile& file, std::string_view identity);

/// Those that aren't read whole for a digest, each once, by their absolute paths.
std::vector<OpenedFile> sampled_files_of(const Graph& graph);

/// True if the files are those that were mapped, and a change from now on changes their stamps.
bool are_current(const std::vector<OpenedFile>& files);

}  // namespace rondo
