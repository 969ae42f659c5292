// A server of ours for the Triton backend: the test program has the server's functions, and opens
// the backend as the server does.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "bindings/triton/triton_api.hpp"

struct TRITONBACKEND_Backend {
    void* state = nullptr;
};

namespace rondo::test::triton {

using SequenceId = std::variant<std::uint64_t, std::string>;

/// A tensor on its way from or to a client.
struct Data {
    TRITONSERVER_DataType type = TRITONSERVER_TYPE_FP32;
    std::vector<std::int64_t> shape;
    std::string bytes;
};

/// f32 with these values.
Data data_of(std::vector<std::int64_t> shape, const std::vector<float>& values);
std::vector<float> values_of(const Data& data);

/// What becomes of a request. Waiting for it ends the test after a minute.
class Answer {
public:
    /// Returns when the request was released.
    void wait() const;
    bool is_released() const;
    /// The message of the error; empty if there is none.
    std::string error() const;
    TRITONSERVER_Error_Code code() const;
    /// Fails the test if it isn't there.
    Data output(const std::string& name) const;
    std::vector<float> values(const std::string& name) const { return values_of(output(name)); }
    std::size_t output_count() const;
    int responses() const;
    /// How many requests were answered before, in the whole program.
    int order() const;

    // The server's half.
    void respond(std::map<std::string, Data> outputs, TRITONSERVER_Error* error);
    void release();

private:
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::map<std::string, Data> outputs_;
    std::string message_;
    TRITONSERVER_Error_Code code_ = TRITONSERVER_ERROR_UNKNOWN;
    int responses_ = 0;
    int order_ = -1;
    bool is_released_ = false;
};
using AnswerPtr = std::shared_ptr<Answer>;

/// A request as a client makes it.
struct Ask {
    SequenceId id = std::uint64_t{0};
    std::uint32_t flags = 0;
    std::map<std::string, Data> inputs;
    std::vector<std::string> outputs;
    std::uint64_t timeout = 0;
    std::uint64_t priority = 0;
    std::size_t pieces = 1;  ///< each input lies in so many buffers
    std::size_t offset = 0;  ///< and so many bytes past an aligned address
    TRITONSERVER_MemoryType memory = TRITONSERVER_MEMORY_CPU;
    std::shared_ptr<std::atomic<bool>> cancelled = std::make_shared<std::atomic<bool>>(false);
};

/// What the server has seen of a model's statistics.
struct Statistics {
    std::uint64_t succeeded = 0;
    std::uint64_t failed = 0;
    std::uint64_t batches = 0;
    std::uint64_t rows = 0;  ///< of those batches
    bool times_ascend = true;
};

/// The backend, opened and initialized; all tests share it.
class StubServer {
public:
    static StubServer& get();
    StubServer(const StubServer&) = delete;
    StubServer& operator=(const StubServer&) = delete;

    template <typename Function>
    Function* find(const char* name) const {
        return reinterpret_cast<Function*>(find_symbol(name));
    }

    TRITONBACKEND_Backend* backend() const { return backend_.get(); }

    /// Objects of the API that exist: errors, messages, requests, responses, metrics.
    static long long live_objects();
    /// A metric's value by its name and its model; NaN if there is none.
    static double metric(const std::string& name, const std::string& model);
    /// The lines of the log, from the beginning of the program.
    static std::string log();
    /// The preferred instance group: its kind and count.
    static std::pair<TRITONSERVER_InstanceGroupKind, std::uint64_t> preferred_group();

private:
    StubServer();
    ~StubServer();
    void* find_symbol(const char* name) const;

    void* library_ = nullptr;
    std::unique_ptr<TRITONBACKEND_Backend> backend_;
};

/// How a model is loaded.
struct ModelPlan {
    std::string config = "{}";  ///< as the server gives it: JSON
    bool completes = true;
    std::uint64_t version = 1;
    int instances = 1;
    TRITONSERVER_InstanceGroupKind kind = TRITONSERVER_INSTANCEGROUPKIND_CPU;
};

/// A model with its instances; unloads it at its end.
class StubModel {
public:
    /// `folder` holds a folder for each version. If loading fails, error() says why.
    StubModel(const std::string& name, const std::string& folder, const ModelPlan& plan = {});
    ~StubModel();
    StubModel(const StubModel&) = delete;
    StubModel& operator=(const StubModel&) = delete;

    /// Empty if it was loaded.
    const std::string& error() const { return error_; }
    TRITONSERVER_Error_Code code() const { return code_; }
    /// As the backend has completed it.
    std::string config() const;
    Statistics statistics() const;

    /// Hands requests over as one batch, one batch at a time.
    std::vector<AnswerPtr> execute(const std::vector<Ask>& asks);
    AnswerPtr execute(const Ask& ask) { return execute(std::vector{ask}).front(); }
    /// The same, and waits.
    AnswerPtr infer(const Ask& ask);

private:
    void fail(TRITONSERVER_Error* error);

    std::mutex mutex_;
    std::unique_ptr<TRITONBACKEND_Model> model_;
    std::vector<std::unique_ptr<TRITONBACKEND_ModelInstance>> instances_;
    std::string error_;
    TRITONSERVER_Error_Code code_ = TRITONSERVER_ERROR_UNKNOWN;
};

}  // namespace rondo::test::triton

struct TRITONBACKEND_Model {
    std::string name;
    std::string folder;
    std::string config;
    std::uint64_t version = 1;
    bool completes = true;
    void* state = nullptr;
};

struct TRITONBACKEND_ModelInstance {
    TRITONBACKEND_Model* model = nullptr;
    TRITONSERVER_InstanceGroupKind kind = TRITONSERVER_INSTANCEGROUPKIND_CPU;
    void* state = nullptr;
    mutable std::mutex mutex = {};
    rondo::test::triton::Statistics statistics = {};
};
