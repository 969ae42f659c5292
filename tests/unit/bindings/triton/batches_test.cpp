// Stateless requests: those that come together run as one, and each has its own bits and errors.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <numeric>

#include "tests/unit/bindings/triton/models.hpp"

namespace rondo::test::triton::batches_test {
namespace {

// The detector as it is, with an open batch.
class Detector {
public:
    explicit Detector(const std::string& name)
        : folder_(ModelFolder::with_detector()),
          model_(name, folder_.path(), {config_with({{"batch", "?"}})}) {
        EXPECT_EQ(model_.error(), "");
    }
    StubModel* operator->() { return &model_; }

private:
    ModelFolder folder_;
    StubModel model_;
};

Ask ask_of(std::int64_t rows, std::int64_t steps, std::uint32_t seed) {
    Ask ask;
    const auto state = [&](std::uint32_t which) {
        auto values = frames(2, seed * 3 + which);
        values.resize(24);
        std::vector<float> all;
        for (int row = 0; row < rows; ++row) all.insert(all.end(), values.begin(), values.end());
        return data_of({rows, 1, 24}, all);
    };
    ask.inputs["audio"] = data_of({rows, steps, 16}, frames(rows * steps, seed));
    ask.inputs["h"] = state(1);
    ask.inputs["c"] = state(2);
    ask.outputs = {"score", "h_out"};
    return ask;
}

void expect_equal(const AnswerPtr& answer, const AnswerPtr& alone) {
    answer->wait();
    EXPECT_EQ(answer->error(), "");
    for (const char* name : {"score", "h_out"}) {
        EXPECT_EQ(answer->output(name).shape, alone->output(name).shape);
        EXPECT_EQ(answer->output(name).bytes, alone->output(name).bytes) << name;
    }
}

TEST(TritonBatches, HaveTheBitsOfEachAlone) {
    Detector model("joined");
    const std::vector<std::int64_t> rows{1, 3, 1, 8, 2, 5, 1, 1};
    for (std::size_t count = 1; count <= rows.size(); ++count) {
        std::vector<Ask> asks;
        for (std::size_t i = 0; i < count; ++i) asks.push_back(ask_of(rows[i], 7, i));
        const auto before = model->statistics();
        const auto answers = model->execute(asks);
        EXPECT_EQ(model->statistics().batches, before.batches + 1);
        EXPECT_EQ(model->statistics().rows - before.rows,
                  std::accumulate(rows.begin(), rows.begin() + count, std::uint64_t{0}));
        for (std::size_t i = 0; i < count; ++i) expect_equal(answers[i], model->infer(asks[i]));
    }
    EXPECT_EQ(model->statistics().failed, 0u);
    EXPECT_TRUE(model->statistics().times_ascend);
}

TEST(TritonBatches, TakeShapesApart) {
    Detector model("ragged");
    const std::vector<Ask> asks{ask_of(1, 3, 1), ask_of(2, 5, 2), ask_of(1, 3, 3), ask_of(1, 5, 4)};
    const auto answers = model->execute(asks);
    EXPECT_EQ(model->statistics().batches, 2u);
    for (std::size_t i = 0; i < asks.size(); ++i) expect_equal(answers[i], model->infer(asks[i]));
}

TEST(TritonBatches, DontShareErrorsOfRequests) {
    Detector model("bad_requests");
    std::vector<Ask> asks;
    for (std::uint32_t i = 0; i < 7; ++i) asks.push_back(ask_of(2, 4, i));
    asks[0].inputs["h"].type = TRITONSERVER_TYPE_INT32;
    asks[2].inputs.erase("c");
    asks[3].inputs["audio"].shape = {2, 8, 8};
    asks[4].inputs["h"] = data_of({1, 1, 24}, std::vector<float>(24));
    *asks[5].cancelled = true;
    const auto answers = model->execute(asks);
    for (const std::size_t good : {1, 6}) expect_equal(answers[good], model->infer(asks[good]));
    const auto refused = [&](std::size_t i, TRITONSERVER_Error_Code code, const char* text) {
        answers[i]->wait();
        EXPECT_EQ(answers[i]->code(), code);
        EXPECT_NE(answers[i]->error().find(text), std::string::npos) << answers[i]->error();
        EXPECT_EQ(answers[i]->responses(), 1);
    };
    refused(0, TRITONSERVER_ERROR_INVALID_ARG, "'h' is TYPE_INT32; the model takes TYPE_FP32");
    refused(2, TRITONSERVER_ERROR_INVALID_ARG, "'c' was not given");
    refused(3, TRITONSERVER_ERROR_INVALID_ARG, "[2,8,8]");
    refused(4, TRITONSERVER_ERROR_INVALID_ARG, "the batch of the first input is 2");
    refused(5, TRITONSERVER_ERROR_CANCELLED, "cancelled");
    EXPECT_EQ(model->statistics().failed, 5u);
}

// A row past the table is found by the inference, of which the others know nothing.
TEST(TritonBatches, DontShareErrorsOfInferences) {
    const auto folder = ModelFolder::with(table_model());
    StubModel model("table", folder.path(), {config_with({})});
    ASSERT_EQ(model.error(), "");
    const auto ask_for = [](const std::vector<std::int64_t>& rows) {
        Ask ask;
        Data data;
        data.type = TRITONSERVER_TYPE_INT64;
        data.shape = {static_cast<std::int64_t>(rows.size()), 1};
        data.bytes.assign(reinterpret_cast<const char*>(rows.data()), rows.size() * 8);
        ask.inputs["row"] = data;
        ask.outputs = {"y"};
        return ask;
    };
    const auto answers = model.execute({ask_for({3}), ask_for({0, 99}), ask_for({15, 1})});
    for (const auto& answer : answers) answer->wait();
    EXPECT_EQ(answers[0]->values("y"), (std::vector<float>{12.5, 13.5, 14.5, 15.5}));
    EXPECT_EQ(answers[1]->code(), TRITONSERVER_ERROR_INVALID_ARG);
    EXPECT_NE(answers[1]->error().find("99"), std::string::npos) << answers[1]->error();
    EXPECT_EQ(answers[2]->values("y"),
              (std::vector<float>{60.5, 61.5, 62.5, 63.5, 4.5, 5.5, 6.5, 7.5}));
}

TEST(TritonBatches, LeaveNothing) {
    StubServer::get();
    const long long before = StubServer::live_objects();
    {
        Detector model("batches_leave");
        model->execute({ask_of(1, 3, 1), ask_of(2, 3, 2)});
        Ask bad = ask_of(1, 3, 1);
        bad.outputs = {"score", "nothing"};
        EXPECT_NE(model->infer(bad)->error().find("no output 'nothing'"), std::string::npos);
    }
    EXPECT_EQ(StubServer::live_objects(), before);
}

}  // namespace
}  // namespace rondo::test::triton::batches_test
