#include "core/ir/weights_file.hpp"

#include "core/graph/reloadable_tensor.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::weights_file_test {
namespace {

using ir::WeightsReader;
using ir::WeightsWriter;
using test::expect_error;
using test::expect_same;
using test::tensor_of;

ModelSource source_with(Tensor weights) {
    ModelSource source;
    source.weights = std::move(weights);
    return source;
}

Tensor bytes(std::size_t count) {
    Tensor tensor(ElementType::u8, {count});
    for (std::size_t i = 0; i < count; ++i) {
        tensor.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(i);
    }
    return tensor;
}

TEST(WeightsPath, LiesBesideTheXml) {
    EXPECT_EQ(ir::weights_path_of("a.b/model.v1.xml"), "a.b/model.v1.bin");
}

TEST(WeightsReader, SharesAlignedMemory) {
    const Tensor weights = bytes(16);
    const auto* base = static_cast<const std::byte*>(weights.data());
    WeightsReader reader(source_with(weights));
    const Tensor value = reader.read(ElementType::u32, {2}, {4, 8});
    EXPECT_EQ(static_cast<const std::byte*>(value.data()), base + 4);
    expect_same(value, tensor_of<std::uint32_t>({2}, {0x07060504, 0x0b0a0908}));
}

TEST(WeightsReader, CopiesUnalignedMemory) {
    WeightsReader reader(source_with(bytes(16)));
    const Tensor value = reader.read(ElementType::u32, {2}, {3, 8});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(value.data()) % 4, 0u);
    expect_same(value, tensor_of<std::uint32_t>({2}, {0x06050403, 0x0a090807}));
    EXPECT_FALSE(ReloadableTensor(value).is_in_file());  // of memory that the caller may change
}

TEST(WeightsReader, ConstantsOutliveTheReader) {
    const test::TemporaryFolder folder;
    test::write_bytes(folder / "m.bin", "\1\2\3\4\5\6\7\10");
    ModelSource source;
    source.path = folder / "m.xml";
    auto reader = std::make_unique<WeightsReader>(source);
    const Tensor shared = reader->read(ElementType::u16, {2}, {2, 4});
    const Tensor copied = reader->read(ElementType::u16, {2}, {1, 4});
    reader.reset();
    std::filesystem::remove(folder / "m.bin");
    expect_same(shared, tensor_of<std::uint16_t>({2}, {0x0403, 0x0605}));
    expect_same(copied, tensor_of<std::uint16_t>({2}, {0x0302, 0x0504}));
    EXPECT_TRUE(ReloadableTensor(copied).is_in_file());
    EXPECT_FALSE(ReloadableTensor(shared).is_in_file());
}

TEST(WeightsReader, BooleansAreZeroOrOne) {
    WeightsReader reader(source_with(tensor_of<std::uint8_t, int>({3}, {0, 255, 1})));
    const Tensor value = reader.read(ElementType::boolean, {3}, {0, 3});
    expect_same(value, tensor_of<bool>({3}, {false, true, true}));
}

TEST(WeightsReader, EmptyConstantsTakeNoneOrOneByte) {
    WeightsReader reader((ModelSource()));
    EXPECT_EQ(reader.read(ElementType::f32, {0, 3}, {0, 0}).shape(), (Shape{0, 3}));
    EXPECT_EQ(reader.read(ElementType::f32, {0}, {5000, 1}).size(), 0u);
    expect_error<ModelError>([&] { reader.read(ElementType::f32, {0}, {0, 2}); }, "takes 0");
}

TEST(WeightsReader, RefusesARangePastTheEnd) {
    WeightsReader reader(source_with(bytes(16)));
    expect_error<ModelError>(
        [&] {
            reader.read(ElementType::f32, {2}, {12, 8});
        },
        "offset 12 and size 8 pass the end of the weights in memory, which has 16 bytes");
    const auto huge = static_cast<std::size_t>(-4);
    expect_error<ModelError>(
        [&] {
            reader.read(ElementType::f32, {2}, {huge, 8});
        },
        "pass the end");
}

