// docs/transformations.md: its lists are the pipelines, its table is that of forms, and its picture
// names each portable pass. RONDO_UPDATE_DOCS=1 writes the lists and the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/support/process.hpp"
#include "plugins/cpu/passes/cpu_passes.hpp"
#include "tests/support/source_dir.hpp"
#include "transformations/pipelines.hpp"

namespace rondo::test::passes_doc_test {
namespace {

const std::string kRoot = std::string(RONDO_SOURCE_DIR) + "/";
const std::string kPage = kRoot + "docs/transformations.md";

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The first paragraph above the pass in the header of a folder's passes, in one line; empty where
// it isn't there.
std::string effect_in(const std::string& header, const std::string& pass) {
    std::ifstream file(header);
    std::string text, line;
    bool is_first = true;
    while (std::getline(file, line)) {
        if (line.starts_with("///")) {
            is_first = is_first && line != "///";
            if (is_first) text += line.substr(3);
        } else if (line.find(" " + pass + "(") != std::string::npos) {
            return text.substr(1);
        } else {
            text.clear();
            is_first = true;
        }
    }
    return {};
}

// Or the comment at the top of the pass's own header.
std::string effect_of(const std::string& pass) {
    for (const char* folder :
         {"transformations/simplify/", "transformations/recurrent/",
          "transformations/recurrent/recognition/", "transformations/streaming/",
          "transformations/lowering/", "plugins/cpu/passes/"}) {
        std::string text = effect_in(kRoot + folder + "passes.hpp", pass);
        if (!text.empty()) return text;
        std::ifstream header(kRoot + folder + pass + ".hpp");
        std::string line;
        while (std::getline(header, line) && line.starts_with("//")) text += line.substr(2);
        if (!text.empty()) return text.substr(1);
    }
    return {};
}

// The words in lines that fit a document; all but the first one are indented.
std::string wrapped(const std::string& text) {
    constexpr std::size_t kColumns = 138;
    std::istringstream words(text);
    std::string all, line, word;
    while (words >> word) {
        if (line.size() + 1 + word.size() > kColumns) {
            all += line + "\n";
            line = " ";
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return all + line + "\n";
}

std::string listed(std::span<const passes::PassEntry> list) {
    std::string text;
    for (const auto& pass : list) {
        std::string name = pass.name;
        // The same pass again, after those that lower.
        if (const auto at = name.find("_lowered"); at != std::string::npos) {
            name = name.substr(0, at) + "_constants";
        }
        EXPECT_NE(effect_of(name), "") << name << " is declared in no header";
        text += wrapped("- `" + std::string(pass.name) + "`: " + effect_of(name) +
                        " Its place: " + pass.why + ".");
    }
    return text;
}

// A row for each portable pass, in the order of the list.
std::string table_of_forms() {
    std::string text = "| pass | leaves | accepts |\n|---|---|---|\n";
    const auto forms = passes::portable_forms();
    const auto names = passes::portable_pass_names();
    EXPECT_EQ(forms.size(), names.size());
    for (std::size_t i = 0; i < std::min(forms.size(), names.size()); ++i) {
        EXPECT_EQ(forms[i].pass, names[i]) << "the forms stand in another order, or one is missing";
        text += "| `" + names[i] + "` | " + forms[i].leaves + " | " + forms[i].accepts + " |\n";
    }
    return text;
}

// The first and the last position between the marks.
std::pair<std::size_t, std::size_t> marked(const std::string& text, const std::string& mark) {
    const std::string open = "<!-- " + mark + ": begin -->\n";
    const std::size_t begin = text.find(open);
    const std::size_t end = text.find("<!-- " + mark + ": end -->\n");
    if (begin == std::string::npos || end == std::string::npos) {
        ADD_FAILURE() << kPage << ": " << mark;
        return {0, 0};
    }
    return {begin + open.size(), end};
}

void expect_text(const std::string& mark, const std::string& expected) {
    const std::string text = read_file(kPage);
    const auto [from, end] = marked(text, mark);
    if (end == 0) return;
    if (env("RONDO_UPDATE_DOCS")) {
        std::ofstream(kPage) << text.substr(0, from) << expected << text.substr(end);
        return;
    }
    EXPECT_EQ(text.substr(from, end - from), expected)
        << "run this test with RONDO_UPDATE_DOCS=1 and look at the difference";
}

void expect_list(const std::string& mark, std::span<const passes::PassEntry> list) {
    expect_text(mark, listed(list));
}

TEST(PassesDoc, HoldsThePortablePasses) { expect_list("portable", passes::portable_passes()); }

// The names in the picture, which have an underscore, in the order of the list.
TEST(PassesDoc, DrawsThePortablePasses) {
    const std::string text = read_file(kPage);
    const auto [from, end] = marked(text, "picture");
    std::istringstream words(text.substr(from, end - from));
    std::vector<std::string> names;
    for (std::string word; words >> word;) {
        if (word.find('_') != std::string::npos) names.push_back(word);
    }
    EXPECT_EQ(names, passes::portable_pass_names());
}

TEST(PassesDoc, HoldsTheFormsOfThePortablePasses) { expect_text("forms", table_of_forms()); }

TEST(PassesDoc, HoldsThePassesForOpenvino) {
    expect_list("openvino", passes::passes_for_openvino());
}

TEST(PassesDoc, HoldsThePassesOfTheCpu) { expect_list("cpu", cpu::cpu_passes()); }

}  // namespace
}  // namespace rondo::test::passes_doc_test
