#!/usr/bin/env python3
"""Compares our declarations of onnxruntime's interface with its own header: the place and the type of
each member of each struct, and the value of each enumerator.

Usage: check_declarations.py HEADER [--compiler CXX] [--include FOLDER]
FOLDER holds onnxruntime_c_api.h; by default it is looked for where Debian's libonnxruntime-dev has it.
Exit code 77 if there is none, or one of a release before 1.23.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDERS = ["/usr/include/onnxruntime", "/usr/local/include/onnxruntime"]

PROGRAM = """
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
namespace official {{
#include <onnxruntime_c_api.h>
}}
#include "{header}"

template <typename Type>
std::string name_of() {{
    std::string name = __PRETTY_FUNCTION__;
    name = name.substr(name.find("Type = ") + 7);
    name = name.substr(0, name.find("; std::string"));
    for (const char* part : {{"official::", "rondo::ort::", " noexcept"}}) {{
        for (auto at = name.find(part); at != std::string::npos; at = name.find(part)) {{
            name.erase(at, std::strlen(part));
        }}
    }}
    return name;
}}

int faults = 0;

template <typename Ours, typename Theirs>
void check(const char* what, std::size_t ours, std::size_t theirs) {{
    if (ours != theirs) {{
        std::printf("%s is at %zu; onnxruntime has it at %zu\\n", what, ours, theirs);
        ++faults;
    }}
    if (name_of<Ours>() != name_of<Theirs>()) {{
        std::printf("%s is %s; onnxruntime has %s\\n", what, name_of<Ours>().c_str(),
                    name_of<Theirs>().c_str());
        ++faults;
    }}
}}

#define MEMBER(type, member)                                                              \\
    check<decltype(rondo::ort::type::member), decltype(official::type::member)>(          \\
        #type "::" #member, offsetof(rondo::ort::type, member), offsetof(official::type, member))
#define VALUE(name) check<int, int>(#name, rondo::ort::name, official::name)

int main() {{
{checks}
    if (sizeof(rondo::ort::OrtApi) != offsetof(official::OrtApi, CreateExternalInitializerInfo) +
                                          sizeof(void*)) {{
        std::puts("OrtApi is of another size");
        ++faults;
    }}
    std::printf("{count} members and values, %d faults\\n", faults);
    return faults == 0 ? 0 : 1;
}}
"""


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def checks_of(text):
    """A line of C++ for each member and each enumerator of the header."""
    for name, body in re.findall(r"struct (\w+) \{(.*?)\n\};", text, re.S):
        if name in ("OrtApi24", "OrtEpApi25", "OrtEpProfilerImpl"):  # newer than API 23's header
            continue
        functions = re.findall(r"\(\*(\w+)\)\s*\(", body)
        plain = re.findall(r"^\s*(?:std::uint32_t|bool) (\w+);", body, re.M)
        yield from (f"    MEMBER({name}, {member});" for member in plain + functions)
    for body in re.findall(r"enum \w+ : unsigned \{(.*?)\}", text, re.S):
        yield from (f"    VALUE({name});" for name in re.findall(r"(\w+) =", body))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("header", type=pathlib.Path)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--include", action="append", default=[])
    given = parser.parse_args()
    folder = next((one for one in given.include + FOLDERS
                   if pathlib.Path(one, "onnxruntime_ep_c_api.h").exists()), None)
    if folder is None:
        print("skipped: onnxruntime_ep_c_api.h isn't installed (libonnxruntime-dev of 1.23 or newer)")
        return 77
    checks = list(checks_of(without_comments(given.header.read_text(encoding="utf-8"))))
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch, "check.cpp")
        source.write_text(PROGRAM.format(header=given.header.resolve(), checks="\n".join(checks),
                                         count=len(checks)), encoding="utf-8")
        program = pathlib.Path(scratch, "check")
        subprocess.run([given.compiler, "-std=c++20", "-w", "-I", folder, source, "-o", program],
                       check=True)
        return subprocess.run([program], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
