// Checks what docs/measurements/conformance.md says about Rondo.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "core/support/strings.hpp"
#include "tests/conformance/feature_list.hpp"
#include "tests/conformance/feature_verdict.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::test::conformance_doc_test {
namespace {

// "| a | b | c |" -> {a, b, c}.
std::vector<std::string> cells_of(const std::string& line) {
    if (line.size() < 2 || line.front() != '|') return {};
    return split(line.substr(1, line.rfind('|') - 1), '|');
}

// First cell -> second cell, of every table.
std::map<std::string, std::string> documented() {
    std::map<std::string, std::string> rows;
    std::ifstream file(std::string(RONDO_SOURCE_DIR) + "/docs/measurements/conformance.md");
    for (std::string line; std::getline(file, line);) {
        const auto cells = cells_of(line);
        if (cells.size() >= 2) rows[cells[0]] = cells[1];
    }
    return rows;
}

TEST(ConformanceDoc, TellsWhatRondoDoes) {
    auto rows = documented();
    for (const auto& feature : feature_list()) {
        SCOPED_TRACE(feature.name);
        const auto row = rows.find(feature.name);
        if (row == rows.end()) {
            ADD_FAILURE() << "no row; run tests/other_engines/conformance.py --markdown";
            continue;
        }
        EXPECT_EQ(row->second, rondo_verdict(feature));
    }
}

// A table with another word for Rondo must not be published.
TEST(ConformanceDoc, SaysYesThroughout) {
    for (const auto& feature : feature_list()) {
        EXPECT_EQ(rondo_verdict(feature), "yes") << feature.name;
    }
}

}  // namespace
}  // namespace rondo::test::conformance_doc_test
