#include "tools/rondo/drawing.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "rondo/error.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/unit/tools/rondo/branching_model.hpp"
#include "tests/unit/tools/rondo/layer_nodes.hpp"

namespace rondo::tool::drawing_test {
namespace {

TEST(Drawing, GraphvizMakesSvgAndPages) {
    if (!has_graphviz()) GTEST_SKIP() << "needs Graphviz";
    const std::string svg = svg_of(to_dot("m & n", layer_nodes()));
    EXPECT_EQ(svg.find("<svg"), 0u);
    EXPECT_NE(svg.find("m &amp; n"), std::string::npos);
    EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
    const std::string path = test::temporary_path("graph.html");
    draw(path, "m & n", layer_nodes());
    std::ifstream file(path);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    for (const char* part : {"<h1>m &amp; n</h1>", "id='search'", "recurrent layers<",
                             "on an edge its type and shape", "LSTMSequence", "</html>"}) {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
}

TEST(Drawing, PagesExplainFrames) {
    if (!has_graphviz()) GTEST_SKIP() << "needs Graphviz";
    const std::string path = test::temporary_path("frames.html");
    const auto page_of = [&](const std::vector<NodeInfo>& drawn) {
        draw(path, "m", drawn);
        std::ifstream file(path);
        return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    EXPECT_EQ(page_of(layer_nodes()).find("frames: what a node runs"), std::string::npos);
    const std::string page = page_of(branching_model().nodes());
    EXPECT_NE(page.find("frames: what a node runs"), std::string::npos);
    EXPECT_NE(page.find("else_body of choice"), std::string::npos);
}

TEST(Drawing, SaysThatThereIsNoFolderForTemporaryFiles) {
    if (!has_graphviz()) GTEST_SKIP() << "needs Graphviz";
    const test::EnvironmentVariable tmpdir("TMPDIR", "/nowhere");
    test::expect_error<ModelError>([] { svg_of(to_dot("m", layer_nodes())); },
                                   "no folder for temporary files (TMPDIR, else /tmp): No such");
}

TEST(Drawing, RefusesOtherFormats) {
    test::expect_error<ModelError>([] { draw("graph.png", "m", layer_nodes()); },
                                   "must end in .dot, .svg or .html");
    test::expect_error<ModelError>([] { draw("/nowhere/g.dot", "m", layer_nodes()); },
                                   "can't write");
}

}  // namespace
}  // namespace rondo::tool::drawing_test
