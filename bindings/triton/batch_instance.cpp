// Stateless requests: those that arrive together are joined along the batch, and run as one.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <utility>

#include "bindings/triton/instance.hpp"
#include "bindings/triton/requests.hpp"
#include "bindings/triton/server_error.hpp"
#include "bindings/triton/ticker.hpp"
#include "rondo/error.hpp"

namespace rondo::triton {
namespace {

constexpr std::chrono::milliseconds kTick{100};

struct Item {
    TRITONBACKEND_Request* request = nullptr;
    RequestTimes times;
    std::vector<Tensor> inputs;
    std::size_t rows = 1;
    bool is_answered = false;  ///< and its request is the server's again
};
using Group = std::vector<Item*>;

bool same_but_for_rows(const Tensor& a, const Tensor& b) {
    return a.shape().size() == b.shape().size() &&
           std::equal(a.shape().begin() + 1, a.shape().end(), b.shape().begin() + 1);
}

// Elements along axis 0, from `first` on, in the memory of `whole`.
Tensor part_of(const Tensor& whole, std::size_t first, std::size_t count) {
    Shape shape = whole.shape();
    const std::size_t bytes = shape[0] == 0 ? 0 : whole.byte_size() / shape[0];
    shape[0] = count;
    const auto* data = static_cast<const char*>(whole.data()) + first * bytes;
    return Tensor(whole.element_type(), shape, data, std::shared_ptr<const void>());
}

std::size_t rows_of(const Group& group) {
    std::size_t rows = 0;
    for (const Item* item : group) rows += item->rows;
    return rows;
}

// The rows that are run: a plan is made for each number of them, and few plans are kept.
std::size_t planned_rows(const Group& group) {
    const std::size_t rows = rows_of(group);
    if (group.size() == 1) return rows;
    std::size_t power = 1;
    while (power < rows) power *= 2;
    const std::size_t between = power / 4 * 3;  // 3, 6, 12, ...
    return between >= rows ? between : power;
}

TRITONSERVER_Error* copy_of(TRITONSERVER_Error* error) {
    return TRITONSERVER_ErrorNew(TRITONSERVER_ErrorCode(error), TRITONSERVER_ErrorMessage(error));
}

class BatchInstance final : public Instance {
public:
    BatchInstance(TRITONBACKEND_ModelInstance* instance, ServedModel& model)
        : instance_(instance),
          model_(model),
          may_join_(model.max_batch_size > 1),
          request_(model.loaded.compiled.create_infer_request()),
          batches_(model.loaded.compiled.inputs().size()),
          ticker_(kTick, [this] { cancel_abandoned(); }) {}

    void execute(TRITONBACKEND_Request** requests, std::uint32_t count) noexcept override;

private:
    void read(Item& item) const;
    void run_groups(std::vector<Item>& items);
    bool may_share(const Item& a, const Item& b) const;
    void run(Group group);
    void infer(const Group& group);
    const Tensor& join(const Group& group, std::size_t input);
    void answer(Item& item, std::size_t first, std::size_t rows) noexcept;
    void refuse(Item& item, TRITONSERVER_Error* error) noexcept;
    void finish(Item& item, bool succeeded) noexcept;
    void set_running(const Group& group);
    void cancel_abandoned() noexcept;

    TRITONBACKEND_ModelInstance* instance_;
    ServedModel& model_;
    const bool may_join_;
    InferRequest request_;
    std::vector<Tensor> batches_;  // the joined inputs

    std::mutex mutex_;
    std::vector<TRITONBACKEND_Request*> running_;
    std::uint64_t running_since_ = 0;
    Ticker ticker_;
};

void BatchInstance::execute(TRITONBACKEND_Request** requests, std::uint32_t count) noexcept {
    std::vector<Item> items;
    TRITONSERVER_Error* error = guarded([&] {
        items.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) items[i].request = requests[i];
        for (Item& item : items) {
            item.times.start = item.times.compute_start = item.times.compute_end = now_ns();
            if (TRITONSERVER_Error* bad = guarded([&] { read(item); })) refuse(item, bad);
        }
        run_groups(items);
    });
    if (error == nullptr) return;
    for (std::uint32_t i = 0; i < count; ++i) {
        Item only;
        only.request = requests[i];
        Item& item = items.empty() ? only : items[i];
        if (!item.is_answered) refuse(item, copy_of(error));
    }
    ignore(error);
}

void BatchInstance::read(Item& item) const {
    const auto& ports = model_.loaded.compiled.inputs();
    item.inputs = read_inputs(item.request, model_.ports, ports.size());
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const std::string place = "input '" + ports[i].any_name() + "'";
        if (!item.inputs[i]) throw ModelError(place + " was not given");
        if (!may_join_) continue;
        const Shape& shape = item.inputs[i].shape();
        if (i == 0 && !shape.empty()) item.rows = shape[0];
        if (!shape.empty() && shape[0] == item.rows) continue;
        throw ModelError(place + " has shape " + rondo::to_string(shape) +
                         "; the batch of the first input is " + std::to_string(item.rows));
    }
}

