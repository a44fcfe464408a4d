"""Revisions of a module as text: rebuilds that change nothing of what it computes, and edits of single values.

The modules are those of samples/: a statement of a function begins at the indentation of the first one, and goes on up to
the next line that begins there.
"""
import random
import re
import subprocess

VALUE = re.compile(r"%[A-Za-z0-9_$.-]+")


def run(*command, text):
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(f"{' '.join(command)}: {result.stderr}")
    return result.stdout


def code_of(line):
    return line.split("//")[0]


def statements(text):
    """(before, statements, after) of the only function: each statement with the lines that belong to it."""
    lines = [line for line in text.split("\n") if code_of(line).strip()]
    first = next(i for i, line in enumerate(lines) if re.match(r"\s*(%[\w]+ = )", line))
    indent = re.match(r"\s*", lines[first])[0]
    found, at = [], first
    while not lines[at].startswith(indent + "return "):
        end = at + 1
        while not re.match(indent + r"(%[\w]+(:\d+)? = |return )", lines[end]):
            end += 1
        found.append("\n".join(lines[at:end]))
        at = end
    return "\n".join(lines[:first]), found, "\n".join(lines[at:]) + "\n"


def result_of(statement):
    return VALUE.search(statement)[0]


# Rebuilds that only renumber, rename or move.


def renumbered(text, _):
    return run("mlir-opt", "-", text=text)


def generic(text, _):
    return run("mlir-opt", "-", "--mlir-print-op-generic", text=text)


def without_aliases(text, _):
    return run("mlir-opt", "-", "--mlir-print-local-scope", text=text)


def with_locations(text, _):
    return run("mlir-opt", "-", "--mlir-print-debuginfo", text=text)


def renamed_values(text, draw):
    names = {}
    return VALUE.sub(lambda match: names.setdefault(match[0], f"%z{draw.randrange(10**6)}_{len(names)}"), text)


def renamed_functions(text, draw):
    return re.sub(r"@(\w+)", lambda match: f"@other{match[1]}", text)


def renamed_aliases(text, _):
    return re.sub(r"(?<!\w)#([A-Za-z]\w*)", r"#alias_\1", text)


def moved_lines(text, draw):
    lines = ["// A comment at the top."]
    for line in text.split("\n"):
        if draw.randrange(4) == 0:
            lines += ["", "  // A comment."]
        lines.append("  " + line)
    return "\n".join(lines)


def joined_lines(text, _):
    """A line for each op."""
    before, body, after = statements(text)
    return "\n".join([before, *(" ".join(map(code_of, statement.split("\n"))) for statement in body), after])


def reordered(text, draw):
    """Independent ops in another order."""
    before, body, after = statements(text)
    defined = {result_of(statement) for statement in body}
    left, done, order = list(body), set(), []
    while left:
        ready = [statement for statement in left if reads_of(statement) & defined <= done]
        chosen = draw.choice(ready)
        left.remove(chosen)
        done.add(result_of(chosen))
        order.append(chosen)
    return "\n".join([before, *order, after])


def moved_function(text, draw):
    """Another function before and after it."""
    other = """func.func @{0}(%a: tensor<4xf32>) -> tensor<4xf32> {{
  return %a : tensor<4xf32>
}}
"""
    if "module {" in text:
        text = text.replace("module {", "module {\n" + other.format("first"), 1)
        return text.rstrip().removesuffix("}") + other.format("last") + "}\n"
    aliases = "".join(line + "\n" for line in text.split("\n") if line.startswith("#"))
    rest = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    return aliases + other.format("first") + rest + other.format("last")


def in_module(text, _):
    if "module {" in text:
        return text
    return re.sub(r"^func.func", "module @named attributes {lib.note = \"x\"} {\nfunc.func", text, count=1, flags=re.M) + "}\n"


def all_at_once(text, draw):
    for revise in (reordered, renamed_values, renamed_functions, renumbered, moved_lines):
        text = revise(text, draw)
    return text


NEUTRAL = [renumbered, generic, without_aliases, with_locations, renamed_values, renamed_functions,
           renamed_aliases, moved_lines, joined_lines, reordered, moved_function, in_module, all_at_once]


# Edits that lose a fusion.


def between(text, producer, consumer, lines, new):
    """`consumer` reads `new`, which `lines` compute of `producer`, instead of `producer`."""
    before, body, after = statements(text)
    at = next(i for i, statement in enumerate(body) if result_of(statement) == consumer)
    head, rest = body[at].split("=", 1)
    body[at] = "\n".join([*lines, head + "=" + re.sub(re.escape(producer) + r"(?![\w])", new, rest)])
    return "\n".join([before, *body, after])


def edited(text, value, old, new):
    """Another text of the op that computes `value`."""
    before, body, after = statements(text)
    at = next(i for i, statement in enumerate(body) if result_of(statement) == value)
    if old not in body[at]:
        raise SystemExit(f"{value} has no '{old}'")
    body[at] = body[at].replace(old, new)
    return "\n".join([before, *body, after])


def reads_of(statement):
    """Values from outside: a body may have names of its own that are others outside."""
    inside = set(re.findall(r"(%[\w]+)(?: =|: )", statement.split("\n", 1)[1])) if "\n" in statement else set()
    return set(VALUE.findall(statement.split("=", 1)[1])) - inside


def random_of(*seed):
    return random.Random("/".join(map(str, seed)))
