#include "tests/unit/bindings/triton/stub_server.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>

#include "tests/unit/bindings/triton/stub_objects.hpp"

namespace rondo::test::triton {
namespace {

TRITONBACKEND_Request* request_of(const Ask& ask) {
    auto* request = new TRITONBACKEND_Request();
    request->ask = ask;
    for (const auto& [name, data] : ask.inputs) {
        TRITONBACKEND_Input input;
        input.name = name;
        input.data = data;
        input.offset = ask.offset;
        input.memory = ask.memory;
        const std::size_t size = data.bytes.size();
        for (std::size_t i = 0; i < ask.pieces; ++i) {
            const std::size_t begin = size * i / ask.pieces;
            const std::size_t end = size * (i + 1) / ask.pieces;
            input.pieces.push_back(std::string(ask.offset, ' ') +
                                   data.bytes.substr(begin, end - begin));
        }
        request->inputs.push_back(std::move(input));
    }
    return request;
}

}  // namespace

std::atomic<long long>& Counted::live() {
    static std::atomic<long long> count{0};
    return count;
}

Seen& Seen::all() {
    static Seen seen;
    return seen;
}

void require(bool holds, const char* what) {
    if (holds) return;
    std::cerr << "stub server: " << what << std::endl;
    std::abort();
}

Data data_of(std::vector<std::int64_t> shape, const std::vector<float>& values) {
    Data data;
    data.shape = std::move(shape);
    data.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    return data;
}

std::vector<float> values_of(const Data& data) {
    std::vector<float> values(data.bytes.size() / sizeof(float));
    if (!values.empty()) std::memcpy(values.data(), data.bytes.data(), data.bytes.size());
    return values;
}

void Answer::wait() const {
    std::unique_lock lock(mutex_);
    const bool ended =
        changed_.wait_for(lock, std::chrono::minutes(1), [this] { return is_released_; });
    require(ended, "a request isn't released within a minute");
}

bool Answer::is_released() const {
    const std::lock_guard lock(mutex_);
    return is_released_;
}

std::string Answer::error() const {
    const std::lock_guard lock(mutex_);
    return message_;
}

TRITONSERVER_Error_Code Answer::code() const {
    const std::lock_guard lock(mutex_);
    return code_;
}

Data Answer::output(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = outputs_.find(name);
    if (found != outputs_.end()) return found->second;
    ADD_FAILURE() << "there is no output '" << name << "'; error: " << message_;
    return {};
}

std::size_t Answer::output_count() const {
    const std::lock_guard lock(mutex_);
    return outputs_.size();
}

int Answer::responses() const {
    const std::lock_guard lock(mutex_);
    return responses_;
}

int Answer::order() const {
    const std::lock_guard lock(mutex_);
    return order_;
}

void Answer::respond(std::map<std::string, Data> outputs, TRITONSERVER_Error* error) {
    const std::lock_guard lock(mutex_);
    require(!is_released_, "a response comes after its request was released");
    static std::atomic<int> answered{0};
    order_ = answered++;
    ++responses_;
    outputs_ = std::move(outputs);
    if (error == nullptr) return;
    message_ = error->message;
    code_ = error->code;
}

void Answer::release() {
    const std::lock_guard lock(mutex_);
    require(!is_released_, "a request is released twice");
    is_released_ = true;
    changed_.notify_all();
}

StubServer& StubServer::get() {
    static StubServer server;
    return server;
}

StubServer::StubServer()
    : library_(::dlopen(RONDO_TRITON_LIBRARY, RTLD_NOW | RTLD_LOCAL)),
      backend_(std::make_unique<TRITONBACKEND_Backend>()) {
    if (library_ == nullptr) std::cerr << ::dlerror() << std::endl;
    require(library_ != nullptr, "the backend can't be opened");
    TRITONSERVER_Error* error =
        find<TRITONSERVER_Error*(TRITONBACKEND_Backend*)>("TRITONBACKEND_Initialize")(backend());
    require(error == nullptr, "the backend can't be initialized");
    error = find<TRITONSERVER_Error*(TRITONBACKEND_Backend*, TRITONBACKEND_BackendAttribute*)>(
        "TRITONBACKEND_GetBackendAttribute")(backend(), nullptr);
    require(error == nullptr, "the backend has no attributes");
}

// The program ends if the backend leaves something, or can't be closed.
StubServer::~StubServer() {
    TRITONSERVER_Error* error =
        find<TRITONSERVER_Error*(TRITONBACKEND_Backend*)>("TRITONBACKEND_Finalize")(backend());
    require(error == nullptr && live_objects() == 0, "the backend leaves something");
    require(::dlclose(library_) == 0, "the backend can't be closed");
}

void* StubServer::find_symbol(const char* name) const {
    void* found = ::dlsym(library_, name);
    require(found != nullptr, name);
    return found;
}

long long StubServer::live_objects() { return Counted::live(); }

double StubServer::metric(const std::string& name, const std::string& model) {
    const std::lock_guard lock(Seen::all().mutex);
    for (const TRITONSERVER_Metric* metric : Seen::all().metrics) {
        if (metric->family->name == name && metric->labels.at("model") == model) {
            return metric->value;
        }
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::string StubServer::log() {
    const std::lock_guard lock(Seen::all().mutex);
    return Seen::all().log;
}

std::pair<TRITONSERVER_InstanceGroupKind, std::uint64_t> StubServer::preferred_group() {
    return {Seen::all().kind, Seen::all().count};
}

StubModel::StubModel(const std::string& name, const std::string& folder, const ModelPlan& plan)
    : model_(std::make_unique<TRITONBACKEND_Model>()) {
    model_->name = name;
    model_->folder = folder;
    model_->config = plan.config;
    model_->version = plan.version;
    model_->completes = plan.completes;
    const auto& server = StubServer::get();
    fail(server.find<TRITONSERVER_Error*(TRITONBACKEND_Model*)>("TRITONBACKEND_ModelInitialize")(
        model_.get()));
    for (int i = 0; i < plan.instances && error_.empty(); ++i) {
        instances_.push_back(std::make_unique<TRITONBACKEND_ModelInstance>());
        instances_.back()->model = model_.get();
        instances_.back()->kind = plan.kind;
        fail(server.find<TRITONSERVER_Error*(TRITONBACKEND_ModelInstance*)>(
            "TRITONBACKEND_ModelInstanceInitialize")(instances_.back().get()));
    }
}

// The server also ends what couldn't be made.
StubModel::~StubModel() {
    const auto& server = StubServer::get();
    for (const auto& instance : instances_) {
        server.find<TRITONSERVER_Error*(TRITONBACKEND_ModelInstance*)>(
            "TRITONBACKEND_ModelInstanceFinalize")(instance.get());
    }
    server.find<TRITONSERVER_Error*(TRITONBACKEND_Model*)>("TRITONBACKEND_ModelFinalize")(
        model_.get());
}

void StubModel::fail(TRITONSERVER_Error* error) {
    if (error == nullptr) return;
    error_ = error->message;
    code_ = error->code;
    delete error;
}

std::string StubModel::config() const { return model_->config; }

Statistics StubModel::statistics() const {
    const std::lock_guard lock(instances_.front()->mutex);
    return instances_.front()->statistics;
}

std::vector<AnswerPtr> StubModel::execute(const std::vector<Ask>& asks) {
    std::vector<TRITONBACKEND_Request*> requests;
    std::vector<AnswerPtr> answers;
    for (const Ask& ask : asks) {
        requests.push_back(request_of(ask));
        answers.push_back(requests.back()->answer);
    }
    const std::lock_guard lock(mutex_);
    auto* execute =
        StubServer::get()
            .find<TRITONSERVER_Error*(TRITONBACKEND_ModelInstance*, TRITONBACKEND_Request**,
                                      std::uint32_t)>("TRITONBACKEND_ModelInstanceExecute");
    require(execute(instances_.front().get(), requests.data(),
                    static_cast<std::uint32_t>(requests.size())) == nullptr,
            "the backend doesn't take the requests");
    return answers;
}

AnswerPtr StubModel::infer(const Ask& ask) {
    AnswerPtr answer = execute(ask);
    answer->wait();
    return answer;
}

}  // namespace rondo::test::triton
