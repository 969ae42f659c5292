#include "drawing.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "files.hpp"
#include "graph_page.hpp"
#include "rondo/error.hpp"

namespace rondo::tool {
namespace {

namespace fs = std::filesystem;

const std::string kNoGraphviz =
    "Graphviz's program 'dot' isn't here (Debian: apt-get install graphviz); a .dot file works "
    "without it";

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// A file of the system's temporary folder that goes with its owner.
class TemporaryFile {
public:
    TemporaryFile() {
        std::error_code error;
        const fs::path folder = fs::temp_directory_path(error);
        if (error) {
            throw ModelError("there is no folder for temporary files (TMPDIR, else /tmp): " +
                             error.message());
        }
        path_ = (folder / "rondo-graph-XXXXXX").string();
        const int file = ::mkstemp(path_.data());
        if (file < 0) throw ModelError("can't write to " + folder.string());
        ::close(file);
    }
    ~TemporaryFile() { ::unlink(path_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

std::string ending_of(const std::string& path) {
    const auto dot = path.rfind('.');
    return dot == std::string::npos ? "" : path.substr(dot);
}

}  // namespace

bool has_graphviz() {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (::access((folder + "/dot").c_str(), X_OK) == 0) return true;
    }
    return false;
}

std::string svg_of(const std::string& dot) {
    if (!has_graphviz()) throw ModelError(kNoGraphviz);
    const TemporaryFile text;
    const TemporaryFile picture;
    write_file(text.path(), {dot});
    // mkstemp's names need no quoting unless TMPDIR does.
    const std::string command =
        "dot -Tsvg -o '" + picture.path() + "' '" + text.path() + "' 2>/dev/null";
    const int status = std::system(command.c_str());
    std::string svg = read_file(picture.path());
    const auto start = svg.find("<svg");
    if (status != 0 || start == std::string::npos) throw ModelError("dot failed to draw the graph");
    return svg.substr(start);
}

void check_drawing_name(const std::string& path) {
    const std::string ending = ending_of(path);
    if (ending == ".dot") return;
    if (ending != ".svg" && ending != ".html") {
        throw ModelError("--graph " + path + ": the file must end in .dot, .svg or .html");
    }
    if (has_graphviz()) return;
    throw ModelError("--graph " + path + ": " + kNoGraphviz);
}

void draw(const std::string& path, const std::string& title, const std::vector<NodeInfo>& nodes) {
    check_drawing_name(path);
    const std::string ending = ending_of(path);
    const std::string dot = to_dot(title, nodes);
    if (ending == ".dot") return write_file(path, {dot});
    const std::string svg = svg_of(dot);
    write_file(path, {ending == ".svg" ? svg : graph_page(title, svg, GraphColours::kinds)});
}

}  // namespace rondo::tool
