// Functions of rondo/c/compiled_model.h.
#include "rondo/c/compiled_model.h"

#include <memory>
#include <vector>

#include "bindings/c/handles.hpp"
#include "bindings/c/port_list.hpp"

using namespace rondo::c;

struct rondo_kernel_list : PointingList<rondo::KernelInfo, rondo_kernel_info_t> {};

namespace {

// Owns what the info points to.
struct MetricsInfo : rondo_metrics_info_t {
    std::vector<rondo_latency_class_t> classes;
};

rondo_metrics_info_t* info_of(const rondo::Metrics& metrics) {
    auto info = std::make_unique<MetricsInfo>();
    static_cast<rondo_metrics_info_t&>(*info) = {metrics.inferences,
                                                 metrics.failed,
                                                 metrics.cancelled,
                                                 metrics.running,
                                                 metrics.waiting,
                                                 metrics.latency_p50.count(),
                                                 metrics.latency_p90.count(),
                                                 metrics.latency_p99.count(),
                                                 metrics.latency_max.count(),
                                                 nullptr,
                                                 metrics.latency_histogram.size(),
                                                 metrics.plans_made,
                                                 metrics.plan_cache_hits,
                                                 metrics.arena_bytes};
    for (const auto& one : metrics.latency_histogram) {
        info->classes.push_back({one.upper.count(), one.count});
    }
    info->latency_histogram = info->classes.data();
    return info.release();
}

}  // namespace

void rondo_compiled_model_free(rondo_compiled_model_t* compiled) { delete compiled; }

rondo_status_t rondo_compiled_model_create_infer_request(rondo_compiled_model_t* compiled,
                                                         rondo_infer_request_t** request) {
    return produce(request, "request", [&] {
        return new rondo_infer_request{compiled_of(compiled).create_infer_request()};
    });
}

rondo_status_t rondo_compiled_model_inputs(const rondo_compiled_model_t* compiled,
                                           rondo_port_list_t** ports) {
    return produce(ports, "ports", [&] { return port_list(compiled_of(compiled).inputs()); });
}

rondo_status_t rondo_compiled_model_outputs(const rondo_compiled_model_t* compiled,
                                            rondo_port_list_t** ports) {
    return produce(ports, "ports", [&] { return port_list(compiled_of(compiled).outputs()); });
}

rondo_status_t rondo_compiled_model_find_input(const rondo_compiled_model_t* compiled,
                                               const char* name, size_t* index) {
    return produce(index, "index", [&] {
        const std::string wanted = text(name, "name");
        compiled_of(compiled).input(wanted);  // throws with the names there are
        return index_of(compiled_of(compiled).inputs(), wanted);
    });
}

rondo_status_t rondo_compiled_model_find_output(const rondo_compiled_model_t* compiled,
                                                const char* name, size_t* index) {
    return produce(index, "index", [&] {
        const std::string wanted = text(name, "name");
        compiled_of(compiled).output(wanted);
        return index_of(compiled_of(compiled).outputs(), wanted);
    });
}

rondo_status_t rondo_compiled_model_get_property(const rondo_compiled_model_t* compiled,
                                                 const char* name, char** value) {
    return produce(value, "value", [&] {
        return copy_text(compiled_of(compiled).get_property(text(name, "name")));
    });
}

rondo_status_t rondo_compiled_model_kernels(const rondo_compiled_model_t* compiled,
                                            rondo_kernel_list_t** kernels) {
    return produce(kernels, "kernels", [&] {
        const auto show = [](const rondo::KernelInfo& kernel) -> rondo_kernel_info_t {
            return {kernel.node_name.c_str(), kernel.node_type.c_str(), kernel.kernel.c_str(),
                    kernel.reason.c_str()};
        };
        return pointing_list<rondo_kernel_list>(compiled_of(compiled).kernels(), show);
    });
}

size_t rondo_kernel_list_size(const rondo_kernel_list_t* list) { return entry_count(list); }

const rondo_kernel_info_t* rondo_kernel_list_at(const rondo_kernel_list_t* list, size_t index) {
    return entry_at(list, index);
}

void rondo_kernel_list_free(rondo_kernel_list_t* list) { delete list; }

rondo_status_t rondo_compiled_model_runtime_model(const rondo_compiled_model_t* compiled,
                                                  rondo_model_t** model) {
    return produce(model, "model",
                   [&] { return new rondo_model{compiled_of(compiled).runtime_model()}; });
}

rondo_status_t rondo_compiled_model_metrics(const rondo_compiled_model_t* compiled,
                                            rondo_metrics_info_t** info) {
    return produce(info, "info", [&] { return info_of(compiled_of(compiled).metrics()); });
}

void rondo_metrics_info_free(rondo_metrics_info_t* info) { delete static_cast<MetricsInfo*>(info); }
