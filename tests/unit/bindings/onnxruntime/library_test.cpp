// The functions that the plugin exports.
#include <gmock/gmock.h>

#include <cstddef>

#include "tests/unit/bindings/onnxruntime/stub/host_api.hpp"

extern "C" rondo::ort::OrtStatus* CreateEpFactories(const char* name,
                                                    const rondo::ort::OrtApiBase* base,
                                                    const rondo::ort::OrtLogger* logger,
                                                    rondo::ort::OrtEpFactory** factories,
                                                    std::size_t most, std::size_t* count);
extern "C" rondo::ort::OrtStatus* ReleaseEpFactory(rondo::ort::OrtEpFactory* factory);
extern "C" rondo::ort::OrtStatus* RegisterCustomOps(rondo::ort::OrtSessionOptions* options,
                                                    const rondo::ort::OrtApiBase* base);

namespace rondo::test::onnxruntime_library_test {
namespace {

using testing::HasSubstr;

// Places in the headers of 1.24 to 1.32, which are newer than the one that the test of the
// declarations finds.
constexpr std::size_t kFunction = sizeof(void*);
static_assert(offsetof(ort::OrtApi24, TensorTypeAndShape_HasShape) == 390 * kFunction);
static_assert(offsetof(ort::OrtApi24, GetTensorElementTypeAndShapeDataReference) ==
              414 * kFunction);

class OnnxruntimeLibrary : public testing::Test {
protected:
    void SetUp() override { ort::host_state() = {}; }
    void TearDown() override {
        for (const auto& device : ort::host_state().env.devices) {
            ReleaseEpFactory(device->factory);
        }
        ort::host_state() = {};
    }
};

std::string text_of(ort::OrtStatus* status) {
    if (status == nullptr) return "";
    const std::string text = status->text;
    delete status;
    return text;
}

TEST_F(OnnxruntimeLibrary, FillsEverySlotOfItsFactory) {
    ort::OrtEpFactory* factory = nullptr;
    std::size_t count = 0;
    ASSERT_EQ(CreateEpFactories("any", &ort::host_api_base(), nullptr, &factory, 4, &count),
              nullptr);
    ASSERT_EQ(count, 1U);
    const auto* slots = reinterpret_cast<void* const*>(factory);
    for (std::size_t i = 0; i < sizeof(ort::OrtEpFactory) / sizeof(void*); ++i) {
        EXPECT_NE(slots[i], nullptr) << i;
    }
    EXPECT_EQ(factory->ort_version_supported, 23U);
    EXPECT_STREQ(factory->GetName(factory), "RondoExecutionProvider");
    EXPECT_STREQ(factory->GetVendor(factory), "Rondo");
    EXPECT_THAT(factory->GetVersion(factory), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
    EXPECT_FALSE(factory->IsStreamAware(factory));
    ort::OrtDataTransferImpl* transfer = nullptr;
    EXPECT_EQ(factory->CreateDataTransfer(factory, &transfer), nullptr);
    EXPECT_EQ(transfer, nullptr);
    ort::OrtAllocator* allocator = nullptr;
    EXPECT_EQ(factory->CreateAllocator(factory, nullptr, nullptr, &allocator), nullptr);
    EXPECT_EQ(allocator, nullptr);
    EXPECT_EQ(ReleaseEpFactory(factory), nullptr);
}

TEST_F(OnnxruntimeLibrary, RefusesAnOldHost) {
    ort::host_state().is_too_old = true;
    ort::host_state().version = "1.22.1";
    ort::OrtEpFactory* factory = nullptr;
    std::size_t count = 7;
    EXPECT_THAT(
        text_of(CreateEpFactories("any", &ort::host_api_base(), nullptr, &factory, 4, &count)),
        HasSubstr("needs onnxruntime 1.23 or newer; this is 1.22.1"));
    EXPECT_EQ(count, 0U);
    ort::OrtSessionOptions options;
    EXPECT_THAT(text_of(RegisterCustomOps(&options, &ort::host_api_base())),
                HasSubstr("this is 1.22.1"));
}

TEST_F(OnnxruntimeLibrary, RefusesWithoutRoom) {
    ort::OrtEpFactory* factory = nullptr;
    std::size_t count = 7;
    EXPECT_THAT(
        text_of(CreateEpFactories("any", &ort::host_api_base(), nullptr, &factory, 0, &count)),
        HasSubstr("no room"));
}

TEST_F(OnnxruntimeLibrary, RegistersItselfOnceAsCustomOperators) {
    auto& env = ort::host_state().env;
    for (int i = 0; i < 2; ++i) {
        ort::OrtSessionOptions options;
        EXPECT_EQ(text_of(RegisterCustomOps(&options, &ort::host_api_base())), "");
        EXPECT_EQ(options.providers.size(), 1U);
    }
    EXPECT_EQ(env.libraries.size(), 1U);
    EXPECT_EQ(env.references, 1);  // the registration's
}

TEST_F(OnnxruntimeLibrary, ReportsWhatFailsInTheSecondDoor) {
    for (const auto* function : {"CreateEnv", "GetEpDevices", "RegisterExecutionProviderLibrary",
                                 "SessionOptionsAppendExecutionProvider_V2"}) {
        ort::OrtSessionOptions options;
        ort::host_state().faults = {function, 0};
        EXPECT_THAT(text_of(RegisterCustomOps(&options, &ort::host_api_base())),
                    HasSubstr(function));
    }
}

}  // namespace
}  // namespace rondo::test::onnxruntime_library_test
