#include "core/graph/printer.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"

namespace rondo::printer_test {
namespace {

// x -> Split -> second part -> r
std::shared_ptr<Graph> split_graph() {
    const auto x = make_node<ops::Parameter>(ElementType::f32, PartialShape::parse("?,4"));
    x->set_name("x");
    x->output(0).add_names({"in", "also_in"});
    const auto axis = ops::make_i64_scalar(1, "axis");
    const auto split = make_node<ops::Split>(x, axis, 2);
    split->set_name("split");
    const auto r = make_node<ops::Result>(split->output(1));
    r->set_name("r");
    return std::make_shared<Graph>("g", std::vector<NodePtr>{x}, std::vector<NodePtr>{r});
}

TEST(Printer, PrintsALineANode) {
    EXPECT_EQ(to_text(*split_graph()),
              "graph 'g'\n"
              "%0 'x' : f32[?,4] 'also_in' 'in' = Parameter-opset1()"
              " {shape=?,4, element_type=f32}\n"
              "%1 'axis' : i64[] = Const-opset1() {element_type=i64, shape=}\n"
              "%2 'split' : f32[?,2], f32[?,2] = Split-opset1(%0, %1) {num_splits=2}\n"
              "%3 'r' : f32[?,2] = Result-opset1(%2.1)\n");
}

TEST(Printer, TellsGraphsApart) {
    const auto graph = split_graph();
    const std::string before = to_text(*graph);
    EXPECT_EQ(to_text(*graph->clone()), before);
    const auto r = graph->results()[0];
    r->set_input(0, r->input(0).node().output(0));
    EXPECT_NE(to_text(*graph), before);
}

TEST(Printer, ListsAttributes) {
    const ops::Parameter node(ElementType::i8, PartialShape());
    EXPECT_EQ(attributes_of(node), (std::vector<std::pair<std::string, std::string>>{
                                       {"shape", "..."}, {"element_type", "i8"}}));
}

}  // namespace
}  // namespace rondo::printer_test