TEST(WeightsReader, RefusesASizeThatIsNotTheTensors) {
    WeightsReader reader(source_with(bytes(16)));
    expect_error<ModelError>(
        [&] {
            reader.read(ElementType::f32, {2}, {0, 4});
        },
        "size is 4 bytes, but f32[2] takes 8");
    expect_error<ModelError>([&] { reader.read(ElementType::f32, {2}, {0, 12}); }, "takes 8");
    const std::size_t large = std::size_t{1} << 40;
    expect_error<ModelError>(
        [&] {
            reader.read(ElementType::f32, {large, large}, {0, 4});
        },
        "too many elements");
}

TEST(WeightsReader, RefusesCopiesWithoutEnd) {
    const std::size_t size = std::size_t{1} << 23;
    WeightsReader reader(source_with(Tensor(ElementType::u8, {size})));
    const auto copy_all = [&] {
        for (std::size_t i = 0; i < 100; ++i) {
            reader.read(ElementType::u16, {size / 2 - 100}, {2 * i + 1, size - 200});
        }
    };
    expect_error<ModelError>(copy_all, "together the limit is 201326592");  // 64 MiB + 16 * 8
}

TEST(WeightsReader, RefusesSharedRangesWithoutEnd) {
    const std::size_t size = std::size_t{1} << 20;
    WeightsReader reader(source_with(Tensor(ElementType::u8, {size})));
    for (int i = 0; i < 1000; ++i) reader.read(ElementType::u8, {size}, {0, size});
    const auto read_shifted = [&] {
        for (std::size_t i = 1; i < 100; ++i)
            reader.read(ElementType::u8, {size - i}, {i, size - i});
    };
    expect_error<ModelError>(read_shifted, "property 'MAX_CONSTANT_BYTES'");
}

// These are copied, and wider in memory, each time that they are read.
TEST(WeightsReader, RefusesWidenedRangesWithoutEnd) {
    const std::size_t size = std::size_t{1} << 20;
    const auto expect_refused = [&](auto read) {
        WeightsReader reader(source_with(Tensor(ElementType::u8, {size})));
        const auto read_all = [&] {
            for (int i = 0; i < 100; ++i) read(reader);
        };
        expect_error<ModelError>(read_all, "property 'MAX_CONSTANT_BYTES'");
    };
    expect_refused([&](auto& reader) { reader.read(ElementType::boolean, {size}, {0, size}); });
    expect_refused([&](auto& reader) { reader.read(ElementType::u4, {size}, {0, size / 2}); });
    expect_refused([&](auto& reader) { reader.read_nf4({size / 2}, {0, size / 4}); });
}

TEST(WeightsReader, KeepsToTheLimitsOfTheUser) {
    ModelSource source = source_with(bytes(16));
    source.limits.constant_bytes = 12;
    WeightsReader reader(source);
    reader.read(ElementType::f32, {2}, {0, 8});
    reader.read(ElementType::f32, {2}, {0, 8});
    expect_error<ModelError>(
        [&] {
            reader.read(ElementType::f32, {2}, {8, 8});
        },
        "the constant has 8 bytes, those before it have 8; together the limit is 12");
}

TEST(WeightsReader, ChecksTheDigestThatIsExpected) {
    const Tensor weights = bytes(16);
    Digester digester;
    digester.add(std::as_const(weights).data(), 16);
    WeightsReader right(source_with(weights));
    right.expect_digest(digester.digest().text());
    EXPECT_EQ(right.read(ElementType::u8, {1}, {7, 1}).data<std::uint8_t>()[0], 7);
    WeightsReader wrong(source_with(bytes(15)));
    wrong.expect_digest(digester.digest().text());
    const std::string expected = "expected " + digester.digest().text();
    for (int i = 0; i < 2; ++i) {
        expect_error<ModelError>([&] { wrong.read(ElementType::u8, {1}, {7, 1}); }, expected);
    }
}

TEST(WeightsReader, MissingWeightsAreNamed) {
    WeightsReader nothing((ModelSource()));
    expect_error<ModelError>([&] { nothing.read(ElementType::u8, {1}, {0, 1}); }, "needs weights");
    ModelSource beside;
    beside.path = "/nowhere/m.xml";
    WeightsReader missing(beside);
    expect_error<ModelError>(
        [&] {
            missing.read(ElementType::u8, {1}, {0, 1});
        },
        "/nowhere/m.bin: can't read the file");
    ModelSource given;
    given.weights_path = "/nowhere/w.bin";
    expect_error<ModelError>([&] { WeightsReader reader(given); },
                             "/nowhere/w.bin: can't read the file");
}

