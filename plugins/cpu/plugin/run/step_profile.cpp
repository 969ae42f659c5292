#include "plugins/cpu/plugin/run/step_profile.hpp"

namespace rondo::cpu {
namespace {

ProfilingInfo::Status status_of(const StepProfile::Entry& entry) {
    if (entry.state == StepState::runs) {
        return entry.ran ? ProfilingInfo::Status::executed : ProfilingInfo::Status::not_run;
    }
    if (entry.state == StepState::open) return ProfilingInfo::Status::not_run;
    return ProfilingInfo::Status::optimized_out;
}

std::string text_of(const CpuNode& kernel, const StepProfile::Entry& entry) {
    switch (entry.state) {
        case StepState::not_needed: return "not needed";
        case StepState::known: return "known from the shapes";
        case StepState::view: return "view";
        case StepState::open: return "sizes not known yet";
        case StepState::runs: break;
    }
    if (entry.detail.empty() || entry.detail == kernel.kernel_name()) return kernel.kernel_name();
    return kernel.kernel_name() + " " + entry.detail;
}

ProfilingInfo part_row(const Node& part, const ShownOp& whole) {
    ProfilingInfo row;
    row.status = ProfilingInfo::Status::optimized_out;
    row.node_name = part.name();
    row.node_type = part.type_name();
    row.exec_type = "part of '" + std::string(whole.name) + "'";
    return row;
}

}  // namespace

std::vector<ProfilingInfo> StepProfile::rows() const {
    std::vector<ProfilingInfo> rows;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const CpuNode& kernel = *program_->program().steps[i].kernel;
        ProfilingInfo row;
        row.status = status_of(entries_[i]);
        row.real_time_ns = entries_[i].time;
        row.real_time = std::chrono::duration_cast<std::chrono::microseconds>(entries_[i].time);
        const ShownOp shown = kernel.shown();
        row.node_name = shown.name;
        row.node_type = shown.type;
        row.exec_type = text_of(kernel, entries_[i]);
        rows.push_back(std::move(row));
        for (const NodePart& part : kernel.parts()) {
            rows.push_back(part_row(part.node, shown));
        }
    }
    return rows;
}

}  // namespace rondo::cpu
