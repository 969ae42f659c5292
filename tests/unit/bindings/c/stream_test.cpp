// A stream in C: pushing, callbacks, state, and full queues.
#include "tests/unit/bindings/c/c_streams.hpp"

namespace rondo::test::stream_test {
namespace {

PoolHandle pool_with(rondo_overflow_t overflow) {
    rondo_stream_pool_options_t options = RONDO_STREAM_POOL_OPTIONS_INIT;
    options.threads = 1;
    options.queue_limit = 2;
    options.overflow = overflow;
    return make_pool(&options);
}

TEST(CStream, KeepsAStateOfItsOwn) {
    const auto pool = make_pool();
    const auto a = open_stream(pool);
    const auto b = open_stream(pool);
    const auto first = output_of(push(a, 1).get());
    const auto second = output_of(push(a, 1).get());
    EXPECT_NE(first, second);
    EXPECT_EQ(output_of(push(b, 1).get()), first);
    expect_ok(rondo_stream_reset(a.get()));
    EXPECT_EQ(output_of(push(a, 1).get()), first);
    EXPECT_EQ(output_of(push(b, 1).get()), second);
}

TEST(CStream, TakesInputsByPlaceOrName) {
    const auto pool = make_pool();
    const auto stream = open_stream(pool);
    const auto other = open_stream(pool);
    const auto x = input_of(0.5f);
    rondo_named_tensor_t named[] = {{"x", x.get()}, {"x", x.get()}};
    rondo_stream_step_t* step = nullptr;
    expect_ok(rondo_stream_infer_named(stream.get(), named, 1, &step));
    const StepHandle owner(step);
    EXPECT_EQ(output_of(step), output_of(push(other, 0.5f).get()));
    expect_status(rondo_stream_push_named(stream.get(), named, 2, &step), RONDO_INVALID_ARGUMENT,
                  "tensor 'x' is named twice");
    EXPECT_EQ(step, nullptr);
    named[0].name = "z";
    expect_status(rondo_stream_push_named(stream.get(), named, 1, &step), RONDO_MODEL_ERROR, "'z'");
    named[0].name = nullptr;
    expect_status(rondo_stream_push_named(stream.get(), named, 1, &step), RONDO_INVALID_ARGUMENT,
                  "rondo_stream_push_named: 'name' is NULL");
    expect_status(rondo_stream_push(stream.get(), nullptr, 0, &step), RONDO_MODEL_ERROR,
                  "got 0 inputs");
    const auto two_rows = make_tensor({2, 1, 3});
    const rondo_tensor_t* const inputs[] = {two_rows.get()};
    expect_status(rondo_stream_infer(stream.get(), inputs, 1, &step), RONDO_MODEL_ERROR,
                  "an extent of 1 along the batch");
}

struct Ending {
    std::atomic<int> calls{0};
    rondo_status_t status = RONDO_INTERNAL_ERROR;
    std::string message;
    std::vector<float> y;
};

void keep(const rondo_stream_step_t* step, rondo_status_t status, const char* message,
          void* user_data) {
    auto& ending = *static_cast<Ending*>(user_data);
    ending.status = status;
    ending.message = message;
    if (status == RONDO_OK) ending.y = output_of(step);
    ++ending.calls;
}

void wait_for(const Ending& ending) {
    while (ending.calls == 0) std::this_thread::yield();
}

TEST(CStream, CallsBackOnceAStepHasEnded) {
    const auto pool = make_pool();
    const auto stream = open_stream(pool);
    const auto x = input_of(1);
    const rondo_tensor_t* const inputs[] = {x.get()};
    const rondo_named_tensor_t named[] = {{"x", x.get()}};
    rondo_stream_step_t* step = nullptr;
    Ending first;
    Ending second;
    expect_ok(rondo_stream_push_with_callback(stream.get(), inputs, 1, keep, &first, &step));
    const StepHandle owner(step);
    expect_ok(
        rondo_stream_push_named_with_callback(stream.get(), named, 1, keep, &second, nullptr));
    wait_for(second);
    EXPECT_EQ(first.calls, 1);
    EXPECT_EQ(first.status, RONDO_OK);
    EXPECT_EQ(first.message, "");
    EXPECT_EQ(first.y, output_of(step));
    EXPECT_NE(first.y, second.y);
    expect_status(rondo_stream_push_with_callback(stream.get(), inputs, 1, nullptr, &first, &step),
                  RONDO_INVALID_ARGUMENT, "'callback' is NULL");
    EXPECT_EQ(step, nullptr);
    expect_status(rondo_stream_push_with_callback(stream.get(), inputs, 0, keep, &first, nullptr),
                  RONDO_MODEL_ERROR, "got 0 inputs");
    EXPECT_EQ(first.calls, 1);
}

TEST(CStream, CallsBackWithTheReasonOfAFailure) {
    const auto pool = pool_with(RONDO_OVERFLOW_REJECT);
    const auto stream = open_stream(pool);
    const auto x = input_of(1);
    const rondo_tensor_t* const inputs[] = {x.get()};
    Ending ending;
    {
        const Hold hold(pool);
        expect_ok(rondo_stream_push_with_callback(stream.get(), inputs, 1, keep, &ending, nullptr));
        expect_ok(rondo_stream_cancel(stream.get()));
    }
    wait_for(ending);
    EXPECT_EQ(ending.status, RONDO_CANCELLED);
    EXPECT_EQ(ending.message, "the stream's steps were cancelled");
}

TEST(CStream, PushedStepsEndWhenAllIsFreed) {
    auto pool = pool_with(RONDO_OVERFLOW_REJECT);
    auto stream = open_stream(pool);
    const auto first = push(stream, 1);
    const auto second = push(stream, 1);
    pool.reset();
    stream.reset();
    expect_ok(rondo_stream_step_wait(first.get()));
    expect_ok(rondo_stream_step_wait(second.get()));
}

TEST(CStream, AFullQueueRejectsOrDrops) {
    const auto rejecting = pool_with(RONDO_OVERFLOW_REJECT);
    const auto stream = open_stream(rejecting);
    {
        const Hold hold(rejecting);
        const auto first = push(stream, 1);
        const auto second = push(stream, 1);
        const auto x = input_of(1);
        const rondo_tensor_t* const inputs[] = {x.get()};
        rondo_stream_step_t* third = nullptr;
        expect_status(rondo_stream_push(stream.get(), inputs, 1, &third), RONDO_QUEUE_FULL,
                      "queue_limit is 2");
        EXPECT_EQ(third, nullptr);
    }
    const auto dropping = pool_with(RONDO_OVERFLOW_DROP_OLDEST);
    const auto other = open_stream(dropping);
    std::vector<StepHandle> steps;
    {
        const Hold hold(dropping);
        for (int i = 0; i < 3; ++i) steps.push_back(push(other, 1));
    }
    expect_ok(rondo_stream_step_wait(steps[2].get()));
    expect_status(rondo_stream_step_wait(steps[0].get()), RONDO_CANCELLED, "dropped");
}

TEST(CStream, StateIsReadSetAndForked) {
    const auto pool = make_pool();
    const auto stream = open_stream(pool);
    push(stream, 1);
    rondo_named_tensor_list_t* list = nullptr;
    expect_ok(rondo_stream_state(stream.get(), &list));
    const NamedTensors state(list);
    ASSERT_EQ(rondo_named_tensor_list_size(list), 2u);
    EXPECT_STREQ(rondo_named_tensor_list_at(list, 0)->name, "c");
    EXPECT_STREQ(rondo_named_tensor_list_at(list, 1)->name, "h");
    rondo_stream_t* handle = nullptr;
    expect_ok(rondo_stream_fork(stream.get(), &handle));
    const StreamHandle fork(handle);
    const auto next = output_of(push(stream, 2).get());
    EXPECT_EQ(output_of(push(fork, 2).get()), next);
    expect_ok(rondo_stream_set_state(stream.get(), rondo_named_tensor_list_at(list, 0), 2));
    EXPECT_EQ(output_of(push(stream, 2).get()), next);
    const rondo_named_tensor_t unknown[] = {{"s", rondo_named_tensor_list_at(list, 0)->tensor}};
    expect_status(rondo_stream_set_state(stream.get(), unknown, 1), RONDO_MODEL_ERROR, "'s'");
    expect_status(rondo_stream_set_state(stream.get(), nullptr, 1), RONDO_INVALID_ARGUMENT,
                  "rondo_stream_set_state: 'state' is NULL");
}

TEST(CStream, StateIsSavedAndLoaded) {
    const auto pool = make_pool();
    const auto stream = open_stream(pool);
    push(stream, 1);
    rondo_tensor_t* handle = nullptr;
    expect_ok(rondo_stream_save_state(stream.get(), &handle));
    const TensorHandle bytes(handle);
    const auto next = output_of(push(stream, 2).get());
    const auto others = make_pool();
    const auto other = open_stream(others);
    expect_ok(rondo_stream_load_state(other.get(), bytes.get()));
    EXPECT_EQ(output_of(push(other, 2).get()), next);
    expect_status(rondo_stream_load_state(other.get(), make_tensor({3}, RONDO_U8).get()),
                  RONDO_MODEL_ERROR, "these 3 bytes are not the state of a stream");
}

TEST(CStream, IsClosedByItsHandleOrByName) {
    const auto pool = make_pool();
    const auto stream = open_stream(pool);
    const auto step = push(stream, 1);
    int open = 0;
    expect_ok(rondo_stream_is_open(stream.get(), &open));
    EXPECT_EQ(open, 1);
    expect_ok(rondo_stream_close(stream.get()));
    expect_ok(rondo_stream_is_open(stream.get(), &open));
    EXPECT_EQ(open, 0);
    expect_ok(rondo_stream_step_wait(step.get()));
    expect_status(rondo_stream_reset(stream.get()), RONDO_MODEL_ERROR, "closed");
    const StepHandle last = push(open_stream(pool), 1);  // its stream's handle is gone
    EXPECT_EQ(output_of(last.get()), output_of(step.get()));
}

}  // namespace
}  // namespace rondo::test::stream_test
