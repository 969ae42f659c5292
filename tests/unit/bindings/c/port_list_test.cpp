#include "bindings/c/port_list.hpp"

#include "tests/unit/bindings/c/c_api.hpp"

namespace rondo::test::port_list_test {
namespace {

using PortListHandle = std::unique_ptr<rondo_port_list_t, Freer<rondo_port_list_free>>;

PortListHandle list_of(const std::vector<PortInfo>& ports) {
    return PortListHandle(c::port_list(ports));
}

TEST(CPortList, ShowsEveryField) {
    const auto list = list_of({{{"a", "b"}, ElementType::i64, PartialShape::parse("[2,?,3..5]")}});
    ASSERT_EQ(rondo_port_list_size(list.get()), 1u);
    const rondo_port_info_t* port = rondo_port_list_at(list.get(), 0);
    EXPECT_STREQ(port->name, "a");
    ASSERT_EQ(port->name_count, 2u);
    EXPECT_STREQ(port->names[1], "b");
    EXPECT_EQ(port->element_type, RONDO_I64);
    ASSERT_EQ(port->rank, 3);
    EXPECT_EQ(port->min[0], 2);
    EXPECT_EQ(port->max[0], 2);
    EXPECT_EQ(port->min[1], 0);
    EXPECT_EQ(port->max[1], RONDO_INFINITY);
    EXPECT_EQ(port->min[2], 3);
    EXPECT_EQ(port->max[2], 5);
    EXPECT_STREQ(port->shape, "[2,?,3..5]");
}

TEST(CPortList, ShowsScalarsUnknownRanksAndNoNames) {
    const auto list = list_of({{{}, ElementType::f32, PartialShape::parse("[]")},
                               {{"x"}, ElementType::dynamic, PartialShape()}});
    EXPECT_STREQ(rondo_port_list_at(list.get(), 0)->name, "");
    EXPECT_EQ(rondo_port_list_at(list.get(), 0)->rank, 0);
    EXPECT_EQ(rondo_port_list_at(list.get(), 1)->rank, -1);
    EXPECT_EQ(rondo_port_list_at(list.get(), 1)->element_type, RONDO_DYNAMIC);
}

// Entries point into themselves, so they must not move when the list grows.
TEST(CPortList, EntriesStayValid) {
    std::vector<PortInfo> ports;
    for (int i = 0; i < 1000; ++i) {
        ports.push_back({{std::string("p") + std::to_string(i)}, ElementType::f32, {Shape{1}}});
    }
    const auto list = list_of(ports);
    for (std::size_t i = 0; i < ports.size(); ++i) {
        EXPECT_EQ(rondo_port_list_at(list.get(), i)->name, ports[i].names[0]);
        EXPECT_STREQ(rondo_port_list_at(list.get(), i)->shape, "[1]");
    }
    EXPECT_EQ(rondo_port_list_at(list.get(), ports.size()), nullptr);
}

TEST(CPortList, FindsAPortByAnyName) {
    const std::vector<PortInfo> ports = {{{"x"}, ElementType::f32, {Shape{1}}},
                                         {{"h", "state"}, ElementType::f32, {Shape{1}}}};
    EXPECT_EQ(c::index_of(ports, "x"), 0u);
    EXPECT_EQ(c::index_of(ports, "state"), 1u);
}

}  // namespace
}  // namespace rondo::test::port_list_test
