#include "core/ir/weights_file.hpp"

#include <cstring>
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>

#include "core/graph/reloadable_tensor.hpp"
#include "core/graph/tensor_impl.hpp"
#include "core/ir/compressed_weights.hpp"
#include "core/support/digest.hpp"
#include "core/support/narrow_type.hpp"
#include "rondo/error.hpp"

namespace rondo::ir {
namespace {

bool is_aligned(const std::byte* data, std::size_t alignment) {
    return reinterpret_cast<std::uintptr_t>(data) % alignment == 0;
}

// Reading a C++ bool that is neither 0 nor 1 is undefined; OpenVINO takes all but 0 for true.
Tensor clean_booleans(const Shape& shape, const std::byte* data, std::size_t size) {
    Tensor tensor(ElementType::boolean, shape);
    auto* to = static_cast<unsigned char*>(tensor.data());
    for (std::size_t i = 0; i < size; ++i) to[i] = data[i] != std::byte{0} ? 1 : 0;
    return tensor;
}

std::size_t stored_bytes(ElementType type, std::size_t count) {
    return is_narrow(type) ? packed_bytes(type, count) : count * size_of(type);
}

Tensor unpacked(ElementType type, const Shape& shape, const std::byte* data) {
    Tensor tensor(type, shape);
    const void* packed = data;
    unpack(type, static_cast<const std::uint8_t*>(packed),
           {static_cast<std::uint8_t*>(tensor.data()), tensor.size()});
    return tensor;
}

}  // namespace

std::string weights_path_of(const std::string& xml_path) {
    return std::filesystem::path(xml_path).replace_extension(".bin").string();
}

WeightsReader::WeightsReader(const ModelSource& source)
    : opened_files_(source.opened_files), files_(source.files), memory_(source.limits) {
    memory_.add_file(source.size);
    for (const MappedFile& file : files_) memory_.add_file(file.size);
    if (source.weights) {
        path_ = "the weights in memory";
        const auto* data = static_cast<const std::byte*>(source.weights.data());
        file_ = {data, source.weights.byte_size(), Tensor::Impl::of(source.weights).owner};
        // What the caller owns may come with a handle that nothing else keeps.
        if (file_.owner == nullptr) file_.owner = std::make_shared<Tensor>(source.weights);
    } else if (!source.weights_path.empty()) {
        file_ = open_file(source.weights_path, opened_files_);
        path_ = "'" + source.weights_path + "'";
    } else if (!source.path.empty()) {
        beside_ = weights_path_of(source.path);
    }
}

void WeightsReader::open() {
    if (path_.empty()) {
        if (beside_.empty()) {
            throw ModelError(
                "the constant needs weights; give the tensor of the .bin file's bytes");
        }
        file_ = open_file(beside_, opened_files_);
        path_ = "'" + beside_ + "'";
    }
    if (checked_) return;
    check_digest();
    memory_.add_file(file_.size);
    checked_ = true;
}

void WeightsReader::check_digest() const {
    if (expected_digest_.empty()) return;
    Digester digester;
    digester.add(file_.data, file_.size);
    drop_pages(file_);
    const std::string digest = digester.digest().text();
    if (digest == expected_digest_) return;
    throw ModelError(path_ + " was not written together with this XML: its digest is " + digest +
                     "; expected " + expected_digest_ +
                     " (weights_digest of <net>); write or copy both files again");
}

const MappedFile& WeightsReader::file_of(const WeightsRange& range) {
    if (range.file == 0) {
        open();
        return file_;
    }
    if (range.file > files_.size()) {
        throw ModelError("file is " + std::to_string(range.file) + "; there are " +
                         std::to_string(files_.size()));
    }
    return files_[range.file - 1];
}

void WeightsReader::check_range(const WeightsRange& range, const MappedFile& file) const {
    if (range.offset <= file.size && range.size <= file.size - range.offset) return;
    const std::string name = range.file == 0 ? path_ : "file " + std::to_string(range.file);
    throw ModelError("offset " + std::to_string(range.offset) + " and size " +
                     std::to_string(range.size) + " pass the end of " + name + ", which has " +
                     std::to_string(file.size) + " bytes");
}

Tensor WeightsReader::read(ElementType type, const Shape& shape, const WeightsRange& range) {
    const std::size_t needed = stored_bytes(type, element_count(shape));
    const bool fits = range.size == needed || (needed == 0 && range.size == 1);
    if (!fits) {  // OpenVINO stores one byte for an empty constant
        throw ModelError("size is " + std::to_string(range.size) + " bytes, but " +
                         std::string(to_string(type)) + to_string(shape) + " takes " +
                         std::to_string(needed));
    }
    if (needed == 0) return Tensor(type, shape);
    const MappedFile& file = file_of(range);
    check_range(range, file);
    const std::byte* data = file.data + range.offset;
    if (type == ElementType::boolean || is_narrow(type)) {
        memory_.take(element_count(shape));
        return is_narrow(type) ? unpacked(type, shape, data)
                               : clean_booleans(shape, data, range.size);
    }
    if (ranges_.try_emplace(range).second) memory_.take(range.size);
    if (is_aligned(data, size_of(type))) return Tensor(type, shape, data, file.owner);
    Tensor& copied = ranges_[range];
    if (!copied)
        copied = copy_from_file(ElementType::u8, {range.size}, {data, range.size, file.owner});
    return Tensor(type, shape, std::as_const(copied).data(), Tensor::Impl::of(copied).owner);
}

Tensor WeightsReader::read_nf4(const Shape& shape, const WeightsRange& range) {
    const Tensor codes = read(ElementType::u4, shape, range);
    memory_.take(codes.size() * size_of(ElementType::f32));
    return nf4_values(codes);
}

WeightsRange WeightsWriter::place(const void* data, std::size_t size, std::size_t alignment) {
    for (std::size_t i = 0; i < files_.size() && size > 0; ++i) {
        if (files_[i].holds(data, size)) {
            const auto* start = static_cast<const std::byte*>(data);
            return {static_cast<std::size_t>(start - files_[i].data), size, i + 1};
        }
    }
    return {add(data, size, alignment), size};
}

std::size_t WeightsWriter::add(const void* data, std::size_t size, std::size_t alignment) {
    if (size == 0) {
        const std::size_t offset = file_.size();
        if (offset == 0) file_.write("", 1);
        return offset;
    }
    const std::size_t hash = std::hash<std::string_view>{}({static_cast<const char*>(data), size});
    const auto [first, last] = ranges_.equal_range(hash);
    for (auto at = first; at != last; ++at) {
        const WeightsRange& range = at->second;
        if (range.size == size && range.offset % alignment == 0 &&
            file_.holds(range.offset, data, size)) {
            return range.offset;
        }
    }
    constexpr char kZeros[8] = {};  // no element is larger
    file_.write(kZeros, (alignment - file_.size() % alignment) % alignment);
    const std::size_t offset = file_.size();
    file_.write(data, size);
    ranges_.insert({hash, {offset, size}});
    return offset;
}

}  // namespace rondo::ir
