#include "frontend/onnx/messages/opset_imports.hpp"

#include <gtest/gtest.h>
#include <rondo_onnx.pb.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::onnx::opset_imports_test {
namespace {

using test::expect_error;

void import(rondo_onnx::ModelProto& model, const std::string& domain, std::int64_t version) {
    auto& one = *model.add_opset_import();
    one.set_domain(domain);
    one.set_version(version);
}

TEST(OnnxOpsetImports, KnowsVersionsByDomain) {
    rondo_onnx::ModelProto model;
    import(model, "", 13);
    import(model, "com.microsoft", 1);
    const OpsetImports opsets(model);
    EXPECT_EQ(opsets.version(""), 13);
    EXPECT_EQ(opsets.version("ai.onnx"), 13);
    EXPECT_EQ(opsets.version("com.microsoft"), 1);
    EXPECT_FALSE(opsets.version("ai.onnx.ml"));
}

TEST(OnnxOpsetImports, TakesBothSpellingsOfTheDefaultDomain) {
    rondo_onnx::ModelProto model;
    import(model, "ai.onnx", 13);
    import(model, "", 13);
    EXPECT_EQ(OpsetImports(model).version(""), 13);
}

// Files of the first two versions of the format have no imports.
TEST(OnnxOpsetImports, ImpliesOpsetOneInOldFiles) {
    rondo_onnx::ModelProto model;
    model.set_ir_version(2);
    EXPECT_EQ(OpsetImports(model).version(""), 1);
    import(model, "", 4);
    EXPECT_EQ(OpsetImports(model).version(""), 4);
}

TEST(OnnxOpsetImports, RefusesNoneAndBadOnes) {
    rondo_onnx::ModelProto model;
    expect_error<ModelError>([&] { OpsetImports opsets(model); }, "the model has no opset_import");
    model.set_ir_version(3);
    expect_error<ModelError>([&] { OpsetImports opsets(model); }, "the model has no opset_import");
    import(model, "", 0);
    expect_error<ModelError>([&] { OpsetImports opsets(model); },
                             "opset_import of 'ai.onnx' has version 0; expected 1 or more");
}

TEST(OnnxOpsetImports, RefusesTwoVersionsOfADomain) {
    rondo_onnx::ModelProto model;
    import(model, "", 11);
    import(model, "ai.onnx", 12);
    expect_error<ModelError>([&] { OpsetImports opsets(model); },
                             "opset_import has the domain 'ai.onnx' with versions 11 and 12");
}

TEST(OnnxOpsetImports, RefusesWhatIsNewerThanItsAuthors) {
    rondo_onnx::ModelProto model;
    import(model, "", kNewestOpset);
    EXPECT_EQ(OpsetImports(model).version(""), kNewestOpset);
    model.mutable_opset_import(0)->set_version(kNewestOpset + 1);
    expect_error<UnsupportedError>(
        [&] { OpsetImports opsets(model); },
        "the model is written in opset 29; expected at most 28: export it with an older");
}

}  // namespace
}  // namespace rondo::onnx::opset_imports_test
