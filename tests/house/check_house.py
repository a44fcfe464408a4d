#!/usr/bin/env python3
"""The house: which folder may include which, how large folders and files are, which sees no MLIR, and that no
two types share a name.

Reads the includes of all sources, draws nothing and changes nothing. Says what is against the rules below, one line
each, and exits with 1 then. `--draw` prints the arrows between folders, floor by floor, `--dot` the same for Graphviz.
"""
import argparse
import collections
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# From the ground up: a folder may include what stands below it, and nothing else. Folders in one row know nothing of
# each other. Deeper folders belong to the row of the longest name here.
FLOORS = [
    ["core/text"],
    ["core/support", "core/protocol"],
    ["core/protocol/json", "core/device", "core/executable"],
    ["core/dialects/tolerant"],
    ["core/dialects/flow"],
    ["core/dialects/decoders"],
    ["core/interfaces", "core/ir/source"],
    ["core/ir/ops"],
    ["core/ir/module"],
    ["core/ir/reading"],
    ["core/ir"],
    ["core/transforms"],
    ["core/analysis"],
    ["core/graph", "core/codegen"],
    ["core/schedules", "core/notes"],
    ["core/tuning/space"],
    ["core/tuning/enumerate", "core/tuning/journal", "core/stepping", "core/runtime"],
    ["core/run"],
    ["core/tuning/search", "core/tuning/dispatch"],
    ["core/tuning/device", "core/tuning/library"],
    ["core/emulator/lanes"],
    ["core/emulator"],
    ["core/kernels"],
    ["core/registration"],
    ["core/engine"],
    ["views/messages"],
    ["views/common"],
    ["views/graph", "views/text", "views/models"],
    ["views/widgets"],
    ["views/charts", "views/editor", "views/locator", "views/start", "views/dialogs"],
    ["views/panels"],
    ["views/tiles", "views/kernel"],
    ["views/tuning"],
    ["app/bridge"],
    ["app/cli", "app/opt", "app/gui"],
]
# Whole halves of the house that meet only here; a name that ends in "/" stands for all below it.
MAY_KNOW = {
    "views": ["views/", "core/protocol", "core/text"],
    "app/bridge": ["app/bridge/", "views/", "core/protocol", "core/text"],
    "app/gui": ["app/gui/", "app/bridge/", "views/", "core/protocol", "core/text"],
    "app/cli": ["app/cli/", "core/"],
    "app/opt": ["app/opt/", "core/"],
    "core": ["core/"],
}
# Folders whose files see no header of MLIR, by themselves or through others: programs without MLIR load and launch.
NO_MLIR = ["core/text", "core/device", "core/executable", "core/protocol", "core/runtime", "core/support"]
MOST_FILES = 40  # in a folder
MOST_LINES = 500  # of a file
MEDIAN_LINES = 100  # of all sources of app, core and views
TEXT = {".h", ".cpp", ".td", ".in", ".txt", ".cmake", ".py", ".mlir", ".test", ".md", ".html", ".qrc", ".json"}
PROSE = {"CHANGELOG.md", "README.md"}  # grow with the project and are read by searching


def tracked_files():
    """All files of the project; the folder's where it is no checkout."""
    try:
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
        names = listed.stdout.split("\n") if listed.returncode == 0 else []
    except OSError:
        names = []
    if not names:
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")]
    paths = [pathlib.PurePath(name) for name in names if name and not name.startswith(("build/", ".git/"))]
    return [path for path in paths if (ROOT / path).is_file()]


def is_below(folder, parent):
    return folder == parent or folder.startswith(parent + "/")


def floor_of(folder):
    """The row's number and the name in it; None: not of this house."""
    best = None
    for number, row in enumerate(FLOORS):
        for name in row:
            if is_below(folder, name) and (best is None or len(name) > len(best[1])):
                best = (number, name)
    return best


def read_includes(files):
    """(folder, folder) -> the includes that make the arrow, as 'file -> file'."""
    sources = {str(path): path for path in files if path.suffix in (".h", ".cpp") and path.parts[0] in ("app", "core", "views")}
    arrows = collections.defaultdict(list)
    for name, path in sources.items():
        text = (ROOT / path).read_text(errors="replace")
        for include in re.findall(r'^#include "([^"]+)"', text, re.M):
            target = include if include in sources else str(path.parent / include)
            if target in sources and sources[target].parent != path.parent:
                arrows[str(path.parent), str(sources[target].parent)].append(f"{name} -> {target}")
    return arrows


def find_circles(arrows):
    """Sets of folders that reach each other (Tarjan's strongly connected components of more than one)."""
    graph = collections.defaultdict(set)
    for source, target in arrows:
        graph[source].add(target)
    index, low, stack, circles = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            circle = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(circle) > 1:
                circles.append(sorted(circle))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return circles


