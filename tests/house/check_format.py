#!/usr/bin/env python3
"""All C++ sources are as clang-format leaves them (.clang-format): says which are not, and exits with 1 then.

Other versions of clang-format break some lines in other ways, so that only the one that formatted the tree is asked.
Where it is missing, the exit code is 77 (skipped), or 1 if FUSELAGE_REQUIRED_TOOLS names clang-format.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

from check_house import ROOT, tracked_files

VERSION = 14  # of Debian 12
SKIPPED = 77  # as tests/CMakeLists.txt has it
AT_ONCE = 40  # files for one process


def find_tool():
    """The path of clang-format, or None and why there is none."""
    why = "clang-format is not installed"
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path is None:
            continue
        said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
        version = re.search(r"version (\d+)", said)
        if version and int(version[1]) == VERSION:
            return path, ""
        why = f"{path} is '{said.strip()}', and the tree is formatted by version {VERSION}"
    return None, why


def main():
    tool, why = find_tool()
    if tool is None:
        is_required = "clang-format" in os.environ.get("FUSELAGE_REQUIRED_TOOLS", "").split()
        print(f"{why}{', and FUSELAGE_REQUIRED_TOOLS names it' if is_required else ': formats were not checked'}")
        return 1 if is_required else SKIPPED
    files = [str(path) for path in tracked_files() if path.suffix in (".cpp", ".h")]
    parts = [files[first : first + AT_ONCE] for first in range(0, len(files), AT_ONCE)]

    def check(part):
        return subprocess.run([tool, "--dry-run", "-Werror", *part], cwd=ROOT, capture_output=True, text=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, parts))
    said = "".join(result.stderr for result in results)
    wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error:", said, re.M)))
    for name in wrong:
        print(f"{name} is not formatted; ./dev format does it")
    if not wrong and any(result.returncode for result in results):
        print(said)
        return 1
    print(f"{len(files)} files, {len(wrong)} not formatted")
    return 1 if wrong or not files else 0


sys.exit(main())
