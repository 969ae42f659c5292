// docs/onnx_operators.md: its table is that of the converters. RONDO_UPDATE_DOCS=1 writes it.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "core/support/process.hpp"
#include "frontend/onnx/ops/op_list.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::onnx::operators_doc_test {
namespace {

constexpr const char* kBegin = "<!-- operators: begin -->\n";
constexpr const char* kEnd = "<!-- operators: end -->\n";

std::string table() {
    std::map<std::string, std::string> rows;
    for (const auto& entry : op_list()) {
        const std::string domain = entry.domain.empty() ? "" : std::string(entry.domain) + ".";
        std::string& since = rows[domain + std::string(entry.name)];
        since += (since.empty() ? "" : ", ") + std::to_string(entry.since);
    }
    std::string text = "| operator | since opset |\n|---|---|\n";
    for (const auto& [name, since] : rows) text += "| " + name + " | " + since + " |\n";
    return text;
}

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(OnnxOperatorsDoc, HoldsTheTableOfTheConverters) {
    const std::string path = std::string(RONDO_SOURCE_DIR) + "/docs/onnx_operators.md";
    const std::string text = read_file(path);
    const std::size_t begin = text.find(kBegin);
    const std::size_t end = text.find(kEnd);
    ASSERT_TRUE(begin != std::string::npos && end != std::string::npos) << path;
    const std::size_t from = begin + std::string(kBegin).size();
    if (env("RONDO_UPDATE_DOCS")) {
        std::ofstream(path) << text.substr(0, from) << table() << text.substr(end);
        return;
    }
    EXPECT_EQ(text.substr(from, end - from), table())
        << "run this test with RONDO_UPDATE_DOCS=1 and look at the difference";
}

}  // namespace
}  // namespace rondo::onnx::operators_doc_test
