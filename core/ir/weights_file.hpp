// The IR's weights: constants' bytes one after the other, little-endian, without a header.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/graph/constant_memory.hpp"
#include "core/graph/model_source.hpp"
#include "core/ir/output_file.hpp"
#include "core/support/mapped_file.hpp"
#include "rondo/element_type.hpp"
#include "rondo/shape.hpp"
#include "rondo/tensor.hpp"

namespace rondo::ir {

/// "dir/model.xml" -> "dir/model.bin".
std::string weights_path_of(const std::string& xml_path);

/// Bytes of the weights, by offset.
struct WeightsRange {
    std::size_t offset = 0;
    std::size_t size = 0;
    std::size_t file = 0;  ///< 0: the weights; above: one of the files beside them, from 1 on

    friend auto operator<=>(const WeightsRange&, const WeightsRange&) = default;
};

/// Gives out constants. Takes the source's tensor, else its weights_path, else the .bin beside the
/// .xml; the last is opened by the first constant, so a net without constants needs none.
class WeightsReader {
public:
    explicit WeightsReader(const ModelSource& source);

    /// The weights must have this digest, which Digest::text() wrote; read() throws a ModelError
    /// for others. Without the call any weights will do.
    void expect_digest(std::string digest) { expected_digest_ = std::move(digest); }

    /// True if ranges may name files beside the weights.
    bool has_files() const { return !files_.empty(); }

    /// Shares the file's memory if that is aligned for `type`, else a copy. Throws ModelError
    /// for a range that passes the end, or whose size isn't the tensor's, and for more constants
    /// than there may be: a range that is shared again isn't counted again.
    Tensor read(ElementType type, const Shape& shape, const WeightsRange& range);
    /// The f32 values of packed nf4 codes; throws likewise.
    Tensor read_nf4(const Shape& shape, const WeightsRange& range);

private:
    void open();
    const MappedFile& file_of(const WeightsRange& range);
    void check_range(const WeightsRange& range, const MappedFile& file) const;
    void check_digest() const;

    std::string path_;  // for messages; empty until there are weights
    std::string beside_;
    std::vector<OpenedFile>* opened_files_;
    MappedFile file_;
    std::vector<MappedFile> files_;
    std::string expected_digest_;  // empty: none
    bool checked_ = false;
    std::map<WeightsRange, Tensor> ranges_;  // shared, with their copies
    ConstantMemory memory_;
};

/// Adds constants to the weights file as they come; equal bytes are stored once.
class WeightsWriter {
public:
    /// Constants that lie in one of `files` stay there.
    explicit WeightsWriter(OutputFile& file, std::span<const MappedFile> files = {})
        : file_(file), files_(files) {}

    /// Where the bytes are found; adds them if they don't lie in one of the files.
    WeightsRange place(const void* data, std::size_t size, std::size_t alignment);

    /// Returns the offset, a multiple of `alignment`; zeros fill the gap before it. A file of empty
    /// constants alone gets a byte, since OpenVINO reads no constant from an empty file.
    std::size_t add(const void* data, std::size_t size, std::size_t alignment);

private:
    OutputFile& file_;
    std::span<const MappedFile> files_;
    std::unordered_multimap<std::size_t, WeightsRange> ranges_;  // by the hash of their bytes
};

}  // namespace rondo::ir
