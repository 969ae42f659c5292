#include "benchmark/surroundings.hpp"

#include <sys/utsname.h>

#include <cctype>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

#include "benchmark/device_config.hpp"
#include "version.hpp"

namespace rondo::tool {
namespace {

// PRETTY_NAME="Debian GNU/Linux 12 (bookworm)" of /etc/os-release; empty if there is none.
std::string distribution() {
    constexpr std::string_view kKey = "PRETTY_NAME=";
    std::ifstream file("/etc/os-release");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(kKey)) continue;
        std::string name = line.substr(kKey.size());
        std::erase(name, '"');
        return name;
    }
    return "";
}

std::string operating_system() {
    utsname names{};
    ::uname(&names);
    const std::string name = distribution();
    return (name.empty() ? "" : name + ", ") + names.sysname + " " + names.release + ", " +
           names.machine;
}

std::string processor_of(const Core& core, const std::string& device) {
    const std::string name = has_property(core, device, property::kFullDeviceName)
                                 ? core.get_property(device, property::kFullDeviceName)
                                 : "unknown";
    return name + ", " + std::to_string(std::thread::hardware_concurrency()) + " logical cores";
}

// A description may begin with the name.
std::string device_text(const std::string& device, const std::string& description) {
    return description.starts_with(device) ? description : device + ": " + description;
}

bool is_plain(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_./:=,+@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string date_text(std::time_t time) {
    std::tm local{};
    ::localtime_r(&time, &local);
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S%z", &local);
    std::string date = text;
    return date.insert(date.size() - 2, ":");  // +0100 -> +01:00
}

NamedTexts surroundings(const Core& core, const std::string& device) {
    const auto versions = core.get_versions(device);
    return {{"Date", date_text(std::time(nullptr))},
            {"Processor", processor_of(core, device)},
            {"Operating system", operating_system()},
            {"Rondo", version_and_commit()},
            {"Device", device_text(device, versions.begin()->second.description)}};
}

NamedTexts properties_of(const CompiledModel& compiled) {
    NamedTexts properties;
    std::istringstream names(compiled.get_property(property::kSupportedProperties));
    for (std::string name; names >> name;) {
        if (name == property::kSupportedProperties) continue;
        properties.emplace_back(name, compiled.get_property(name));
    }
    return properties;
}

std::string shell_text(const std::vector<std::string>& arguments) {
    std::string text;
    for (const std::string& argument : arguments) {
        bool plain = !argument.empty();
        for (const char c : argument) plain = plain && is_plain(c);
        if (!text.empty()) text += ' ';
        if (plain) {
            text += argument;
            continue;
        }
        text += '\'';
        for (const char c : argument) text += c == '\'' ? "'\\''" : std::string(1, c);
        text += '\'';
    }
    return text;
}

}  // namespace rondo::tool
