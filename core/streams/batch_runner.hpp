// Runs steps of several streams as one inference: rows in, inference, rows out.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/runtime/compiled_model_impl.hpp"
#include "core/runtime/growable_tensor.hpp"
#include "core/streams/pool_settings.hpp"
#include "core/streams/state_store.hpp"
#include "core/streams/step.hpp"

namespace rondo {

/// For one thread at a time. Runs that have the same shapes as earlier ones allocate nothing.
class BatchRunner {
public:
    /// Both must outlive this object. Throws what making an executor throws.
    BatchRunner(const PoolSettings& settings, StateStore& states);
    ~BatchRunner();
    BatchRunner(const BatchRunner&) = delete;
    BatchRunner& operator=(const BatchRunner&) = delete;

    /// True if both may be rows of one batch.
    bool may_share_batch(const StreamStep::Impl& a, const StreamStep::Impl& b) const;

    /// Runs one step of each of several streams, and leaves outputs and states with them. Steps of
    /// several lengths run in parts: first what all have, then what is left of the longer ones.
    /// Throws what an inference throws; then no state has changed.
    void run(std::span<StreamStep::Impl* const> steps, const std::atomic<bool>& cancelled);

private:
    using Steps = std::span<StreamStep::Impl* const>;
    /// A part of the time of some steps; a length of 0 means all of it.
    struct Part {
        Steps steps;
        std::size_t rows;
        std::size_t begin = 0;
        std::size_t length = 0;
    };

    std::size_t length_of(const StreamStep::Impl& step) const;
    bool have_one_length(Steps steps) const;
    void run_in_parts(Steps steps, const std::atomic<bool>& cancelled);
    void run_part(const Part& part, const std::atomic<bool>& cancelled);
    const Tensor& join_inputs(std::size_t input, const Part& part);
    void join_parts(std::size_t input, const Part& part, Tensor& batch) const;
    void cut_output(std::size_t output, const Part& part);
    void cut_parts(std::size_t output, const Part& part, std::size_t time);
    void keep_states(Steps steps);
    void restore_states(Steps steps);

    const PoolSettings& settings_;
    StateStore& states_;
    std::unique_ptr<Executor> executor_;
    std::vector<GrowableTensor> batches_;  // an input each
    std::vector<Tensor> inputs_;           // of the inference
    std::vector<Tensor> outputs_;
    std::vector<StreamState*> step_states_;
    std::vector<StreamStep::Impl*> by_length_;
    std::vector<StreamState> kept_;  // the states before steps that run in parts
    Shape shape_;
};

}  // namespace rondo
