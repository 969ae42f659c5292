// What the IR's tests share: a folder that goes away, texts as files, the fixture.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "core/graph/printer.hpp"
#include "core/ir/ir.hpp"
#include "core/support/mapped_file.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::test {

inline const std::string kFixture = RONDO_SOURCE_DIR "/tests/data/ir/lstm_model";

inline std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

/// `text` with the first `from` turned into `to`; `from` must be there.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    if (at == std::string::npos) throw ModelError("the text has no " + from);
    return text.replace(at, from.size(), to);
}

inline std::shared_ptr<Graph> read_file(const std::string& path,
                                        const std::string& weights_path = "") {
    const MappedFile file = map_file(path);
    return ir::read({path, file.data, file.size, file.owner, weights_path, {}});
}

/// Writes the graph; false where it has names that are read, but that XML can't hold.
inline bool was_written(const Graph& graph, const std::string& path) {
    try {
        ir::write(graph, path);
    } catch (const ModelError& error) {
        const std::string message = error.what();
        for (const char* reason : {", which XML can't", ", which is not UTF-8"}) {
            if (message.find(reason) != std::string::npos) return false;
        }
        throw;
    }
    return true;
}

/// A file's bytes as weights.
inline Tensor bytes_tensor(const std::string& path) {
    const std::string bytes = bytes_of(path);
    Tensor tensor(ElementType::u8, {bytes.size()});
    std::copy(bytes.begin(), bytes.end(), static_cast<char*>(tensor.data()));
    return tensor;
}

/// Reads from memory, with the fixture's weights unless others are given.
inline std::shared_ptr<Graph> read_text(const std::string& xml, Tensor weights = {}) {
    if (!weights) weights = bytes_tensor(kFixture + ".bin");
    return ir::read({"", reinterpret_cast<const std::byte*>(xml.data()), xml.size(), nullptr, "",
                     std::move(weights)});
}

}  // namespace rondo::test
