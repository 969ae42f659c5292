// How a file is known again: a small one by its bytes, a large one without reading all of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/graph/model_source.hpp"
#include "core/support/digest.hpp"
#include "core/support/mapped_file.hpp"

namespace rondo {

/// Files that aren't small are known by their stamp and by samples of their bytes. Up to this size
/// all bytes decide where the stamp is another, as it is of a copy.
inline constexpr std::size_t kMediumFile = std::size_t{256} << 20;

Digest digest_of(const MappedFile& file);

/// The digest of pages of the bytes that are spread evenly over them, the first and the last among
/// them: its time doesn't depend on `size`.
Digest sampled_digest(const std::byte* data, std::size_t size);

/// A word that has_identity() takes. `settled`: the file's stamp was so before its bytes were used.
/// Throws UnsupportedError where it isn't, and the file is too large for anything else.
std::string identity_of(const MappedFile& file, bool settled = true);

/// True if the file is the one of that identity.
bool has_identity(const MappedFile& file, std::string_view identity);

/// False if the bytes have been changed in place since they were mapped. Another file that has
/// taken the path doesn't matter.
bool is_as_mapped(const MappedFile& file);

}  // namespace rondo
