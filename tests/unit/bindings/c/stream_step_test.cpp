// A step in C: waiting, outputs, cancelling.
#include "tests/unit/bindings/c/c_streams.hpp"

namespace rondo::test::stream_step_test {
namespace {

PoolHandle pool_of_one_thread() {
    rondo_stream_pool_options_t options = RONDO_STREAM_POOL_OPTIONS_INIT;
    options.threads = 1;
    return make_pool(&options);
}

TEST(CStreamStep, IsWaitedForAndCancelled) {
    const auto pool = pool_of_one_thread();
    const auto stream = open_stream(pool);
    StepHandle first;
    StepHandle second;
    int done = 1;
    {
        const Hold hold(pool);
        first = push(stream, 1);
        second = push(stream, 1);
        expect_ok(rondo_stream_step_is_done(first.get(), &done));
        EXPECT_EQ(done, 0);
        expect_ok(rondo_stream_step_wait_for(first.get(), 1000, &done));
        EXPECT_EQ(done, 0);
        expect_ok(rondo_stream_step_cancel(first.get()));
        expect_ok(rondo_stream_step_is_done(first.get(), &done));
        EXPECT_EQ(done, 1);
    }
    expect_ok(rondo_stream_step_wait_for(second.get(), INT64_MAX, &done));
    EXPECT_EQ(done, 1);
    expect_ok(rondo_stream_step_wait(second.get()));
    rondo_tensor_t* y = nullptr;
    expect_status(rondo_stream_step_get_output_tensor(first.get(), 0, &y), RONDO_CANCELLED,
                  "the step was cancelled");
    EXPECT_EQ(y, nullptr);
    expect_ok(rondo_stream_step_cancel(second.get()));  // has ended: nothing to do
    expect_ok(rondo_stream_step_wait(second.get()));
}

TEST(CStreamStep, HasOutputsByNameAndIndex) {
    const auto pool = pool_of_one_thread();
    const auto step = push(open_stream(pool), 1);
    rondo_tensor_t* y = nullptr;
    expect_ok(rondo_stream_step_get_tensor(step.get(), "y", &y));
    const TensorHandle owner(y);
    const size_t* shape = nullptr;
    size_t rank = 0;
    expect_ok(rondo_tensor_shape(y, &shape, &rank));
    EXPECT_EQ(std::vector<size_t>(shape, shape + rank), (std::vector<size_t>{1, 1, 4}));
    void* data = nullptr;
    expect_ok(rondo_tensor_data(y, &data));
    EXPECT_EQ(static_cast<const float*>(data)[0], output_of(step.get())[0]);
    rondo_tensor_t* none = nullptr;
    expect_status(rondo_stream_step_get_tensor(step.get(), "z", &none), RONDO_MODEL_ERROR, "'z'");
    expect_status(rondo_stream_step_get_output_tensor(step.get(), 1, &none), RONDO_MODEL_ERROR,
                  "no output 1");
}

}  // namespace
}  // namespace rondo::test::stream_step_test
