#include "bindings/onnxruntime/src/options.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "bindings/onnxruntime/src/names.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"

namespace rondo::ort {
namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

[[noreturn]] void refuse(const char* key, const std::string& value, const std::string& expected) {
    throw ModelError("option '" + std::string(key) + "' is '" + value + "'; expected " + expected);
}

void set_number(Options& options, const char* key, const char* property, const std::string& value) {
    const bool is_number =
        !value.empty() && value.size() < 7 &&
        std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!is_number) refuse(key, value, "a number from 0");
    options.properties[property] = value;
}

void set_num_threads(Options& options, const std::string& value) {
    set_number(options, "num_threads", property::kInferenceNumThreads, value);
}

void set_streams(Options& options, const std::string& value) {
    set_number(options, "streams", property::kNumStreams, value);
}

void set_precision(Options& options, const std::string& value) {
    if (value != "f32" && value != "bf16") refuse("precision", value, "f32 or bf16");
    options.properties[property::kInferencePrecisionHint] = value;
}

void set_cache_dir(Options& options, const std::string& value) {
    std::error_code error;
    std::filesystem::create_directories(value, error);
    if (error) refuse("cache_dir", value, "a folder that is or can be made: " + error.message());
    options.properties[property::kCacheDir] = value;
}

void set_partition(Options& options, const std::string& value) {
    static const std::map<std::string, Partition> names{{"auto", Partition::automatic},
                                                        {"whole", Partition::whole},
                                                        {"recurrent", Partition::recurrent},
                                                        {"none", Partition::none}};
    const auto at = names.find(value);
    if (at == names.end()) refuse("partition", value, "auto, whole, recurrent or none");
    options.partition = at->second;
}

struct Option {
    const char* key;
    void (*set)(Options& options, const std::string& value);
};

constexpr Option kOptions[] = {{"cache_dir", set_cache_dir},
                               {"num_threads", set_num_threads},
                               {"partition", set_partition},
                               {"precision", set_precision},
                               {"streams", set_streams}};

void set_option(Options& options, const std::string& key, const std::string& value) {
    std::vector<std::string> known;
    for (const auto& option : kOptions) {
        if (key == option.key) return option.set(options, value);
        known.emplace_back(option.key);
    }
    throw ModelError("unknown option '" + key + "'; " + known_names(key, known));
}

void set_context_option(ContextOptions& context, const std::string& key, const std::string& value) {
    if (key == "ep.context_enable") context.is_written = value == "1";
    if (key == "ep.context_embed_mode") context.embeds = value == "1";
    if (key == "ep.context_file_path") context.model_path = value;
    if (key == "ep.context_node_name_prefix") context.prefix = value;
}

}  // namespace

Options read_options(const std::map<std::string, std::string>& entries) {
    const std::string prefix = "ep." + lower(kProviderName) + ".";
    Options options;
    for (const auto& [key, value] : entries) {
        if (key.rfind(prefix, 0) == 0) set_option(options, key.substr(prefix.size()), value);
        set_context_option(options.context, key, value);
    }
    Core().set_property("CPU", options.properties);  // checks them
    return options;
}

std::map<std::string, std::string> config_entries(const Host& host,
                                                  const OrtSessionOptions* options) {
    auto* pairs = host.get<OrtKeyValuePairs*>(host->GetSessionOptionsConfigEntries, options);
    const std::unique_ptr<OrtKeyValuePairs, decltype(host->ReleaseKeyValuePairs)> owner(
        pairs, host->ReleaseKeyValuePairs);
    const char* const* keys = nullptr;
    const char* const* values = nullptr;
    std::size_t count = 0;
    host->GetKeyValuePairs(pairs, &keys, &values, &count);
    std::map<std::string, std::string> entries;
    for (std::size_t i = 0; i < count; ++i) entries[keys[i]] = values[i];
    return entries;
}

}  // namespace rondo::ort
