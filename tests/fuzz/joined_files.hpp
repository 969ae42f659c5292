// An ONNX model and a file of external data beside it as one input.
#pragma once

#include <string>
#include <string_view>

namespace rondo::test {

struct JoinedFiles {
    std::string_view model;
    std::string_view data;  ///< of the file kDataFile
};

inline constexpr std::string_view kDataMark = "\nEXTERNAL DATA\n";
inline constexpr const char* kDataFile = "data.bin";

/// True for what has the mark between model and data.
inline bool has_files(std::string_view bytes) {
    return bytes.find(kDataMark) != std::string_view::npos;
}

/// Everything is the model where there is no mark.
inline JoinedFiles split_files(std::string_view bytes) {
    const std::size_t at = bytes.find(kDataMark);
    if (at == std::string_view::npos) return {bytes, {}};
    return {bytes.substr(0, at), bytes.substr(at + kDataMark.size())};
}

inline std::string join_files(const std::string& model, std::string_view data) {
    return model + std::string(kDataMark) + std::string(data);
}

}  // namespace rondo::test
