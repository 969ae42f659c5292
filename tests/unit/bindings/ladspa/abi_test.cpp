// The declarations of LADSPA's binary interface are those of its header, where that is installed.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <set>

#include "bindings/ladspa/kinds.hpp"
#include "tests/unit/bindings/ladspa/host.hpp"

#if __has_include(<ladspa.h>)
#include <ladspa.h>
#endif

namespace rondo::test::abi_test {
namespace {

TEST(LadspaAbi, IsThatOfTheHeader) {
#if __has_include(<ladspa.h>)
    EXPECT_EQ(sizeof(ladspa::PortRange), sizeof(LADSPA_PortRangeHint));
    EXPECT_EQ(offsetof(ladspa::PortRange, lower), offsetof(LADSPA_PortRangeHint, LowerBound));
    EXPECT_EQ(offsetof(ladspa::PortRange, upper), offsetof(LADSPA_PortRangeHint, UpperBound));
    EXPECT_EQ(sizeof(ladspa::Descriptor), sizeof(LADSPA_Descriptor));
#define EXPECT_PLACE(ours, theirs) \
    EXPECT_EQ(offsetof(ladspa::Descriptor, ours), offsetof(LADSPA_Descriptor, theirs))
    EXPECT_PLACE(id, UniqueID);
    EXPECT_PLACE(label, Label);
    EXPECT_PLACE(properties, Properties);
    EXPECT_PLACE(name, Name);
    EXPECT_PLACE(maker, Maker);
    EXPECT_PLACE(copyright, Copyright);
    EXPECT_PLACE(port_count, PortCount);
    EXPECT_PLACE(ports, PortDescriptors);
    EXPECT_PLACE(port_names, PortNames);
    EXPECT_PLACE(port_ranges, PortRangeHints);
    EXPECT_PLACE(data, ImplementationData);
    EXPECT_PLACE(instantiate, instantiate);
    EXPECT_PLACE(connect_port, connect_port);
    EXPECT_PLACE(activate, activate);
    EXPECT_PLACE(run, run);
    EXPECT_PLACE(run_adding, run_adding);
    EXPECT_PLACE(set_run_adding_gain, set_run_adding_gain);
    EXPECT_PLACE(deactivate, deactivate);
    EXPECT_PLACE(cleanup, cleanup);
#undef EXPECT_PLACE
    EXPECT_EQ(ladspa::kInputPort, LADSPA_PORT_INPUT);
    EXPECT_EQ(ladspa::kOutputPort, LADSPA_PORT_OUTPUT);
    EXPECT_EQ(ladspa::kControlPort, LADSPA_PORT_CONTROL);
    EXPECT_EQ(ladspa::kAudioPort, LADSPA_PORT_AUDIO);
    EXPECT_EQ(ladspa::kBoundedBelow, LADSPA_HINT_BOUNDED_BELOW);
    EXPECT_EQ(ladspa::kBoundedAbove, LADSPA_HINT_BOUNDED_ABOVE);
    EXPECT_EQ(ladspa::kIsInteger, LADSPA_HINT_INTEGER);
    EXPECT_EQ(ladspa::kDefaultIsMaximum, LADSPA_HINT_DEFAULT_MAXIMUM);
#else
    GTEST_SKIP() << "there is no <ladspa.h>: install ladspa-sdk";
#endif
}

TEST(LadspaAbi, DescriptorsAreWhole) {
    std::set<unsigned long> ids;
    for (const ladspa::Kind& kind : ladspa::kinds()) {
        const ladspa::Descriptor& one = find_plugin(kind.label);
        EXPECT_TRUE(ids.insert(one.id).second);
        EXPECT_LT(one.id, 1UL << 24);
        EXPECT_EQ(std::strcspn(one.label, " \t\n"), std::strlen(one.label));
        EXPECT_STREQ(one.name, kind.name);
        EXPECT_NE(one.maker, nullptr);
        EXPECT_NE(one.copyright, nullptr);
        ASSERT_EQ(one.port_count, 4U);
        EXPECT_EQ(one.ports[0], ladspa::kInputPort | ladspa::kAudioPort);
        EXPECT_EQ(one.ports[1], ladspa::kOutputPort | ladspa::kAudioPort);
        EXPECT_EQ(one.ports[2], ladspa::kInputPort | ladspa::kControlPort);
        EXPECT_EQ(one.ports[3], ladspa::kOutputPort | ladspa::kControlPort);
        EXPECT_STREQ(one.port_names[3], "latency");  // by which hosts find it
        EXPECT_NE(one.instantiate, nullptr);
        EXPECT_NE(one.connect_port, nullptr);
        EXPECT_NE(one.run, nullptr);
        EXPECT_NE(one.cleanup, nullptr);
    }
}

}  // namespace
}  // namespace rondo::test::abi_test
