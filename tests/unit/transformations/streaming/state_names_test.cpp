// Tests what names of inputs and outputs say about states.
#include "transformations/streaming/find_state_pairs.hpp"

#include <gtest/gtest.h>

namespace rondo::passes::state_names_test {
namespace {

TEST(StateNames, PortsOfAStateHaveOneStem) {
    for (const char* name : {"h", "h0", "hn", "h_out", "in_h", "prev_h", "h.n", "initial_h", "Y_h",
                             "h_t", "next/h:0", "h:3"}) {
        EXPECT_EQ(stem_of(name), "h") << name;
    }
    EXPECT_EQ(stem_of("stateN"), "state");
    EXPECT_EQ(stem_of("newState"), "state");
    EXPECT_EQ(stem_of("h1_in"), "h1");
    EXPECT_EQ(stem_of("past_key_values.3.key"), stem_of("present_key_values.3.key"));
    EXPECT_NE(stem_of("h1_in"), stem_of("h2_out"));
    EXPECT_NE(stem_of("state_10"), stem_of("state_1"));
    EXPECT_NE(stem_of("h10"), stem_of("h1"));
}

TEST(StateNames, MarksAndNumbersAloneAreNoStem) {
    for (const char* name : {"input", "output", "input_3", "Output.12", "out", "0", "", "35"}) {
        EXPECT_EQ(stem_of(name), "") << name;
    }
}

TEST(StateNames, SomeSoundLikeStates) {
    for (const char* name : {"h", "hn", "c0", "state", "stateN", "rnn_state_2", "conv_cache",
                             "hidden_out", "prev_attn", "past.0", "h12"}) {
        EXPECT_TRUE(sounds_like_state(name)) << name;
    }
    for (const char* name : {"x", "input", "audio_in", "mix", "enh", "memory", "channel", "sr"}) {
        EXPECT_FALSE(sounds_like_state(name)) << name;
    }
}

}  // namespace
}  // namespace rondo::passes::state_names_test
