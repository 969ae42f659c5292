#include "written_model.hpp"

#include <filesystem>

#include "rondo/error.hpp"
#include "texts.hpp"
#include "version.hpp"

namespace rondo::tool {

std::string written_format(const std::string& output, const std::string& target) {
    if (target == "onnx") return "onnx";
    if (output.size() > 4 && output.ends_with(".xml")) return "ir";
    if (!target.empty()) throw ModelError("-o " + output + ": an IR must end in .xml");
    if (output.size() > 5 && output.ends_with(".onnx")) return "onnx";
    throw ModelError("-o " + output +
                     ": the output must end in .xml or .onnx, or --for must say the format");
}

std::string written_files(const std::string& format, const std::string& output, bool has_data) {
    if (format != "ir") return has_data ? output + " and " + output + ".data" : output;
    return output + " and " + output.substr(0, output.size() - std::string(".xml").size()) + ".bin";
}

// No date and no folders: the same input gives the same file. Names of files may hold any bytes.
void set_origin(Model& model, const std::string& source, const std::string& options) {
    model.set_rt_info("rondo/version", version_and_commit());
    model.set_rt_info("rondo/source", xml_text(std::filesystem::path(source).filename().string()));
    model.set_rt_info("rondo/options", xml_text(options));
}

std::string typed_text(const std::vector<std::pair<std::string, std::string>>& options,
                       bool keep_inputs) {
    std::string text;
    for (const auto& [name, value] : options) {
        if (!value.empty()) text += (text.empty() ? "" : " ") + name + " " + value;
    }
    if (keep_inputs) text += std::string(text.empty() ? "" : " ") + "--keep-inputs";
    return text;
}

}  // namespace rondo::tool
