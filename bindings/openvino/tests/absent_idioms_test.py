"""The C++ idioms of bindings/openvino/README.md that are absent and have no message don't compile.

Usage: absent_idioms_test.py COMPILER INCLUDE_FOLDER...
"""

import re
import subprocess
import sys

import cpp_idioms

COMPILER, *FOLDERS = sys.argv[1:]


def main():
    chosen = [row for row in cpp_idioms.rows()
              if row[2] == "absent" and not cpp_idioms.is_refused_at_run_time(row)]
    text = cpp_idioms.HEADERS["rondo"] + cpp_idioms.START + cpp_idioms.functions(chosen)
    command = [COMPILER, "-std=c++17", "-fsyntax-only", "-x", "c++", "-"]
    done = subprocess.run(command + [f"-I{folder}" for folder in FOLDERS], input=text, text=True,
                          capture_output=True, check=False)
    errors = re.findall(r"^README\.md:(\d+):\d+: (?:fatal )?error: ", done.stderr, re.M)
    others = [line for line in done.stderr.splitlines()
              if " error: " in line and not line.startswith("README.md:")
              and "<stdin>" in line]
    compiled = [row for row in chosen if str(row[0]) not in errors]
    for line, idiom, _, _ in compiled:
        print(f"line {line} compiles: {idiom}")
    print("\n".join(others) or f"{len(chosen) - len(compiled)} of {len(chosen)} don't compile")
    return 1 if compiled or others or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
