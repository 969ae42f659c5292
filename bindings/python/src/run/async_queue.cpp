#include "bindings/python/src/run/async_queue.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <utility>

#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/run/calling_back.hpp"
#include "bindings/python/src/support/gil.hpp"
#include "rondo/error.hpp"
#include "rondo/properties.hpp"

namespace rondo::python {

// Outlives the queue while inferences run: it then holds itself.
class AsyncQueue::State : public std::enable_shared_from_this<AsyncQueue::State> {
public:
    State() = default;
    ~State() { settle(); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void connect();
    void enter_process();
    std::size_t take_idle();
    void give_back(std::size_t id);
    void begin(std::size_t id);
    void end(std::size_t id);
    void finish(std::size_t id, std::exception_ptr error);
    template <typename Ready>
    void wait_until(Ready ready);
    template <typename Ready>
    void run_what_waits(Ready ready);
    void throw_failure();
    void hold();
    std::shared_ptr<State> let_go();

    std::vector<std::shared_ptr<Request>> requests;
    // Changed with Python's lock held.
    SharedObject callback;
    std::vector<SharedObject> userdata;

    std::mutex mutex;  // never held while waiting for Python's lock
    std::condition_variable changed;
    std::deque<std::size_t> idle;
    std::vector<std::size_t> running;  // inferences of each request: one may start the next
    std::exception_ptr error;          // the first failure: of an inference,
    SharedObject raised;               // or of a callback
    // Whether some request isn't idle, for the garbage collector, which mustn't wait for the mutex:
    // in a forked child it waits for ever if a thread of the parent held it.
    std::atomic<bool> in_use{false};

private:
    void call_back(std::size_t id);
    void put_back(std::size_t id);
    void settle();

    std::shared_ptr<State> itself_;  // while in use
    pid_t process_ = ::getpid();
};

namespace {

std::size_t best_job_count(const CompiledModel& model) {
    const auto text = model.get_property(property::kOptimalNumberOfInferRequests);
    const long count = std::strtol(text.c_str(), nullptr, 10);
    return count < 1 ? 1 : static_cast<std::size_t>(count);
}

}  // namespace

void AsyncQueue::State::connect() {
    running.resize(requests.size());
    for (std::size_t id = 0; id < requests.size(); ++id) {
        idle.push_back(id);
        requests[id]->completion().begins = [weak = weak_from_this(), id](bool began) {
            const auto state = weak.lock();
            if (state != nullptr) began ? state->begin(id) : state->end(id);
        };
        requests[id]->completion().then = [weak = weak_from_this(),
                                           id](std::exception_ptr failure) {
            if (const auto state = weak.lock()) state->finish(id, std::move(failure));
        };
    }
}

// Gives Python's lock up between two looks; `ready` is asked with the mutex held.
template <typename Ready>
void AsyncQueue::State::wait_until(Ready ready) {
    while (true) {
        if (CallingBack<Completion>::any()) run_what_waits(ready);
        const bool done = without_gil([&] {
            std::unique_lock lock(mutex);
            return changed.wait_for(lock, kSignalInterval, ready);
        });
        if (done) return;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
}

// On a thread that runs a callback: it may be this one that must run what is waited for, and a look
// at a request does so.
template <typename Ready>
void AsyncQueue::State::run_what_waits(Ready ready) {
    for (std::size_t id = 0; id < requests.size(); ++id) {
        {
            const std::lock_guard lock(mutex);
            if (ready()) return;
            if (running[id] == 0) continue;
        }
        requests[id]->settle(std::chrono::milliseconds(0));
    }
}

// What is idle at a fork serves the child too. Threads of the parent may have held the mutex.
void AsyncQueue::State::enter_process() {
    if (process_ == ::getpid()) return;
    if (in_use) {
        throw ModelError(
            "the queue ran inferences when this process was forked, and they end in the parent "
            "alone; make a new queue");
    }
    settle();
}

// Destroying the condition waits for those that have been woken, too.
void AsyncQueue::State::settle() {
    if (process_ == ::getpid()) return;
    new (&mutex) std::mutex;
    new (&changed) std::condition_variable;
    process_ = ::getpid();
}

// The mutex must be held. Before anything changes, so that a forked child knows it.
void AsyncQueue::State::hold() {
    in_use = true;
    if (itself_ == nullptr) itself_ = shared_from_this();
}

// The mutex must be held. What it returns is to be released without.
std::shared_ptr<AsyncQueue::State> AsyncQueue::State::let_go() {
    if (idle.size() != requests.size()) return nullptr;
    in_use = false;
    return std::exchange(itself_, nullptr);
}

std::size_t AsyncQueue::State::take_idle() {
    while (true) {
        {
            const std::lock_guard lock(mutex);
            if (!idle.empty()) {
                hold();
                const std::size_t id = idle.front();
                idle.pop_front();
                return id;
            }
        }
        if (CallingBack<State>::of(this)) {
            throw ModelError(
                "start_async() from the queue's own callback finds no free request; "
                "make the queue with more jobs");
        }
        wait_until([this] { return !idle.empty(); });
    }
}

void AsyncQueue::State::give_back(std::size_t id) {
    std::shared_ptr<State> last;  // released after the lock
    const std::lock_guard lock(mutex);
    put_back(id);
    last = let_go();
}

// The mutex must be held.
void AsyncQueue::State::put_back(std::size_t id) {
    if (running[id] > 0 || std::find(idle.begin(), idle.end(), id) != idle.end()) return;
    idle.push_back(id);
    changed.notify_all();
}

// Also of a request that was started by itself: the queue has it no more until it ends.
void AsyncQueue::State::begin(std::size_t id) {
    enter_process();
    const std::lock_guard lock(mutex);
    hold();
    ++running[id];
    std::erase(idle, id);
}

void AsyncQueue::State::end(std::size_t id) {
    {
        const std::lock_guard lock(mutex);
        --running[id];
    }
    give_back(id);
}

void AsyncQueue::State::call_back(std::size_t id) {
    const WithGil locked;
    if (callback == nullptr) return;
    try {
        const py::object function = object_of(callback);
        function(py::cast(requests[id]), object_of(userdata[id]));
    } catch (const py::error_already_set& failure) {
        SharedObject exception = exception_of(failure);
        const std::lock_guard lock(mutex);
        if (error == nullptr && raised == nullptr) raised.swap(exception);
    }
}

void AsyncQueue::State::finish(std::size_t id, std::exception_ptr failure) {
    if (failure == nullptr) {
        const CallingBack<State> scope(this);
        call_back(id);
    } else {
        const std::lock_guard lock(mutex);
        if (error == nullptr && raised == nullptr) error = std::move(failure);
    }
    end(id);
}

void AsyncQueue::State::throw_failure() {
    std::exception_ptr failure;
    SharedObject exception;
    {
        const std::lock_guard lock(mutex);
        failure.swap(error);
        exception.swap(raised);
    }
    if (failure != nullptr) std::rethrow_exception(failure);
    if (exception != nullptr) raise(exception);
}

AsyncQueue::AsyncQueue(std::shared_ptr<const SharedModel> program, std::size_t jobs)
    : state_(std::make_shared<State>()) {
    if (jobs == 0) jobs = best_job_count(program->model);
    for (std::size_t i = 0; i < jobs; ++i) {
        state_->requests.push_back(std::make_shared<Request>(program));
    }
    state_->userdata.resize(jobs);
    state_->connect();
}

void AsyncQueue::start_async(const py::object& inputs, const py::object& userdata,
                             bool share_inputs) {
    State& state = *state_;
    state.enter_process();
    const std::size_t id = state.take_idle();
    try {
        state.throw_failure();
        state.userdata[id] = share(userdata);
        state.requests[id]->start_async(inputs, py::none(), share_inputs);
    } catch (...) {
        state.give_back(id);
        throw;
    }
}

bool AsyncQueue::is_ready() const {
    state_->enter_process();
    const std::lock_guard lock(state_->mutex);
    return !state_->idle.empty();
}

void AsyncQueue::wait_all() {
    State& state = *state_;
    state.enter_process();
    if (CallingBack<State>::of(&state)) {
        throw ModelError("a queue's own callback can't wait for the queue");
    }
    state.wait_until([&state] { return state.idle.size() == state.requests.size(); });
    const auto end = std::chrono::steady_clock::now() + kSignalInterval;
    for (const auto& request : state.requests) {
        if (std::chrono::steady_clock::now() < end) request->settle(kSignalInterval);
    }
    state.throw_failure();
}

std::size_t AsyncQueue::idle_request() {
    State& state = *state_;
    state.enter_process();
    const std::size_t id = state.take_idle();
    std::shared_ptr<State> last;  // released after the lock
    const std::lock_guard lock(state.mutex);
    state.idle.push_front(id);
    state.changed.notify_all();
    last = state.let_go();
    return id;
}

void AsyncQueue::set_callback(const py::object& callback) {
    if (!callback.is_none()) check_callable(callback, "set_callback", "request and userdata");
    state_->callback = share(callback);
}

const std::vector<std::shared_ptr<Request>>& AsyncQueue::requests() const {
    return state_->requests;
}

py::list AsyncQueue::userdata() const {
    py::list list;
    for (const auto& item : state_->userdata) list.append(object_of(item));
    return list;
}

// While inferences run, the queue is in use even if no Python object refers to it.
int visit_objects(AsyncQueue& queue, visitproc visit, void* argument) {
    AsyncQueue::State& state = queue.state();
    if (state.in_use) return 0;
    int stop = visit_object(state.callback, visit, argument);
    for (const auto& item : state.userdata) {
        if (stop == 0) stop = visit_object(item, visit, argument);
    }
    return stop;
}

void clear_objects(AsyncQueue& queue) {
    queue.state().callback = nullptr;
    for (auto& item : queue.state().userdata) item = nullptr;
}

}  // namespace rondo::python
