// Models for the tests of the Triton backend, in folders as the server's repository has them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rondo/core.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/unit/bindings/triton/stub_server.hpp"

namespace rondo::test::triton {

/// A model's folder, which holds one for version 1.
class ModelFolder {
public:
    ModelFolder();
    /// docs/examples/streaming/detector.xml as model.xml: audio [1,?,16], h and c [1,1,24] ->
    /// score [1,?,1], h_out, c_out.
    static ModelFolder with_detector();
    /// A model as model.xml.
    static ModelFolder with(const Model& model);

    const std::string& path() const { return folder_->path(); }
    std::string version() const { return path() + "/1"; }

private:
    std::unique_ptr<TemporaryFolder> folder_ = std::make_unique<TemporaryFolder>();
};

/// The `parameters` of a configuration as the server gives them.
std::string config_with(const std::vector<std::pair<std::string, std::string>>& parameters,
                        const std::string& others = "");

/// row i64[?,1] -> y f32[?,1,4], rows of a table of 16: a row past it is an error of the inference.
Model table_model();
/// x f32[?,3], s f32[?,3], scale f32[] -> y = 2 * s_out and s_out = s * scale + x.
Model decay_model();

/// Frames of the detector's audio [1,count,16], by a seed.
std::vector<float> frames(std::size_t count, std::uint32_t seed);

/// The detector's scores of a sequence alone, through the library.
class Alone {
public:
    Alone();
    std::vector<float> score(const std::vector<float>& audio);
    void reset() { request_.reset_state(); }

private:
    InferRequest request_;
};

/// A step of the detector.
Ask step_of(const SequenceId& id, const std::vector<float>& audio, std::uint32_t flags = 0);

constexpr std::uint32_t kStart = TRITONSERVER_REQUEST_FLAG_SEQUENCE_START;
constexpr std::uint32_t kEnd = TRITONSERVER_REQUEST_FLAG_SEQUENCE_END;

}  // namespace rondo::test::triton