// OpenVINO 2026.4 reads no constant of an IR whose weights have no bytes.
TEST(WeightsReader, TakesFilesBesideTheWeights) {
    const Tensor beside = bytes(16);
    ModelSource source = source_with(bytes(4));
    source.files.push_back({static_cast<const std::byte*>(beside.data()), 16, nullptr});
    WeightsReader reader(source);
    const Tensor value = reader.read(ElementType::u32, {1}, {4, 4, 1});
    EXPECT_EQ(value.data(), beside.data<std::uint8_t>() + 4);
    expect_same(value, tensor_of<std::uint32_t>({1}, {0x07060504}));
    expect_same(reader.read(ElementType::u32, {1}, {5, 4, 1}),
                tensor_of<std::uint32_t>({1}, {0x08070605}));
    expect_same(reader.read(ElementType::u32, {1}, {0, 4}),
                tensor_of<std::uint32_t>({1}, {0x03020100}));
    expect_error<ModelError>(
        [&] {
            reader.read(ElementType::u32, {1}, {13, 4, 1});
        },
        "offset 13 and size 4 pass the end of file 1, which has 16 bytes");
    expect_error<ModelError>(
        [&] {
            reader.read(ElementType::u32, {1}, {0, 4, 2});
        },
        "file is 2; there are 1");
}

TEST(WeightsWriter, LeavesConstantsWhereTheyLie) {
    const test::TemporaryFolder folder;
    const std::string first = "abcdef";
    const std::string second = "ghijklm";
    const auto mapped = [](const std::string& text) {
        return MappedFile{reinterpret_cast<const std::byte*>(text.data()), text.size(), nullptr};
    };
    const MappedFile files[] = {mapped(first), mapped(second)};
    ir::OutputFile file(folder / "w.bin");
    WeightsWriter writer(file, files);
    EXPECT_EQ(writer.place(second.data() + 3, 4, 4), (ir::WeightsRange{3, 4, 2}));
    EXPECT_EQ(writer.place(first.data(), 6, 1), (ir::WeightsRange{0, 6, 1}));
    EXPECT_EQ(file.size(), 0u);
    EXPECT_EQ(writer.place("abc", 3, 1), (ir::WeightsRange{0, 3, 0}));
    EXPECT_EQ(writer.place(second.data() + 7, 0, 1), (ir::WeightsRange{3, 0, 0}));
    EXPECT_EQ(file.size(), 3u);
}

TEST(WeightsWriter, EmptyConstantsAloneTakeOneByte) {
    const test::TemporaryFolder folder;
    ir::OutputFile file(folder / "w.bin");
    WeightsWriter writer(file);
    EXPECT_EQ(writer.add(nullptr, 0, 4), 0u);
    EXPECT_EQ(file.size(), 1u);
    EXPECT_EQ(writer.add(nullptr, 0, 4), 1u);
    EXPECT_EQ(file.size(), 1u);
    EXPECT_EQ(writer.add("abcd", 4, 4), 4u);
}

TEST(WeightsWriter, StoresEqualBytesOnceAndAligns) {
    const test::TemporaryFolder folder;
    ir::OutputFile file(folder / "w.bin");
    WeightsWriter writer(file);
    EXPECT_EQ(writer.add("abc", 3, 1), 0u);
    EXPECT_EQ(writer.add("12345678", 8, 8), 8u);
    EXPECT_EQ(writer.add("abc", 3, 1), 0u);
    EXPECT_EQ(writer.add("ab", 2, 1), 16u);       // a prefix is another constant
    EXPECT_EQ(writer.add("12345678", 8, 4), 8u);  // of another type
    EXPECT_EQ(writer.add("z1234567", 8, 1), 18u);
    EXPECT_EQ(writer.add("z1234567", 8, 4), 28u);  // the first copy isn't aligned
    EXPECT_EQ(writer.add(nullptr, 0, 4), 36u);
    file.finish();
    file.publish();
    using namespace std::string_literals;
    EXPECT_EQ(test::bytes_of(folder / "w.bin"), "abc\0\0\0\0\00012345678abz1234567\0\0z1234567"s);
}

}  // namespace
}  // namespace rondo::weights_file_test