// The server's batches have one shape, unless an input of the configuration may be ragged.
void BatchInstance::run_groups(std::vector<Item>& items) {
    for (Item& first : items) {
        if (first.is_answered) continue;
        Group group;
        for (Item& item : items) {
            const bool is_next = !item.is_answered && (&item == &first || may_share(first, item));
            if (is_next) group.push_back(&item);
        }
        run(std::move(group));
    }
}

bool BatchInstance::may_share(const Item& a, const Item& b) const {
    return may_join_ && a.rows > 0 && b.rows > 0 &&
           std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), same_but_for_rows);
}

// If a batch fails, each of its requests runs alone and has its own error or none.
void BatchInstance::run(Group group) {
    for (Item* item : group) {
        if (!is_cancelled(item->request)) continue;
        refuse(*item,
               guarded([] { throw CancelledError("the client has cancelled the request"); }));
    }
    group.erase(
        std::remove_if(group.begin(), group.end(), [](auto* item) { return item->is_answered; }),
        group.end());
    if (group.empty()) return;
    const std::uint64_t start = now_ns();
    set_running(group);
    TRITONSERVER_Error* error = guarded([&] { infer(group); });
    set_running({});
    const std::uint64_t end = now_ns();
    if (error != nullptr && group.size() > 1) {
        ignore(error);
        for (Item* item : group) run({item});
        return;
    }
    const std::size_t planned = planned_rows(group);
    const std::uint64_t begun = group.front()->times.start;
    std::size_t first = 0;
    for (Item* item : group) {
        item->times.compute_start = start;
        item->times.compute_end = end;
        if (error != nullptr) {
            refuse(*item, error);
        } else {
            answer(*item, first, planned);
        }
        first += item->rows;
    }
    ignore(TRITONBACKEND_ModelInstanceReportBatchStatistics(instance_, first, begun, start, end,
                                                            now_ns()));
}

void BatchInstance::infer(const Group& group) {
    for (std::size_t i = 0; i < batches_.size(); ++i) {
        request_.set_input_tensor(i, group.size() == 1 ? group[0]->inputs[i] : join(group, i));
    }
    request_.infer();
}

// What is left of the planned rows repeats the first one.
const Tensor& BatchInstance::join(const Group& group, std::size_t input) {
    const Tensor& first = group[0]->inputs[input];
    const std::size_t planned = planned_rows(group);
    Shape shape = first.shape();
    const std::size_t row_bytes = first.byte_size() / shape[0];
    shape[0] = planned;
    Tensor& batch = batches_[input];
    if (!batch || batch.shape() != shape) batch = Tensor(first.element_type(), shape);
    auto* to = static_cast<char*>(batch.data());
    const auto append = [&](const Tensor& tensor, std::size_t rows) {
        if (row_bytes > 0) std::memcpy(to, tensor.data(), rows * row_bytes);
        to += rows * row_bytes;
    };
    for (const Item* item : group) append(item->inputs[input], item->rows);
    for (std::size_t row = rows_of(group); row < planned; ++row) append(first, 1);
    return batch;
}

// `first` is the request's first row among `rows`.
void BatchInstance::answer(Item& item, std::size_t first, std::size_t rows) noexcept {
    const bool is_whole = item.rows == rows;
    finish(item, send_outputs(item.request, model_.ports, [&](std::size_t output) {
               const Tensor whole = request_.get_output_tensor(output).contiguous();
               if (is_whole) return whole;
               const std::size_t each = whole.shape().at(0) / rows;
               return part_of(whole, first * each, item.rows * each);
           }));
}

void BatchInstance::refuse(Item& item, TRITONSERVER_Error* error) noexcept {
    send_error(item.request, error);
    finish(item, false);
}

void BatchInstance::finish(Item& item, bool succeeded) noexcept {
    item.is_answered = true;
    report(instance_, item.request, succeeded, item.times);
    release(item.request);
}

void BatchInstance::set_running(const Group& group) {
    const std::lock_guard lock(mutex_);
    running_.clear();
    for (const Item* item : group) running_.push_back(item->request);
    running_since_ = now_ns();
}

// Ends an inference that has run for long, and whose results no client wants any more.
void BatchInstance::cancel_abandoned() noexcept {
    const std::lock_guard lock(mutex_);
    const bool is_long = now_ns() > running_since_ + std::chrono::nanoseconds(kTick).count();
    if (running_.empty() || !is_long) return;
    if (std::all_of(running_.begin(), running_.end(), is_cancelled)) request_.cancel();
}

}  // namespace

std::unique_ptr<Instance> make_batch_instance(TRITONBACKEND_ModelInstance* instance,
                                              ServedModel& model) {
    return std::make_unique<BatchInstance>(instance, model);
}

}  // namespace rondo::triton
