#include "rondo/model_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"

namespace rondo::test::model_folder_test {
namespace {

namespace fs = std::filesystem;

class ModelFolder : public testing::Test {
protected:
    ModelFolder() {
        fs::create_directories(folder() / "models/below");
        fs::create_directories(folder() / "blobs");
        for (const auto* file : {"models/m.onnx", "models/below/w.bin", "blobs/m", "blobs/w"}) {
            std::ofstream(folder() / file) << file;
        }
        fs::create_symlink("../blobs/m", folder() / "models/linked.onnx");
        fs::create_symlink("../blobs/w", folder() / "models/linked.bin");
    }

    fs::path folder() const { return fs::path(folder_.path()); }
    std::string at(const std::string& model, const std::string& location) const {
        return path_in_model_folder((folder() / "models" / model).string(), location, "the data");
    }
    void expect_refused(const std::string& model, const std::string& location,
                        const std::string& text) const {
        expect_error<ModelError>([&] { at(model, location); }, text);
    }

    TemporaryFolder folder_;
};

TEST_F(ModelFolder, HoldsTheFilesOfItsModels) {
    EXPECT_EQ(at("m.onnx", "below/w.bin"), (folder() / "models/below/w.bin").string());
    EXPECT_EQ(at("m.onnx", "./none.bin"), (folder() / "models/./none.bin").string());
    EXPECT_EQ(path_in_model_folder("m.onnx", "w.bin", "the data"), "w.bin");
}

TEST_F(ModelFolder, IsNotLeft) {
    const std::string expected = "expected a path inside the model's folder";
    expect_refused("m.onnx", "../blobs/w", "the data lies at '../blobs/w'; " + expected);
    expect_refused("m.onnx", "below/../../blobs/w", expected);
    expect_refused("m.onnx", (folder() / "models/below/w.bin").string(), expected);
    expect_refused("m.onnx", "", expected);
    expect_refused("m.onnx", std::string("a\0b", 3), "the data lies at 'a'; " + expected);
}

TEST_F(ModelFolder, IsNotLeftByLinks) {
    expect_refused("m.onnx", "linked.bin", "is a link to '");
    // Unless the model is one itself.
    EXPECT_EQ(at("linked.onnx", "linked.bin"), (folder() / "models/linked.bin").string());
}

}  // namespace
}  // namespace rondo::test::model_folder_test
