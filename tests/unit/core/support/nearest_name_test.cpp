#include "rondo/nearest_name.hpp"

#include <gtest/gtest.h>

namespace rondo::nearest_name_test {
namespace {

const std::vector<std::string> kCommands = {"compile", "run", "benchmark", "compare", "info"};

TEST(NearestName, FindsTypingMistakes) {
    EXPECT_EQ(nearest_name("benchmrak", kCommands), "benchmark");
    EXPECT_EQ(nearest_name("benchmar", kCommands), "benchmark");
    EXPECT_EQ(nearest_name("compiile", kCommands), "compile");
    EXPECT_EQ(nearest_name("cmopare", kCommands), "compare");
    EXPECT_EQ(nearest_name("INFO", kCommands), "info");
    EXPECT_EQ(nearest_name("Run", kCommands), "run");
}

TEST(NearestName, TheLeastDistanceWinsThenTheFirst) {
    EXPECT_EQ(nearest_name("x2", {"x10", "x3", "x2 "}), "");
    EXPECT_EQ(nearest_name("input2", {"inputs", "input_2", "input 2"}), "inputs");
    EXPECT_EQ(nearest_name("state_in", {"state_out", "statein", "state"}), "statein");
}

TEST(NearestName, ANameMayBeAPart) {
    EXPECT_EQ(nearest_name("lstm", {"/encoder/a/LSTM_1", "/encoder/LSTM", "x"}), "/encoder/LSTM");
    EXPECT_EQ(nearest_name("STREAMS", {"PERF_COUNT", "NUM_STREAMS"}), "NUM_STREAMS");
    EXPECT_EQ(nearest_name("ls", {"/encoder/LSTM"}), "");
}

TEST(NearestName, SomeHaveNone) {
    EXPECT_EQ(nearest_name("frobnicate", kCommands), "");
    EXPECT_EQ(nearest_name("", kCommands), "");
    EXPECT_EQ(nearest_name("", {""}), "");
    EXPECT_EQ(nearest_name("a", {}), "");
    EXPECT_EQ(nearest_name("x", {"y"}), "");
    EXPECT_EQ(nearest_name("GPU", {"CPU", "REFERENCE"}), "");
    EXPECT_EQ(nearest_name(std::string(1000, 'a'), {std::string(1001, 'a') + "b"}),
              std::string(1001, 'a') + "b");
    EXPECT_EQ(nearest_name(std::string(1000, 'a') + "c", {std::string(1000, 'a') + "b"}), "");
}

TEST(KnownNames, SaysWhichWasMeantAndAll) {
    EXPECT_EQ(known_names("b", {"a", "c"}), "there are: 'a', 'c'");
    EXPECT_EQ(known_names("pixel", {"pixels", "h"}),
              "did you mean 'pixels'? There are: 'pixels', 'h'");
    EXPECT_EQ(known_names("b", {}), "there are: none");
}

TEST(KnownInputs, SaysWhatBecameOfAnInputThatIsAConstant) {
    EXPECT_EQ(known_inputs("b", {"a", "c"}, {"d"}), "there are: 'a', 'c'");
    EXPECT_EQ(known_inputs("d", {"a", "c"}, {"b", "d"}),
              "it has an initializer, so that reading made it a constant; read the model with "
              "KEEP_INPUTS=YES (rondo: --keep-inputs) to keep it an input; there are: 'a', 'c'");
}

}  // namespace
}  // namespace rondo::nearest_name_test
