#include "plugins/cpu/plugin/run/step_profile.hpp"

#include <map>

#include "core/ops/control/control_ops.hpp"
#include "plugins/cpu/nodes/common/body.hpp"

namespace rondo::cpu {
namespace {

ProfilingInfo::ExecutionStatus status_of(const StepProfile::Entry& entry) {
    if (entry.state == StepState::runs) {
        return entry.ran ? ProfilingInfo::ExecutionStatus::executed
                         : ProfilingInfo::ExecutionStatus::not_run;
    }
    if (entry.state == StepState::open) return ProfilingInfo::ExecutionStatus::not_run;
    return ProfilingInfo::ExecutionStatus::optimized_out;
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

ProfilingInfo part_row(const NodePart& part, const std::string& place, const ShownOp& whole) {
    ProfilingInfo row;
    row.status = ProfilingInfo::ExecutionStatus::optimized_out;
    row.node_name = place + part.name;
    row.node_type = part.node.type_name();
    row.exec_type = "part of '" + place + std::string(whole.name) + "'";
    return row;
}

}  // namespace

StepProfile::StepProfile(const Program& program) : program_(program) {
    for (const Step& step : program.steps) {
        Entry& entry = entries_.emplace_back();
        for (const auto& body : step.kernel->bodies()) {
            entry.bodies.push_back(body->make_profile());
            entry.body_list.push_back(entry.bodies.back().get());
        }
    }
}

void StepProfile::trace_to(RunTrace& trace) {
    for (Entry& entry : entries_) {
        entry.trace = &trace;
        for (const auto& body : entry.bodies) body->trace_to(trace);
    }
}

void StepProfile::clear() {
    for (Entry& entry : entries_) {
        entry.ran = false;
        entry.time = std::chrono::nanoseconds{0};
        for (const auto& body : entry.bodies) body->clear();
    }
}

void StepProfile::report(const Plan& plan) {
    for (const StepReport& report : plan.reports) {
        entries_[report.step].state = report.state;
        entries_[report.step].detail = report.detail;
    }
}

std::chrono::nanoseconds StepProfile::time() const {
    std::chrono::nanoseconds sum{0};
    for (const Entry& entry : entries_) sum += entry.time;
    return sum;
}

std::vector<ProfilingInfo> StepProfile::rows() const {
    std::vector<Row> rows;
    add_rows("", rows);
    std::vector<ProfilingInfo> infos;
    for (Row& row : rows) infos.push_back(std::move(row.info));
    return infos;
}

std::vector<TraceSlice> StepProfile::slices(const RunTrace& trace) const {
    std::vector<Row> rows;
    add_rows("", rows);
    std::map<const void*, const ProfilingInfo*> names;
    for (const Row& row : rows) {
        if (row.entry != nullptr) names[row.entry] = &row.info;
    }
    std::map<std::thread::id, int> threads{{trace.thread(), 0}};
    std::vector<TraceSlice> slices;
    for (const RunTrace::Event& event : trace.events()) {
        const auto name = names.find(event.step);
        if (name == names.end()) continue;
        const auto thread = threads.emplace(event.thread, static_cast<int>(threads.size()));
        TraceSlice slice;
        slice.node_name = name->second->node_name;
        slice.node_type = name->second->node_type;
        slice.exec_type = name->second->exec_type;
        if (event.part != RunTrace::kWhole) slice.part = event.part;
        slice.thread = thread.first->second;
        slice.start = event.begin - trace.start();
        slice.duration = event.end - event.begin;
        slices.push_back(std::move(slice));
    }
    return slices;
}

void StepProfile::add_rows(const std::string& place, std::vector<Row>& rows) const {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const CpuNode& kernel = *program_.steps[i].kernel;
        const Entry& entry = entries_[i];
        ProfilingInfo row;
        row.status = status_of(entry);
        row.real_time_ns = entry.time;
        for (const auto& body : entry.bodies) row.real_time_ns -= body->time();
        row.real_time = std::chrono::duration_cast<std::chrono::microseconds>(row.real_time_ns);
        const ShownOp shown = kernel.shown();
        row.node_name = place + std::string(shown.name);
        row.node_type = shown.type;
        row.exec_type = text_of(kernel, entry);
        rows.push_back({std::move(row), &entry});
        const auto* op = dynamic_cast<const ops::BodyOp*>(&kernel.node());
        for (std::size_t b = 0; b < entry.bodies.size(); ++b) {
            entry.bodies[b]->add_rows(place + ops::place_of_body(*op, b), rows);
        }
        if (!entry.bodies.empty()) continue;
        for (const NodePart& part : kernel.parts())
            rows.push_back({part_row(part, place, shown), nullptr});
    }
}

}  // namespace rondo::cpu
