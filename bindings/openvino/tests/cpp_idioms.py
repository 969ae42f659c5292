"""The C++ idioms of bindings/openvino/README.md as a program.

Usage: cpp_idioms.py FILE. Writes a source that runs each row and returns the number of those that
don't do what the page says. A function a row: a compiler's error names the row's line of the page.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "bindings/openvino/README.md"
ROW = re.compile(r"^\| `(.*?)` \| (\w+) \| (.*?) ?\|$")
HEADING = "## C++"
HEADERS = {"rondo": "#include <rondo/openvino.hpp>\nnamespace ov = rondo::ov;\n",
           "openvino": "#include <openvino/openvino.hpp>\n#include <openvino/opsets/opset13.hpp>\n"
                       "#include <openvino/pass/low_latency.hpp>\n"
                       "#include <openvino/pass/make_stateful.hpp>\n"
                       "#include <openvino/pass/manager.hpp>\n"
                       "#include <openvino/runtime/exception.hpp>\n"}
START = """#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

struct Fixture {
    static std::string text_of(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
    Fixture(const std::string& data, const std::string& scratch)
        : MODEL(data + "/lstm_model.xml"), xml(text_of(MODEL)),
          bin(text_of(data + "/lstm_model.bin")), folder(scratch), model(core.read_model(MODEL)),
          compiled(core.compile_model(model, "CPU", ov::enable_profiling(true))),
          request(compiled.create_infer_request()), x(ov::element::f32, {1, 2, 3}) {
        std::fill_n(x.data<float>(), x.get_size(), 1.f);
        request.set_input_tensor(x);
        request.infer();
        stateful = core.compile_model(data + "/openvino_stateful.xml").create_infer_request();
        auto other = core.read_model(MODEL);
        other->reshape({{"X", ov::PartialShape{1, -1, 3}}});
        open = core.compile_model(other).create_infer_request();
    }
    std::string MODEL, xml, bin, folder;
    ov::Core core;
    std::shared_ptr<ov::Model> model;
    ov::CompiledModel compiled;
    ov::InferRequest request, stateful, open;
    ov::Tensor x;
};

"""
FUNCTION = """static void row_{line}(Fixture& fixture) {{
    [[maybe_unused]] auto& [MODEL, xml, bin, folder, core, model, compiled, request, stateful, open,
                            x] = fixture;
#line {line} "README.md"
    {idiom}
#line {next} "idioms.cpp"
}}
"""
END = """struct Row {
    int line;
    void (*run)(Fixture&);
    std::string refusal;  // empty: it works
};

static std::string outcome(const Row& row, const std::string& data, const std::string& scratch) {
    std::filesystem::create_directories(scratch);
    Fixture fixture(data, scratch);
    try {
        row.run(fixture);
    } catch (const ov::Exception& error) {
        const bool expected = !row.refusal.empty() &&
                              std::string(error.what()).find(row.refusal) != std::string::npos;
        return expected ? "" : error.what();
    } catch (...) {
        return "it throws what is no ov::Exception";
    }
    return row.refusal.empty() ? "" : "it isn't refused";
}

int main(int, char** arguments) {
    const std::string scratch = arguments[2];
    std::ostringstream shown;
    auto* const console = std::cout.rdbuf(shown.rdbuf());
    int failed = 0;
    for (const Row& row : rows) {
        const std::string fault = outcome(row, arguments[1], scratch);
        failed += fault.empty() ? 0 : 1;
        if (!fault.empty()) std::cerr << "line " << row.line << ": " << fault << "\\n";
    }
    std::filesystem::remove_all(scratch);
    std::cout.rdbuf(console);
    std::cout << std::size(rows) - failed << " of " << std::size(rows) << " rows are as described\\n";
    return failed;
}
"""


def rows():
    """(line, idiom, verdict, note) of the C++ half."""
    lines = PAGE.read_text().splitlines()
    start = lines.index(HEADING)
    found = [(number, *ROW.match(line).groups()) for number, line in enumerate(lines, 1)
             if number > start and line.startswith("| `")]
    if len(found) < 90:
        raise ValueError(f"{PAGE} has {len(found)} C++ idioms; it had 90 and more")
    return found


def is_refused_at_run_time(row):
    _, _, verdict, note = row
    return verdict == "absent" and note.startswith("`") and note.endswith("`")


def functions(chosen):
    """A function for each row, and the number of the line each starts at doesn't matter."""
    return "".join(FUNCTION.format(line=line, idiom=idiom, next=line)
                   for line, idiom, _, _ in chosen)


def source(chosen, headers="rondo"):
    """A program that runs these rows."""
    table = "".join(
        f'    {{{line}, row_{line}, "{note.strip("`") if verdict == "absent" else ""}"}},\n'
        for line, _, verdict, note in chosen)
    return (HEADERS[headers] + START + functions(chosen) + "\n" +
            END.replace("int main(", "static const Row rows[] = {\n" + table + "};\n\nint main(", 1))


def main():
    chosen = [row for row in rows() if row[2] != "absent" or is_refused_at_run_time(row)]
    pathlib.Path(sys.argv[1]).write_text(source(chosen))


if __name__ == "__main__":
    main()
