// Models that hold compiled parts, as EPContext nodes.
#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "bindings/onnxruntime/src/compatibility.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/unit/bindings/onnxruntime/models.hpp"
#include "tests/unit/bindings/onnxruntime/stub/host_session.hpp"

namespace rondo::test::onnxruntime_context_test {
namespace {

namespace fs = std::filesystem;

using ort::HostSession;
using ort::SessionError;
using testing::ElementsAre;
using testing::HasSubstr;

const std::map<std::string, std::string> kEmbedded{{"ep.context_enable", "1"},
                                                   {"ep.context_embed_mode", "1"}};

class OnnxruntimeContext : public testing::Test {
protected:
    void SetUp() override { ort::host_state() = {}; }
    void TearDown() override {
        EXPECT_EQ(ort::host_state().attributes, 0);
        ort::host_state() = {};
    }

    // The options of a session that writes into the folder, and of one that reads from there.
    std::map<std::string, std::string> beside(bool is_written = true) const {
        return {{"ep.context_enable", is_written ? "1" : "0"},
                {"ep.context_file_path", folder / "model_ctx.onnx"}};
    }

    TemporaryFolder folder;
};

std::string& attribute(ModelBuilder& model, const std::string& name) {
    for (auto& one : *model.graph().mutable_node(0)->mutable_attribute()) {
        if (one.name() == name) return *one.mutable_s();
    }
    throw SessionError("no attribute " + name);
}

void set_number(ModelBuilder& model, const std::string& name, std::int64_t value) {
    for (auto& one : *model.graph().mutable_node(0)->mutable_attribute()) {
        if (one.name() == name) one.set_i(value);
    }
}

// The session fails, and the plugin has logged this of the node.
void expect_refused(const ModelBuilder& model, const std::string& text,
                    const std::map<std::string, std::string>& options = {}) {
    ort::host_state().log.clear();
    EXPECT_THROW(HostSession(model, options), SessionError) << text;
    EXPECT_THAT(ort::host_state().log, testing::Contains(HasSubstr(text)));
    EXPECT_THAT(ort::host_state().log, testing::Contains(HasSubstr("(EPContext): ")));
}

TEST_F(OnnxruntimeContext, HoldsAWholeGraph) {
    for (const bool ends_texts : {true, false}) {
        ort::host_state().ends_texts = ends_texts;
        const HostSession writer(lstm_model(), kEmbedded);
        EXPECT_EQ(writer.compatibility(), ort::compatibility_text());
        auto model = writer.context_model();
        ASSERT_EQ(model.graph().node_size(), 1);
        EXPECT_EQ(model.graph().node(0).op_type(), "EPContext");
        EXPECT_EQ(model.graph().node(0).domain(), "com.microsoft");
        EXPECT_EQ(attribute(model, "source"), "RondoExecutionProvider");
        for (const auto* partition : {"auto", "whole", "none"}) {
            const HostSession session(model, {{"partition", partition}});
            EXPECT_THAT(session.operators(), ElementsAre("Rondo"));
            const Tensors inputs{{"x", sequence(5, 2)}};
            for (const auto* one : {&writer, &session}) {
                expect_same(one->run(inputs).at("out"), run_alone(lstm_model(), inputs).at("out"));
            }
            EXPECT_EQ(session.compatibility(), "");
        }
    }
}

TEST_F(OnnxruntimeContext, HoldsPartsInOneFile) {
    const HostSession writer(divided_model(), beside());
    auto model = writer.context_model();
    EXPECT_EQ(attribute(model, "ep_cache_context"), "model_ctx_rondo.bin");
    const HostSession session(model, beside(false));
    EXPECT_THAT(session.operators(), ElementsAre("Rondo", "Twice", "Rondo"));
    const Tensors inputs{{"x", sequence(4, 2)}};
    expect_same(session.run(inputs).at("out"), writer.run(inputs).at("out"));
    fs::rename(folder / "model_ctx_rondo.bin", folder / "gone");
    expect_refused(model, "model_ctx_rondo.bin", beside(false));
}

TEST_F(OnnxruntimeContext, IsFoundBesideItsModel) {
    ort::host_state().model_path = folder / "first.model.onnx";
    auto model = HostSession(lstm_model(), {{"ep.context_enable", "1"}}).context_model();
    EXPECT_EQ(attribute(model, "ep_cache_context"), "first.model_ctx_rondo.bin");
    ort::host_state().model_path = folder / "first.model_ctx.onnx";
    EXPECT_THAT(HostSession(model).operators(), ElementsAre("Rondo"));
    ort::host_state().model_path = "";
    expect_refused(model, "set ep.context_file_path to the path that the model has");
}

TEST_F(OnnxruntimeContext, IsWrittenFromOneAgain) {
    const auto first = HostSession(lstm_model(), kEmbedded).context_model();
    const auto second = HostSession(first, kEmbedded).context_model();
    const Tensors inputs{{"x", sequence(3, 1)}};
    expect_same(HostSession(second).run(inputs).at("out"),
                run_alone(lstm_model(), inputs).at("out"));
}

TEST_F(OnnxruntimeContext, KeepsPrecisionAndNamesParts) {
    auto options = kEmbedded;
    options["precision"] = "bf16";
    options["ep.context_node_name_prefix"] = "mine_";
    const HostSession writer(lstm_model(), options);
    auto model = writer.context_model();
    EXPECT_THAT(attribute(model, "partition_name"), testing::StartsWith("mine_"));
    const Tensors inputs{{"x", sequence(5, 2)}};
    const auto rounded = HostSession(model).run(inputs).at("out");
    expect_same(rounded, writer.run(inputs).at("out"));
    const auto exact = run_alone(lstm_model(), inputs).at("out");
    EXPECT_NE(std::memcmp(rounded.data(), exact.data(), exact.byte_size()), 0);
}

TEST_F(OnnxruntimeContext, LeavesBodiesAlone) {
    HostSession session(branching_model(false), kEmbedded);
    EXPECT_THAT(session.operators("then_branch"), ElementsAre("LSTM", "Squeeze"));
    EXPECT_TRUE(session.has_logged("compiled parts are in the main graph alone"));
    EXPECT_EQ(session.compatibility(), "");
    EXPECT_THAT(HostSession(branching_model(true), kEmbedded).operators(), ElementsAre("Rondo"));
}

TEST_F(OnnxruntimeContext, LeavesNodesOfOthers) {
    auto model = HostSession(lstm_model(), kEmbedded).context_model();
    attribute(model, "source") = "QNNExecutionProvider";
    EXPECT_THROW(HostSession{model}, SessionError);
    EXPECT_THAT(ort::host_state().log, testing::Not(testing::Contains(HasSubstr("(EPContext): "))));
}

TEST_F(OnnxruntimeContext, RefusesWhatDoesntFit) {
    const auto good = HostSession(lstm_model(), kEmbedded).context_model();
    const auto with = [&](const std::string& name, const std::string& value) {
        auto model = good;
        attribute(model, name) = value;
        return model;
    };
    auto bytes = good;
    attribute(bytes, "ep_cache_context")[200] ^= 1;
    expect_refused(bytes, "these bytes are not from export_model()");
    const auto size = std::to_string(attribute(bytes, "ep_cache_context").size());
    expect_refused(with("notes", "nonsense"), "expected 'inputs ...");
    expect_refused(with("ep_cache_context", "short"), "ep_cache_context has 5 bytes");
    expect_refused(with("notes", "inputs 0; outputs 0; bytes 8 " + size), "from byte 8 on");
    expect_refused(with("notes", "inputs 0 1; outputs 0; bytes 0 " + size), "notes has 2");
    expect_refused(with("notes", "inputs 1; outputs 0; bytes 0 " + size), "notes has port 1");
    auto other = good;
    set_number(other, "main_context", 0);
    expect_refused(other, "main_context is 0");
    other = good;
    other.graph().mutable_node(0)->add_output("second");
    expect_refused(other, "the node has 2 ports");
    other = good;
    other.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(2);
    expect_refused(other, "value 'out' is of another type than the part");
    other = good;
    for (auto& one : *other.graph().mutable_node(0)->mutable_attribute()) {
        if (one.name() == "notes") one.set_name("other");
    }
    expect_refused(other, "attribute 'notes' is missing");
}

TEST_F(OnnxruntimeContext, ReadsNoFileOutsideItsFolder) {
    const auto good = HostSession(lstm_model(), beside()).context_model();
    const TemporaryFolder elsewhere;
    fs::copy(folder / "model_ctx_rondo.bin", elsewhere / "part.bin");
    fs::create_symlink(elsewhere / "part.bin", folder / "link.bin");
    fs::create_directory(folder / "directory");
    std::ofstream(folder / "short.bin") << "x";
    const auto refused = [&](const std::string& location, const std::string& text) {
        auto model = good;
        attribute(model, "ep_cache_context") = location;
        expect_refused(model, text, beside(false));
    };
    refused(elsewhere / "part.bin", "expected a path inside the model's folder");
    refused("../" + fs::path(elsewhere.path()).filename().string() + "/part.bin",
            "expected a path inside the model's folder");
    refused("../../etc/passwd", "the compiled part lies at '../../etc/passwd'");
    refused("", "expected a path inside the model's folder");
    refused(std::string("a\0b", 3), "the compiled part lies at 'a'");
    refused("link.bin", "is a link to");
    refused("directory", "is no regular file");
    refused("nowhere.bin", "is no regular file");
    refused("short.bin", "short.bin' has 1 bytes");
}

TEST_F(OnnxruntimeContext, LeavesNoHalfAFile) {
    for (const auto* function : {"CreateOpAttr", "CreateNode"}) {
        for (const int after : {0, 1, 3}) {
            ort::host_state().faults = {function, after};
            if (function == std::string("CreateNode") && after > 1) continue;
            EXPECT_THROW(HostSession(divided_model(), beside()), SessionError) << function;
            EXPECT_FALSE(fs::exists(folder / "model_ctx_rondo.bin"));
        }
    }
    ort::host_state().faults = {};
}

TEST_F(OnnxruntimeContext, SaysWhatItLacks) {
    const auto reason = [](const std::map<std::string, std::string>& options) -> std::string {
        try {
            const HostSession session(lstm_model(), options);
            return "";
        } catch (const SessionError& error) {
            return error.what();
        }
    };
    EXPECT_THAT(reason({{"ep.context_enable", "1"}}), HasSubstr("read from memory"));
    EXPECT_THAT(
        reason({{"ep.context_enable", "1"}, {"ep.context_file_path", folder / "no/model.onnx"}}),
        HasSubstr("can't write the file"));
    ort::host_state().has_editor = false;
    EXPECT_THAT(reason(kEmbedded), HasSubstr("this onnxruntime makes no models"));
}

}  // namespace
}  // namespace rondo::test::onnxruntime_context_test
