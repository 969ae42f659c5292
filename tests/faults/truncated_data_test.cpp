// Files beside a model cut off at every byte: arrays of the command line and external data. Each
// ends in a ModelError.
#include "rondo/rondo.hpp"
#include "tests/faults/fault_models.hpp"
#include "tests/support/files/npz_bytes.hpp"
#include "tests/unit/core/ir/ir_files.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"
#include "tools/rondo/inputs/npy.hpp"

namespace rondo::test::truncated_data_test {
namespace {

const Tensor& array() {
    static const Tensor tensor = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    return tensor;
}

// `read` gets the path of each prefix of the file in turn, and then of the whole.
template <typename Read>
void expect_refused_when_cut(const std::string& path, const Read& read) {
    const std::string bytes = bytes_of(path);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        std::filesystem::remove(path);  // what was mapped stays whole
        write_bytes(path, bytes.substr(0, cut));
        EXPECT_THROW(read(path), ModelError) << "cut at byte " << cut;
    }
    write_bytes(path, bytes);
    EXPECT_NO_THROW(read(path));
}

TEST(Truncation, NpyFiles) {
    const TemporaryFolder folder;
    tool::write_npy(folder / "x.npy", array());
    expect_refused_when_cut(folder / "x.npy", tool::read_npy);
}

TEST(Truncation, NpzFiles) {
    const TemporaryFolder folder;
    tool::write_npy(folder / "x.npy", array());
    write_bytes(folder / "x.npz", npz_of_two("x.npy", "y.npy", bytes_of(folder / "x.npy")));
    expect_refused_when_cut(folder / "x.npz", tool::read_npz);
}

// y = x + w, where w lies in w.bin after two bytes that belong to nothing.
std::string external_model() {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2, 3}).initializer("w", array()).output("y");
    model.node("Add", {"x", "w"}, {"y"});
    auto& w = *model.graph().mutable_initializer(0);
    w.clear_raw_data();
    w.set_data_location(rondo_onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] : {std::pair{"location", "w.bin"}, std::pair{"offset", "2"}}) {
        auto& entry = *w.add_external_data();
        entry.set_key(key);
        entry.set_value(value);
    }
    return model.bytes();
}

TEST(Truncation, ExternalData) {
    const TemporaryFolder folder;
    write_bytes(folder / "m.onnx", external_model());
    const auto* elements = static_cast<const char*>(array().data());
    write_bytes(folder / "w.bin", "ab" + std::string(elements, array().byte_size()));
    expect_refused_when_cut(folder / "w.bin",
                            [&](const std::string&) { Core().read_model(folder / "m.onnx"); });
}

}  // namespace
}  // namespace rondo::test::truncated_data_test
