#!/usr/bin/env python3
"""The documentation: relative links and anchors of all Markdown files resolve, files and folders that they name exist,
the README is short, and resources/docs/cli.md is what the commands say with --help.

Prints one line for each problem, and exits with 1 if there is one. `--fuselage PROGRAM` also checks the command line's
page, and with `--update` writes it.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
README_LINES = 150
CLI_PAGE = ROOT / "resources/docs/cli.md"
GENERATED = "\n# Commands\n"  # this heading of the page and what follows are written by --update


def all_files():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    names = listed.stdout.split("\n") if listed.returncode == 0 else []
    paths = [ROOT / name for name in names if name] or list(ROOT.rglob("*"))
    return sorted(path for path in paths if path.is_file() and path.relative_to(ROOT).parts[0] not in ("build", ".git"))


def prose_of(path):
    """The text without fenced code, lines kept."""
    lines, is_code = [], False
    for line in path.read_text().split("\n"):
        if re.match(r"\s*```", line):
            is_code = not is_code
            line = ""
        lines.append("" if is_code else line)
    return lines


def anchors_of(path):
    """GitHub's anchors of headings."""
    anchors = set()
    for line in prose_of(path):
        heading = re.match(r"#+ +(.*?)\s*$", line)
        if not heading:
            continue
        name = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
        base = re.sub(r"[^\w\- ]", "", name).replace(" ", "-")
        anchor, count = base, 0
        while anchor in anchors:
            count += 1
            anchor = f"{base}-{count}"
        anchors.add(anchor)
    return anchors


def check_links(files):
    for path in files:
        for number, line in enumerate(prose_of(path), 1):
            plain = re.sub(r"`[^`]*`", "", line)
            targets = re.findall(r"\]\(([^)\s]+)\)", plain) + re.findall(r'(?:src|srcset)="([^"]+)"', plain)
            for target in targets:
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                place = f"{path.relative_to(ROOT)}:{number}"
                found = (path.parent / name).resolve() if name else path
                if not found.exists():
                    yield f"{place}: '{target}' leads nowhere"
                elif anchor and anchor not in anchors_of(found):
                    yield f"{place}: '{target}': {found.relative_to(ROOT)} has no heading with this anchor"


def check_names(files, pages):
    """`core/ir/ops/ValueNames.h`, `samples/foreign` and `ChooseSplitK.h` in text; NAME, CODE, FILE and Your.. stand for any."""
    names = {path.name for path in files}
    for page in pages:
        for number, line in enumerate(prose_of(page), 1):
            place = f"{page.relative_to(ROOT)}:{number}"
            for path in re.findall(r"`((?:app|cmake|core|resources|samples|tests|views)/[\w./-]+)`", line):
                if not re.search(r"\b(NAME|CODE|FILE)\b", path) and not any((folder / path).exists() for folder in (ROOT, page.parent)):
                    yield f"{place}: there is no '{path}'"
            for name in re.findall(r"`([A-Z]\w+\.(?:h|cpp|td|md))`", line):
                if name not in names and not re.match("Your|CODE|NAME", name):
                    yield f"{place}: there is no file '{name}'"


def check_readme():
    lines = (ROOT / "README.md").read_text().count("\n")
    if lines > README_LINES:
        yield f"README.md has {lines} lines, {README_LINES} are enough: move text to resources/docs"


def help_of(program, *command):
    done = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True)
    return done.stdout.strip("\n")


def commands_of(program):
    """The names in the table of `fuselage --help`."""
    table = re.search(r"^Commands:\n((?:  .*\n)+)", help_of(program), re.M)
    return re.findall(r"^  ([a-z]+) ", table[1], re.M)


def reference_of(program):
    parts = [GENERATED, "## fuselage\n\n```\n" + help_of(program) + "\n```\n"]
    for command in commands_of(program):
        parts.append(f"## fuselage {command}\n\n```\n{help_of(program, command)}\n```\n")
    return "\n".join(parts)


def check_reference(program, update):
    head, _, _ = CLI_PAGE.read_text().partition(GENERATED)
    wanted = head + reference_of(program)
    if update:
        CLI_PAGE.write_text(wanted)
    elif CLI_PAGE.read_text() != wanted:
        yield f"resources/docs/cli.md is not what --help says: run tests/house/check_docs.py --fuselage {program} --update"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuselage", help="the program whose commands resources/docs/cli.md lists")
    parser.add_argument("--update", action="store_true", help="write resources/docs/cli.md")
    options = parser.parse_args()
    problems = list(check_reference(options.fuselage, options.update)) if options.fuselage else []
    files = all_files()
    pages = [path for path in files if path.suffix == ".md"]
    problems += list(check_links(pages)) + list(check_names(files, pages)) + list(check_readme())
    for problem in problems:
        print(problem)
    print(f"{len(pages)} pages, {len(problems)} problems")
    return 1 if problems else 0


sys.exit(main())
