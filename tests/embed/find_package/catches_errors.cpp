// Errors thrown inside the library are caught by type outside, and both devices are there.
#include <cstdio>
#include <cstring>
#include <rondo/rondo.hpp>

namespace {

// True where compiling throws an Error of exactly this kind with this text.
template <typename Kind, typename Callable>
bool throws(Callable&& callable, const char* text) {
    try {
        callable();
    } catch (const Kind& error) {
        if (std::strstr(error.what(), text) != nullptr) return true;
        std::printf("no '%s' in: %s\n", text, error.what());
    } catch (const std::exception& error) {
        std::printf("another kind of error: %s\n", error.what());
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 1;
    const char* model = argv[1];
    rondo::Core core;
    bool good =
        throws<rondo::ModelError>([&] { core.compile_model("nowhere.xml"); }, "nowhere.xml");
    good &= throws<rondo::ModelError>([&] { core.compile_model(model, "NPU"); }, "'CPU'");
    good &= throws<rondo::UnsupportedError>(
        [&] {
            core.compile_model(model, "CPU", {{rondo::property::kInferencePrecisionHint, "f16"}});
        },
        "f32 or bf16");
    for (const char* device : {"CPU", "REFERENCE"}) {
        auto request = core.compile_model(model, device).create_infer_request();
        request.get_input_tensor();
        request.infer();
        good &= request.get_output_tensor().shape() == rondo::Shape{1, 1, 2, 2};
    }
    return good ? 0 : 1;
}
