#include "core/streams/state_bytes.hpp"

#include <gtest/gtest.h>

#include "core/support/digest.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/streams/pool_models.hpp"

namespace rondo::test::state_bytes_test {
namespace {

std::string letters_of(const Tensor& bytes) {
    return {static_cast<const char*>(bytes.data()), bytes.byte_size()};
}
Tensor bytes_from(const std::string& text) {
    Tensor bytes(ElementType::u8, {text.size()});
    std::copy(text.begin(), text.end(), static_cast<char*>(bytes.data()));
    return bytes;
}

TEST(StateBytes, GiveBackWhatTheyWereMadeOf) {
    const StateStore::Values values{{"a", tensor_of<float>({1, 2}, {1, 2})},
                                    {"b", tensor_of<std::int64_t>({}, {7})},
                                    {"none", Tensor(ElementType::f16, {0, 3})},
                                    {"unset", Tensor()}};
    const auto found = values_in(bytes_of(values));
    ASSERT_EQ(found.size(), 4U);
    EXPECT_FALSE(found.at("unset"));
    for (const auto& [name, value] : values) {
        if (value) expect_same(found.at(name), value);
    }
    EXPECT_TRUE(values_in(bytes_of({})).empty());
}

TEST(StateBytes, RefuseEveryDamagedOrMissingByte) {
    const std::string good = letters_of(bytes_of({{"a", tensor_of<float>({1, 2}, {1, 2})}}));
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 0x20);
        EXPECT_THROW(values_in(bytes_from(bad)), ModelError) << i;
        EXPECT_THROW(values_in(bytes_from(good.substr(0, i))), ModelError) << i;
    }
    expect_error<ModelError>([] { values_in(bytes_from("abc")); }, "these 3 bytes are not");
    expect_error<ModelError>([] { values_in({}); }, "empty tensor");
}

// Whatever the bytes say, if their digest fits.
TEST(StateBytes, SurviveForgedNumbers) {
    const std::string good = letters_of(bytes_of({{"a", tensor_of<float>({1, 2}, {1, 2})}}));
    const std::size_t end = good.size() - sizeof(Digest);
    for (std::size_t i = 0; i < end; ++i) {
        for (const char byte : {'\x00', '\x7f', '\xff'}) {
            std::string forged = good.substr(0, end);
            forged[i] = byte;
            const Digest digest = digest_of(forged.data(), forged.size());
            forged.append(reinterpret_cast<const char*>(&digest), sizeof(digest));
            try {
                values_in(bytes_from(forged));
            } catch (const Error&) {
            }
        }
    }
}

TEST(StateBytes, AStreamGoesOnInAnotherPool) {
    auto first = pool_of(running_sum());
    Stream stream = first.open();
    stream.push({row_of(1, 2)});
    const Tensor bytes = stream.save_state();
    auto second = pool_of(running_sum());
    Stream other = second.open();
    other.infer({row_of(100, 100)});
    other.load_state(bytes);
    expect_same(other.infer({row_of(1, 1)}).get_output_tensor(), row_of(2, 3));
    expect_same(stream.infer({row_of(1, 1)}).get_output_tensor(), row_of(2, 3));
}

// state() gives zeros for a variable without a value, which would then be one.
TEST(StateBytes, AVariableWithoutAValueStaysSo) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2]");
    const Output start = b.constant(tensor_of<float>({1, 2}, {10, 20}));
    const Output sum =
        b.make<ops::Binary>("sum", ops::BinaryFunction::add, b.read("sum", "[?,2]", {start}), x);
    b.assign("sum", sum);
    b.output("y", sum);
    auto pool = pool_of(Model(b.graph()));
    Stream fresh = pool.open();
    const Tensor bytes = fresh.save_state();
    expect_same(fresh.infer({row_of(1, 1)}).get_output_tensor(), row_of(11, 21));
    fresh.load_state(bytes);
    expect_same(fresh.infer({row_of(1, 1)}).get_output_tensor(), row_of(11, 21));
}

TEST(StateBytes, AnotherModelsAreRefused) {
    auto pool = pool_of(running_sum());
    auto wider = pool_of(running_sum("[?,3]"));
    Stream stream = pool.open();
    Stream other = wider.open();
    other.infer({tensor_of<float>({1, 3}, {1, 2, 3})});
    expect_error<ModelError>([&] { stream.load_state(other.save_state()); }, "variable 'sum': got");
    expect_error<ModelError>([&] { stream.load_state(bytes_of({})); },
                             "the state is of 0 variables; the model has 1");
    expect_error<ModelError>(
        [&] {
            stream.load_state(bytes_of({{"total", Tensor()}}));
        },
        "no variable 'total'");
}

}  // namespace
}  // namespace rondo::test::state_bytes_test
