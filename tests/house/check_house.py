#!/usr/bin/env python3
"""The house: which folder may include which, which sees no MLIR, that files do not include each other in circles, how
large folders and files are, and that no two types share a name.

Reads the includes of all sources, draws nothing and changes nothing. Says what is against the rules below, one line
each, and exits with 1 then. `--draw` prints the arrows between folders, floor by floor, `--dot` the same for Graphviz.
`--update` writes the floors into resources/docs/architecture.md.
"""
import argparse
import collections
import pathlib
import re
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True  # of the module beside this file, in the sources
import architecture_page  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]

# From the ground up: a folder may include what stands below it, and nothing else. Folders in one row know nothing of
# each other. Deeper folders belong to the row of the longest name here.
FLOORS = [
    ["core/text"],
    ["core/support", "core/protocol"],
    ["core/protocol/methods"],
    ["core/protocol/json", "core/pictures", "core/trace", "core/inductor", "core/meshes", "core/device", "core/executable", "core/blobs", "core/deploy", "core/lessons"],
    ["core/bundle", "core/dialects/blobs", "core/dialects/device", "core/runtime"],
    ["core/dialects/tolerant"],
    ["core/dialects/flow", "core/dialects/vhlo"],
    ["core/dialects/decoders", "core/dialects/sharding"],
    ["core/interfaces", "core/ir/source"],
    ["core/ir/ops"],
    ["core/ir/module"],
    ["core/ir/reading"],
    ["core/ir", "core/plugins"],
    ["core/transforms"],
    ["core/analysis"],
    ["core/codegen/host/kernels"],
    ["core/codegen/host/safety", "core/codegen/host/tensors"],
    ["core/graph", "core/codegen", "core/codegen/host"],
    ["core/schedules", "core/notes", "core/remarks", "core/rewrites"],
    ["core/tuning/space"],
    ["core/tuning/enumerate", "core/tuning/journal", "core/stepping"],
    ["core/run/values"],
    ["core/run/parameters", "core/run/reference"],
    ["core/run"],
    ["core/run/bundles", "core/run/inspect", "core/run/peaks"],
    ["core/tuning/search", "core/tuning/dispatch"],
    ["core/tuning/device", "core/tuning/library"],
    ["core/emulator/lanes"],
    ["core/emulator"],
    ["core/kernels", "core/bisect"],
    ["core/registration", "core/reduce"],
    ["core/engine", "core/lsp/text", "core/lsp/facts"],
    ["core/lsp/documents", "core/remote"],
    ["core/lsp/features"],
    ["core/lsp"],
    ["views/messages"],
    ["views/common"],
    ["views/graph", "views/text", "views/models"],
    ["views/widgets"],
    ["views/charts", "views/editor", "views/locator", "views/start", "views/dialogs"],
    ["views/panels"],
    ["views/tiles", "views/kernel", "views/values"],
    ["views/tuning"],
    ["app/bridge"],
    ["app/cli", "app/launch", "app/opt", "app/gui"],
]
# The same within a large folder, for those that stand on one floor above.
INNER_FLOORS = {
    "core/transforms": [
        ["composites", "dispatch", "tile_and_fuse", "workgroups/sizes"],
        ["workgroups/strategy"],
        ["places", "unlock", "workgroups/reductions"],
        ["workgroups"],
        ["attention", "stablehlo/scalars"],
        ["stablehlo"],
        ["stablehlo/families"],
        ["foreign"],
        ["bufferize"],
        ["gpu/distribution"],
        ["gpu", "nvidia"],
    ],
    "core/analysis": [
        ["sets", "loops"],
        ["costs"],
        ["meshes"],
        ["buffers", "fusion", "gate", "tiles"],
        ["places"],
    ],
    "core/graph": [
        ["patterns", "layout"],
        ["model"],
        ["build", "scene"],
        ["compare", "export", "outline"],
    ],
    "core/schedules": [
        ["forms"],
        ["ops"],
        ["script"],
        ["causes", "edit"],
        ["trace"],
        ["normalize", "write"],
        ["report"],
    ],
    "core/runtime": [
        ["host"],
        ["device"],
    ],
}
# Components (X.h and X.cpp) that still reach each other, found when this check was made. Breaking one: what both need
# (options, results) moves to a header of its own. No other ones may come.
CIRCLES_LEFT = [
    ["app/bridge/EngineParameters", "app/bridge/EngineSession"],
    ["core/codegen/Codegen", "core/codegen/CodegenSteps"],
    ["core/codegen/host/kernels/HostKernels", "core/codegen/host/kernels/LoopAllocations"],
    ["core/run/Baselines", "core/run/DispatchChecker", "core/run/DispatchRunner", "core/run/ProgramRunner", "core/run/Run",
     "core/run/Timing"],
    ["core/runtime/device/Models", "core/runtime/device/VulkanContext"],
    ["core/transforms/gpu/distribution/CyclicDistribution", "core/transforms/gpu/distribution/HeldResults",
     "core/transforms/gpu/distribution/LaneTile", "core/transforms/gpu/distribution/PiecePoints",
     "core/transforms/gpu/distribution/RegisterEpilogue", "core/transforms/gpu/distribution/ThreadDistribution"],
    ["core/transforms/workgroups/KernelPlan", "core/transforms/workgroups/OverlappingTiles",
     "core/transforms/workgroups/WorkgroupTiling"],
    ["core/tuning/dispatch/AttentionSpace", "core/tuning/dispatch/DispatchSpace"],
    ["core/tuning/space/KnobOptions", "core/tuning/space/SmtRegion", "core/tuning/space/SpaceReader"],
]
# Whole halves of the house that meet only here; a name that ends in "/" stands for all below it.
MAY_KNOW = {
    "views": ["views/", "core/protocol", "core/pictures", "core/text"],
    "app/bridge": ["app/bridge/", "views/", "core/protocol", "core/protocol/methods", "core/text"],
    "app/gui": ["app/gui/", "app/bridge/", "views/", "core/protocol", "core/protocol/methods", "core/pictures", "core/text"],
    "app/cli": ["app/cli/", "core/"],
    "app/launch": ["app/launch/", "core/"],
    "app/opt": ["app/opt/", "core/"],
    "core": ["core/"],
}
# Folders whose files see no header of MLIR, by themselves or through others: programs without MLIR load and launch.
NO_MLIR = ["core/blobs", "core/text", "core/device", "core/executable", "core/protocol", "core/runtime", "core/support", "core/trace"]
# The same for LLVM: what fuselage-launch is compiled of. Sources of its own and those that it takes (CMakeLists.txt).
NO_LLVM = "app/launch/CMakeLists.txt"
MOST_FILES = 40  # in a folder
MOST_LINES = 500  # of a file
MEDIAN_LINES = 100  # of all sources of app, core and views
TEXT = {".h", ".cpp", ".td", ".in", ".txt", ".cmake", ".py", ".mlir", ".test", ".md", ".html", ".qrc", ".json"}
# Written by tests/house/check_docs.py and tests/core/protocol/GeneratedFilesTest.cpp.
GENERATED = {"resources/docs/cli.md", "app/python/fuselage/methods.py"}


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


