// OpenVINO's passes that make models stateful, for rondo/openvino.hpp.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rondo/openvino/model.hpp"

namespace rondo::ov::pass {

/// States of recurrent layers and loops become variables.
class LowLatency2 {
public:
    explicit LowLatency2(bool use_const_initializer = true)
        : use_const_initializer_(use_const_initializer) {}
    void run(const std::shared_ptr<Model>& model) const {
        model->native().apply_low_latency(use_const_initializer_);
    }

private:
    bool use_const_initializer_;
};

/// Pairs of an input and the output that is its next value become variables.
class MakeStateful {
public:
    explicit MakeStateful(const std::map<std::string, std::string>& pairs)
        : pairs_(pairs.begin(), pairs.end()) {}
    void run(const std::shared_ptr<Model>& model) const { model->native().make_stateful(pairs_); }

private:
    std::vector<std::pair<std::string, std::string>> pairs_;
};

class Serialize {
public:
    explicit Serialize(std::filesystem::path xml, std::filesystem::path bin = {})
        : xml_((std::move)(xml)), bin_((std::move)(bin)) {}
    void run(const std::shared_ptr<Model>& model) const { serialize(model, xml_, bin_); }

private:
    std::filesystem::path xml_;
    std::filesystem::path bin_;
};

/// Runs these passes in the order in which they were registered; Rondo's own run when a model is
/// compiled.
class Manager {
public:
    template <typename Pass, typename... Args>
    void register_pass(Args&&... args) {
        passes_.push_back([pass = Pass(std::forward<Args>(args)...)](
                              const std::shared_ptr<Model>& model) { pass.run(model); });
    }
    void run_passes(const std::shared_ptr<Model>& model) const {
        checked(model);
        for (const auto& pass : passes_) pass(model);
    }

private:
    std::vector<std::function<void(const std::shared_ptr<Model>&)>> passes_;
};

}  // namespace rondo::ov::pass
