#include "plugins/cpu/plugin/packed_files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/ops/product/matmul.hpp"
#include "rondo/core.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rng.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ir/ir_files.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test::packed_files_test {
namespace {

using cpu::AlignedBytes;
using cpu::PackedFiles;
using cpu::SharedBytes;
using cpu::UsePackedStore;

constexpr std::size_t kSize = std::size_t{2} << 20;

class PackedFilesTest : public ::testing::Test {
protected:
    // Bytes of that value, or the kept ones.
    SharedBytes packed(std::uint64_t source, unsigned char value, std::size_t size = kSize) {
        const UsePackedStore use(&store_);
        filled_ = false;
        return {size,
                [&](std::byte* bytes) {
                    filled_ = true;
                    std::fill_n(bytes, size, std::byte{value});
                },
                [&](Digester& digester) { digester.add_number(source); }};
    }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
            names.push_back(entry.path().string());
        }
        return names;
    }

    TemporaryFolder folder_;
    PackedFiles store_{folder_.path()};
    bool filled_ = false;
};

TEST_F(PackedFilesTest, ArePackedOnce) {
    const SharedBytes first = packed(1, 7);
    EXPECT_TRUE(filled_);
    const SharedBytes second = packed(1, 8);
    EXPECT_FALSE(filled_);
    ASSERT_EQ(second.size(), kSize);
    EXPECT_EQ(second.data()[0], std::byte{7});
    EXPECT_EQ(second.data()[kSize - 1], std::byte{7});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second.data()) % cpu::kCacheLine, 0U);
    EXPECT_EQ(files().size(), 1U);
    packed(2, 9);
    EXPECT_TRUE(filled_);
    EXPECT_EQ(files().size(), 2U);
}

TEST_F(PackedFilesTest, SmallOnesAndThoseOfNoStoreAreNotKept) {
    packed(1, 7, 4096);
    EXPECT_TRUE(files().empty());
    const SharedBytes lone(
        kSize, [](std::byte* bytes) { std::fill_n(bytes, kSize, std::byte{1}); },
        [](Digester&) { FAIL() << "there is no store"; });
    EXPECT_EQ(lone.data()[5], std::byte{1});
    EXPECT_TRUE(files().empty());
}

TEST_F(PackedFilesTest, DamagedOnesAreMadeAgain) {
    packed(1, 7);
    const std::string path = files().at(0);
    const std::string good = bytes_of(path);
    for (const std::size_t at : {std::size_t{0}, kSize - 1, kSize, good.size() - 1}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1);
        write_bytes(path, bad);
        EXPECT_EQ(packed(1, 7).data()[0], std::byte{7});
        EXPECT_TRUE(filled_) << at;
    }
    for (const std::size_t size : {std::size_t{0}, std::size_t{9}, kSize, good.size() - 1}) {
        write_bytes(path, good.substr(0, size));
        EXPECT_EQ(packed(1, 7).data()[0], std::byte{7});
        EXPECT_TRUE(filled_) << size;
    }
    packed(1, 7);
    EXPECT_FALSE(filled_);
}

TEST_F(PackedFilesTest, AFolderThatIsGoneIsNoError) {
    std::filesystem::remove_all(folder_.path());
    EXPECT_EQ(packed(1, 7).data()[3], std::byte{7});
    EXPECT_TRUE(filled_);
}

// Compiled without a cache, for a cache and from it: the same bits, and as many files of weights.
class SharedModels : public PackedFilesTest {
protected:
    template <typename T>
    void check(const RecurrentCase& test, std::size_t expected_files) {
        const auto made = make_recurrent<T>(test);
        const Properties cached{{property::kCacheDir, folder_.path()}};
        std::vector<std::vector<Tensor>> results;
        for (const Properties& properties : {Properties(), cached, cached, cached}) {
            auto request =
                Core().compile_model(Model(made.graph), "CPU", properties).create_infer_request();
            for (std::size_t i = 0; i < made.inputs.size(); ++i) {
                request.set_input_tensor(i, made.inputs[i]);
            }
            request.infer();
            results.emplace_back();
            for (std::size_t i = 0; i < made.graph->results().size(); ++i) {
                results.back().push_back(request.get_output_tensor(i));
            }
        }
        for (std::size_t run = 1; run < results.size(); ++run) {
            for (std::size_t i = 0; i < results[0].size(); ++i) {
                expect_same(results[run][i], results[0][i]);
            }
        }
        const auto names = files();
        const auto packed = std::count_if(
            names.begin(), names.end(), [](const auto& name) { return name.ends_with(".packed"); });
        EXPECT_EQ(static_cast<std::size_t>(packed), expected_files);
    }

    static RecurrentCase large(ElementType type = ElementType::f32) {
        RecurrentCase test;
        test.attributes.hidden_size = 300;
        test.input_size = 200;
        test.type = type;
        test.time = 3;
        return test;
    }
};

TEST_F(SharedModels, OfOneDirection) { check<ops::LSTMSequence>(large(), 1); }

TEST_F(SharedModels, OfTwoDirections) {
    RecurrentCase test = large();
    test.attributes.direction = ops::Direction::bidirectional;
    check<ops::GRUSequence>(test, 1);
}

TEST_F(SharedModels, OfDoubles) { check<ops::GRUSequence>(large(ElementType::f64), 1); }

TEST_F(SharedModels, OfWeightsWithPeepholes) {
    RecurrentCase test = large();
    test.peephole = true;
    check<ops::LSTMSequence>(test, 1);
}

TEST_F(SharedModels, OfHalfWeights) {
    RecurrentCase test = large();
    test.attributes.hidden_size = 400;
    test.stored = ElementType::f16;
    check<ops::LSTMSequence>(test, 1);
}

TEST_F(SharedModels, SmallOnesHaveNoFile) {
    RecurrentCase test = large();
    test.attributes.hidden_size = 20;
    check<ops::LSTMSequence>(test, 0);
}

// One number more or less is another file.
TEST_F(SharedModels, OtherWeightsAreOthers) {
    check<ops::LSTMSequence>(large(), 1);
    RecurrentCase other = large();
    other.time = 5;  // the weights are drawn after the inputs
    check<ops::LSTMSequence>(other, 2);
}

TEST_F(SharedModels, ProductsToo) {
    auto rng = test_rng();
    GraphBuilder b;
    const Output x = b.input("x", "[?,700]");
    const Output w = b.constant(random_tensor(ElementType::f32, {700, 600}, rng));
    b.output("y", b.make<ops::MatMul>("product", x, w));
    const Model model(b.graph());
    const Tensor input = random_tensor(ElementType::f32, {3, 700}, rng);
    std::vector<Tensor> results;
    const Properties cached{{property::kCacheDir, folder_.path()}};
    for (const Properties& properties : {Properties(), cached, cached}) {
        auto request = Core().compile_model(model, "CPU", properties).create_infer_request();
        request.set_input_tensor(input);
        request.infer();
        results.push_back(request.get_output_tensor());
    }
    expect_same(results[1], results[0]);
    expect_same(results[2], results[0]);
    EXPECT_EQ(files().size(), 2U);
}

}  // namespace
}  // namespace rondo::test::packed_files_test
