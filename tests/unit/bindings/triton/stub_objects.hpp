// The objects of the stub server's API.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/bindings/triton/stub_server.hpp"

namespace rondo::test::triton {

/// Counts the objects of the API.
struct Counted {
    Counted() { ++live(); }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --live(); }
    static std::atomic<long long>& live();
};

/// What the whole program has seen.
struct Seen {
    static Seen& all();

    std::mutex mutex;
    std::string log;
    std::set<TRITONSERVER_Metric*> metrics;
    TRITONSERVER_InstanceGroupKind kind = TRITONSERVER_INSTANCEGROUPKIND_AUTO;
    std::uint64_t count = 0;
};

/// Ends the program with this message unless it holds: such a call is a mistake of the backend's.
void require(bool holds, const char* what);

}  // namespace rondo::test::triton

struct TRITONSERVER_Error : rondo::test::triton::Counted {
    TRITONSERVER_Error_Code code = TRITONSERVER_ERROR_UNKNOWN;
    std::string message;
};

struct TRITONSERVER_Message : rondo::test::triton::Counted {
    std::string text;
};

struct TRITONSERVER_Parameter : rondo::test::triton::Counted {
    std::string name;
    std::string value;
};

struct TRITONSERVER_MetricFamily : rondo::test::triton::Counted {
    std::string name;
    TRITONSERVER_MetricKind kind = TRITONSERVER_METRIC_KIND_GAUGE;
    int metrics = 0;
};

struct TRITONSERVER_Metric : rondo::test::triton::Counted {
    TRITONSERVER_MetricFamily* family = nullptr;
    std::map<std::string, std::string> labels;
    double value = 0;
};

struct TRITONBACKEND_Input {
    std::string name;
    rondo::test::triton::Data data;
    std::vector<std::string> pieces;
    std::size_t offset = 0;
    TRITONSERVER_MemoryType memory = TRITONSERVER_MEMORY_CPU;
};

struct TRITONBACKEND_Request : rondo::test::triton::Counted {
    rondo::test::triton::Ask ask;
    std::vector<TRITONBACKEND_Input> inputs;
    rondo::test::triton::AnswerPtr answer = std::make_shared<rondo::test::triton::Answer>();
};

struct TRITONBACKEND_Output {
    std::string name;
    rondo::test::triton::Data data;
};

struct TRITONBACKEND_Response : rondo::test::triton::Counted {
    rondo::test::triton::AnswerPtr answer;
    std::vector<std::unique_ptr<TRITONBACKEND_Output>> outputs;
};