def check_arrows(arrows):
    for (source, target), includes in sorted(arrows.items()):
        half = max((name for name in MAY_KNOW if is_below(source, name)), key=len)
        if not any(target == name.rstrip("/") or target.startswith(name) and name.endswith("/") for name in MAY_KNOW[half]):
            yield f"{source} must not know {target}: {includes[0]}"
            continue
        here, there = floor_of(source), floor_of(target)
        for folder, floor in ((source, here), (target, there)):
            if floor is None:
                yield f"{folder} stands on no floor: give it one in tests/house/check_house.py"
        if here and there and here[1] != there[1] and here[0] <= there[0]:
            yield f"{source} stands not above {target}: {includes[0]}"
    # Also seen from farther away, where only the first two names of a folder count.
    far = collections.defaultdict(list)
    for (source, target), includes in arrows.items():
        near = ["/".join(folder.split("/")[:2]) for folder in (source, target)]
        if near[0] != near[1]:
            far[tuple(near)] += includes
    for level in (arrows, far):
        for circle in find_circles(level):
            yield "a circle of includes: " + ", ".join(circle)


def check_no_mlir(files):
    sources = {str(path): path for path in files if path.suffix in (".h", ".cpp", ".in") and path.parts[0] == "core"}
    texts = {name: (ROOT / path).read_text(errors="replace") for name, path in sources.items()}
    headers = {name: re.findall(r'^#include "([^"]+)"', text, re.M) for name, text in texts.items()}

    def way_to_mlir(name, seen):
        for include in headers[name]:
            if include.startswith("mlir/"):
                return [name, include]
            target = include if include in sources else str(sources[name].parent / include)
            if target in sources and target not in seen:
                seen.add(target)
                if way := way_to_mlir(target, seen):
                    return [name] + way
        return None

    for name, path in sorted(sources.items()):
        if path.name == "Pch.h" or not any(is_below(str(path.parent), folder) for folder in NO_MLIR):
            continue
        if way := way_to_mlir(name, {name}):
            yield f"{name} must not see MLIR: {' -> '.join(way)}"


def check_sizes(files):
    folders = collections.Counter(str(path.parent) for path in files)
    for folder, count in sorted(folders.items()):
        if count > MOST_FILES:
            yield f"{folder} has {count} files, {MOST_FILES} are enough: make folders by concept"
    lengths = []
    for path in files:
        if path.suffix not in TEXT or str(path) in PROSE:
            continue
        lines = (ROOT / path).read_bytes().count(b"\n")
        if lines > MOST_LINES:
            yield f"{path} has {lines} lines, {MOST_LINES} are enough: split it"
        if path.suffix in (".h", ".cpp") and path.parts[0] in ("app", "core", "views"):
            lengths.append(lines)
    median = statistics.median(lengths)
    if median >= MEDIAN_LINES:
        yield f"half of all sources have {median:.0f} lines or more, the median should stay under {MEDIAN_LINES}"


def check_names(files):
    """Two types of one name in one namespace that a program could link: the linker keeps the functions of one of them.
    `views` and `core` meet in no program but in their messages."""
    homes = collections.defaultdict(set)
    for path in files:
        if path.suffix != ".h" or path.parts[0] not in ("app", "core", "views"):
            continue
        text = (ROOT / path).read_text(errors="replace")
        half = "core" if path.parts[0] == "core" or path.parts[:2] in (("app", "cli"), ("app", "opt")) else "window"
        spaces = tuple(re.findall(r"^(?:inline )?namespace ([\w:]+) \{", text, re.M))
        for name in re.findall(r"^(?:struct|class|enum class|enum) (\w+)(?: final)?(?: ?:[^;{]*)? \{", text, re.M):
            homes[half, spaces, name].add(str(path))
    for (_, _, name), paths in sorted(homes.items()):
        if len(paths) > 1:
            yield f"{name} is the name of two types: {', '.join(sorted(paths))}"


def draw(arrows, as_dot):
    if as_dot:
        print("digraph house {\n  rankdir=TB; node [shape=box];")
        for source, target in sorted(arrows):
            print(f'  "{source}" -> "{target}" [label={len(arrows[source, target])}];')
        print("}")
        return
    folders = sorted({folder for arrow in arrows for folder in arrow}, key=lambda name: (-(floor_of(name) or (0, ""))[0], name))
    for folder in folders:
        below = sorted(target for source, target in arrows if source == folder)
        print(f"{folder}: {', '.join(below) or 'nothing'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", action="store_true", help="print which folder includes which")
    parser.add_argument("--dot", action="store_true", help="the same, for Graphviz")
    options = parser.parse_args()
    files = tracked_files()
    arrows = read_includes(files)
    if options.draw or options.dot:
        draw(arrows, options.dot)
        return 0
    problems = list(check_arrows(arrows)) + list(check_no_mlir(files)) + list(check_sizes(files)) + list(check_names(files))
    for problem in problems:
        print(problem)
    print(f"{len(arrows)} arrows between folders, {len(problems)} problems")
    return 1 if problems else 0


sys.exit(main())