def floor_of(folder, floors=FLOORS):
    """The row's number and the name in it; None: not of this house."""
    best = None
    for number, row in enumerate(floors):
        for name in row:
            if is_below(folder, name) and (best is None or len(name) > len(best[1])):
                best = (number, name)
    return best


def read_includes(files):
    """The includes of our sources by each other, as pairs of paths."""
    sources = {str(path): path for path in files if path.suffix in (".h", ".cpp") and path.parts[0] in ("app", "core", "views")}
    includes = []
    for name, path in sources.items():
        text = (ROOT / path).read_text(errors="replace")
        for include in re.findall(r'^#include "([^"]+)"', text, re.M):
            target = include if include in sources else str(path.parent / include)
            if target in sources:
                includes.append((path, sources[target]))
    return includes


def arrows_between(includes, name_of):
    """(name, name) -> the includes that make the arrow, as 'file -> file'; none from a name to itself."""
    arrows = collections.defaultdict(list)
    for source, target in includes:
        if name_of(source) != name_of(target):
            arrows[name_of(source), name_of(target)].append(f"{source} -> {target}")
    return arrows


def find_circles(arrows):
    """Sets of names that reach each other (Tarjan's strongly connected components of more than one)."""
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


def check_inner_floors(arrows):
    for big, rows in INNER_FLOORS.items():
        floors = [[f"{big}/{name}" for name in row] for row in rows]
        folders = {folder for arrow in arrows for folder in arrow if is_below(folder, big)}
        for folder in sorted(folders):
            if floor_of(folder, floors) is None:
                yield f"{folder} stands on no floor of {big}: give it one in INNER_FLOORS of tests/house/check_house.py"
        for (source, target), includes in sorted(arrows.items()):
            here, there = floor_of(source, floors), floor_of(target, floors)
            if here and there and here[1] != there[1] and here[0] <= there[0]:
                yield f"{source} stands not above {target}: {includes[0]}"


