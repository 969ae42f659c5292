#include "core/runtime/compile.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/plugin/cpu_plugin.hpp"
#include "plugins/reference/reference_plugin.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/runtime/fake_device.hpp"

namespace rondo::test::model_key_test {
namespace {

std::shared_ptr<Graph> plus(float value, const std::string& name = "x") {
    auto x = make_node<ops::Parameter>(ElementType::f32, PartialShape{1});
    x->set_name(name);
    auto y = make_node<ops::Result>(make_node<ops::Binary>(
        ops::BinaryFunction::add, x, make_node<ops::Constant>(tensor_of<float>({1}, {value}))));
    return std::make_shared<Graph>("plus", std::vector<NodePtr>{x}, std::vector<NodePtr>{y});
}

CompileTarget on_cpu(const Properties& properties = {}) {
    CompileTarget target{"CPU", cpu::make_cpu_plugin(), properties};
    target.settings.merge(target.plugin->properties());
    return target;
}

TEST(ModelKey, EqualGraphsHaveEqualKeys) {
    EXPECT_EQ(model_key(on_cpu(), *plus(1)), model_key(on_cpu(), *plus(1)->clone()));
}

TEST(ModelKey, ConstantsNamesAndFactsMatter) {
    const std::string key = model_key(on_cpu(), *plus(1));
    EXPECT_NE(model_key(on_cpu(), *plus(1.0000001f)), key);
    EXPECT_NE(model_key(on_cpu(), *plus(1, "z")), key);
    const auto with_fact = plus(1);
    with_fact->rt_info()["fact"] = "yes";
    EXPECT_NE(model_key(on_cpu(), *with_fact), key);
    const auto with_node_fact = plus(1);
    with_node_fact->results()[0]->rt_info()["fact"] = "yes";
    EXPECT_NE(model_key(on_cpu(), *with_node_fact), key);
    const auto with_tensor_name = plus(1);
    with_tensor_name->parameters()[0]->output(0).set_names({"a", "b"});
    EXPECT_NE(model_key(on_cpu(), *with_tensor_name), key);
}

TEST(ModelKey, VersionDeviceAndSettingsMatter) {
    const std::string key = model_key(on_cpu(), *plus(1));
    EXPECT_NE(key.find("version " + get_version().build_number), std::string::npos) << key;
    const CompileTarget reference{"REFERENCE", reference::make_reference_plugin(), {}};
    EXPECT_NE(model_key(reference, *plus(1)), key);
    EXPECT_NE(model_key(on_cpu({{property::kCpuDenormalsOptimization, "NO"}}), *plus(1)), key);
    EXPECT_EQ(model_key(on_cpu({{property::kPerfCount, "YES"}}), *plus(1)), key);
    EXPECT_EQ(model_key(on_cpu({{property::kNumStreams, "2"}}), *plus(1)), key);
}

TEST(ModelKey, TheCapOnInstructionsMatters) {
    const EnvironmentVariable unset("RONDO_ISA", "");
    const std::string key = model_key(on_cpu(), *plus(1));
    const EnvironmentVariable capped("RONDO_ISA", "plain");
    const std::string plain = model_key(on_cpu(), *plus(1));
    EXPECT_NE(plain.find(", plain"), std::string::npos) << plain;
    if (key.find(", plain") == std::string::npos) {
        EXPECT_NE(plain, key);
    }
}

TEST(ModelKey, OfAFilesBytesAndItsName) {
    const std::string a = "bytes";
    const std::string b = "bytez";
    const auto file = [](const std::string& text) {
        return MappedFile{reinterpret_cast<const std::byte*>(text.data()), text.size(), nullptr};
    };
    const std::string key = model_key(on_cpu(), file(a), "folder/m.xml");
    EXPECT_EQ(model_key(on_cpu(), file(std::string(a)), "m.xml"), key);
    EXPECT_NE(model_key(on_cpu(), file(b), "folder/m.xml"), key);
    EXPECT_NE(model_key(on_cpu(), file(a), "folder/n.xml"), key);
}

}  // namespace
}  // namespace rondo::test::model_key_test
