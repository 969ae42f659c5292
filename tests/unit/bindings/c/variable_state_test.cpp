#include "rondo/c/variable_state.h"

#include <utility>
#include <vector>

#include "tests/support/source_dir.hpp"
#include "tests/unit/bindings/c/c_api.hpp"

namespace rondo::test::variable_state_test {
namespace {

using StateList =
    std::unique_ptr<rondo_variable_state_list_t, Freer<rondo_variable_state_list_free>>;

// x f32[?,?,3] -> LSTM that keeps h and c [?,1,4] -> y [?,?,4].
RequestHandle stateful_request() {
    static const std::string path =
        std::string(RONDO_SOURCE_DIR) + "/tests/data/ir/openvino_stateful.xml";
    rondo_compiled_model_t* compiled = nullptr;
    rondo_infer_request_t* request = nullptr;
    expect_ok(rondo_core_compile_model_from_file(make_core().get(), path.c_str(), "CPU", nullptr, 0,
                                                 &compiled));
    const CompiledHandle owner(compiled);
    expect_ok(rondo_compiled_model_create_infer_request(compiled, &request));
    return RequestHandle(request);
}

StateList states_of(const RequestHandle& request) {
    rondo_variable_state_list_t* list = nullptr;
    expect_ok(rondo_infer_request_query_state(request.get(), &list));
    return StateList(list);
}

// y for steps [first, last) of a fixed ramp.
std::vector<float> run(const RequestHandle& request, std::size_t first, std::size_t last) {
    const auto x = make_tensor({1, last - first, 3});
    void* data = nullptr;
    expect_ok(rondo_tensor_data(x.get(), &data));
    for (std::size_t i = 0; i < 3 * (last - first); ++i) {
        static_cast<float*>(data)[i] = 0.1f * static_cast<float>(3 * first + i) - 0.7f;
    }
    expect_ok(rondo_infer_request_set_tensor(request.get(), "x", x.get()));
    expect_ok(rondo_infer_request_infer(request.get()));
    rondo_tensor_t* y = nullptr;
    expect_ok(rondo_infer_request_get_tensor(request.get(), "y", &y));
    const TensorHandle owner(y);
    expect_ok(rondo_tensor_data(y, &data));
    const auto* floats = static_cast<const float*>(data);
    return {floats, floats + 4 * (last - first)};
}

TEST(CVariableState, ChunksGiveTheBitsOfTheWhole) {
    const auto whole = run(stateful_request(), 0, 6);
    const auto request = stateful_request();
    std::vector<float> y;
    const std::vector<std::pair<std::size_t, std::size_t>> chunks{{0, 1}, {1, 4}, {4, 6}};
    for (const auto& [first, last] : chunks) {
        const auto part = run(request, first, last);
        y.insert(y.end(), part.begin(), part.end());
    }
    EXPECT_EQ(y, whole);
    expect_ok(rondo_infer_request_reset_state(request.get()));
    EXPECT_EQ(run(request, 0, 6), whole);
}

TEST(CVariableState, IsListedReadAndSet) {
    const auto request = stateful_request();
    const auto first = run(request, 0, 2);
    const auto states = states_of(request);
    ASSERT_EQ(rondo_variable_state_list_size(states.get()), 2u);
    std::vector<TensorHandle> kept;
    const char* names[] = {"h", "c"};
    for (std::size_t i = 0; i < 2; ++i) {
        const rondo_variable_state_t* state = rondo_variable_state_list_at(states.get(), i);
        const char* name = nullptr;
        expect_ok(rondo_variable_state_get_name(state, &name));
        EXPECT_STREQ(name, names[i]);
        rondo_tensor_t* tensor = nullptr;
        expect_ok(rondo_variable_state_get_state(state, &tensor));
        kept.emplace_back(tensor);
    }
    const auto second = run(request, 2, 4);
    for (std::size_t i = 0; i < 2; ++i) {
        expect_ok(rondo_variable_state_set_state(rondo_variable_state_list_at(states.get(), i),
                                                 kept[i].get()));
    }
    EXPECT_EQ(run(request, 2, 4), second);
    for (std::size_t i = 0; i < 2; ++i) {
        expect_ok(rondo_variable_state_reset(rondo_variable_state_list_at(states.get(), i)));
    }
    EXPECT_EQ(run(request, 0, 2), first);
}

TEST(CVariableState, SaysWhatIsWrong) {
    const auto states = states_of(stateful_request());  // the request's handle is gone by now
    rondo_variable_state_t* state = rondo_variable_state_list_at(states.get(), 0);
    expect_status(rondo_variable_state_set_state(state, make_tensor({1, 1, 5}).get()),
                  RONDO_MODEL_ERROR, "variable 'h': got f32[1,1,5]; expected f32[?,1,4]");
    expect_status(rondo_variable_state_set_state(state, nullptr), RONDO_INVALID_ARGUMENT,
                  "'tensor' is NULL");
    EXPECT_EQ(rondo_variable_state_list_at(states.get(), 2), nullptr);
}

}  // namespace
}  // namespace rondo::test::variable_state_test