def check_components(includes):
    """A component is X.h with X.cpp: such do not reach each other in a circle."""
    arrows = arrows_between(includes, lambda path: str(path.with_suffix("")))
    circles = find_circles(arrows)
    for circle in circles:
        if circle not in CIRCLES_LEFT:
            between = [arrows[arrow][0] for arrow in sorted(arrows) if arrow[0] in circle and arrow[1] in circle]
            yield f"components reach each other: {', '.join(circle)} ({'; '.join(between)})"
    for circle in CIRCLES_LEFT:
        if circle not in circles:
            yield f"no circle any more, take it from CIRCLES_LEFT in tests/house/check_house.py: {', '.join(circle)}"


def check_no_mlir(files):
    sources = {str(path): path for path in files
               if path.suffix in (".h", ".cpp", ".in") and (path.parts[0] == "core" or path.parts[:2] == ("app", "launch"))}
    texts = {name: (ROOT / path).read_text(errors="replace") for name, path in sources.items()}
    headers = {name: re.findall(r'^#include "([^"]+)"', text, re.M) for name, text in texts.items()}

    def way_to(prefixes, name, seen):
        for include in headers[name]:
            if include.startswith(prefixes):
                return [name, include]
            target = include if include in sources else str(sources[name].parent / include)
            if target in sources and target not in seen:
                seen.add(target)
                if way := way_to(prefixes, target, seen):
                    return [name] + way
        return None

    for name, path in sorted(sources.items()):
        if path.name == "Pch.h" or not any(is_below(str(path.parent), folder) for folder in NO_MLIR):
            continue
        if way := way_to(("mlir/",), name, {name}):
            yield f"{name} must not see MLIR: {' -> '.join(way)}"
    launched = re.findall(r"^  (?:\$\{root\}/)?([\w/]+\.cpp)$", (ROOT / NO_LLVM).read_text(), re.M)
    for name in (each if "/" in each else f"app/launch/{each}" for each in launched):
        if way := way_to(("mlir/", "llvm/"), name, {name}):
            yield f"{name} must not see LLVM: {' -> '.join(way)}"


def check_sizes(files):
    folders = collections.Counter(str(path.parent) for path in files)
    for folder, count in sorted(folders.items()):
        if count > MOST_FILES:
            yield f"{folder} has {count} files, {MOST_FILES} are enough: make folders by concept"
    lengths = []
    for path in files:
        if path.suffix not in TEXT or str(path) in GENERATED:
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
    parser.add_argument("--update", action="store_true", help="write the floors into resources/docs/architecture.md")
    options = parser.parse_args()
    if options.update:
        architecture_page.update_page(FLOORS)
        return 0
    files = tracked_files()
    sys.setrecursionlimit(10_000)  # includes form long chains
    includes = read_includes(files)
    arrows = arrows_between(includes, lambda path: str(path.parent))
    if options.draw or options.dot:
        draw(arrows, options.dot)
        return 0
    problems = [*check_arrows(arrows), *check_inner_floors(arrows), *check_components(includes), *check_no_mlir(files),
                *check_sizes(files), *check_names(files)]
    problems += list(architecture_page.check_page(FLOORS)) + list(architecture_page.check_claims(files))
    for problem in problems:
        print(problem)
    print(f"{len(arrows)} arrows between folders, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
