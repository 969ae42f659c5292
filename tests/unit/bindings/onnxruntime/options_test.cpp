// Options of a session.
#include "bindings/onnxruntime/src/options.hpp"

#include <gmock/gmock.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::test::onnxruntime_options_test {
namespace {

ort::Options read(const std::string& key, const std::string& value) {
    return ort::read_options({{"ep.rondoexecutionprovider." + key, value}});
}

TEST(OnnxruntimeOptions, BecomeProperties) {
    EXPECT_EQ(read("num_threads", "3").properties.at("INFERENCE_NUM_THREADS"), "3");
    EXPECT_EQ(read("streams", "2").properties.at("NUM_STREAMS"), "2");
    EXPECT_EQ(read("precision", "bf16").properties.at("INFERENCE_PRECISION_HINT"), "bf16");
    EXPECT_EQ(read("cache_dir", "/tmp/x").properties.at("CACHE_DIR"), "/tmp/x");
    EXPECT_EQ(read("partition", "whole").partition, ort::Partition::whole);
    EXPECT_EQ(read("partition", "auto").partition, ort::Partition::automatic);
    EXPECT_EQ(read("partition", "recurrent").partition, ort::Partition::recurrent);
    EXPECT_EQ(read("partition", "none").partition, ort::Partition::none);
}

TEST(OnnxruntimeOptions, LeaveWhatBelongsToOthers) {
    const auto options = ort::read_options(
        {{"session.intra_op.allow_spinning", "0"}, {"ep.other.partition", "sometimes"}});
    EXPECT_TRUE(options.properties.empty());
    EXPECT_EQ(options.partition, ort::Partition::automatic);
}

TEST(OnnxruntimeOptions, AreOnnxruntimesOwnForCompiledModels) {
    const auto none = ort::read_options({{"ep.context_enable", "0"}}).context;
    EXPECT_FALSE(none.is_written);
    EXPECT_FALSE(none.embeds);
    const auto all = ort::read_options({{"ep.context_enable", "1"},
                                        {"ep.context_embed_mode", "1"},
                                        {"ep.context_file_path", "a/b.onnx"},
                                        {"ep.context_node_name_prefix", "first_"}});
    EXPECT_TRUE(all.context.is_written);
    EXPECT_TRUE(all.context.embeds);
    EXPECT_EQ(all.context.model_path, "a/b.onnx");
    EXPECT_EQ(all.context.prefix, "first_");
    EXPECT_TRUE(all.properties.empty());
}

TEST(OnnxruntimeOptions, RefuseWhatIsUnknown) {
    expect_error<ModelError>([] { read("threads", "3"); },
                             "unknown option 'threads'; did you mean 'num_threads'? There are: "
                             "'cache_dir', 'num_threads', 'partition', 'precision', 'streams'");
    expect_error<ModelError>([] { read("num_threads", "-1"); },
                             "option 'num_threads' is '-1'; expected a number from 0");
    expect_error<ModelError>([] { read("num_threads", ""); }, "expected a number from 0");
    expect_error<ModelError>([] { read("streams", "12345678"); }, "expected a number from 0");
    expect_error<ModelError>([] { read("precision", "f16"); }, "expected f32 or bf16");
    expect_error<ModelError>([] { read("num_threads", "1025"); }, "up to 1024");
    expect_error<ModelError>([] { read("streams", "5000"); }, "'5000'");
    expect_error<ModelError>([] { read("cache_dir", "/proc/none"); },
                             "option 'cache_dir' is '/proc/none'; expected a folder that is or");
    expect_error<ModelError>([] { read("partition", "some"); },
                             "expected auto, whole, recurrent or none");
}

}  // namespace
}  // namespace rondo::test::onnxruntime_options_test
