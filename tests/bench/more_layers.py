#!/usr/bin/env python3
"""Writes a model with more layers: repeats one of the equal layers of a file, each with weights of its own.

  more_layers.py MODEL COPIES OUT     MODEL: a file with one function whose layers follow each other, such as llama_8layer.mlir

A layer is a run of lines that is repeated but for the names of values. The last copy but one is what is repeated: what it
reads of the layer before it, its own values and its own arguments get new names, everything else is shared.
"""
import re
import sys

VALUE = re.compile(r"%[A-Za-z0-9_$.-]+")
DEFINED = re.compile(r"^ {4}(%[A-Za-z0-9_$.-]+) = ")


def shape_of(line):
    """A line without the names of its values."""
    return VALUE.sub("%", line)


def longest_run(shapes):
    """The first line and the length of the shortest piece that is repeated right after itself most often, and how often."""
    best = (0, 0, 0)
    numbers = {}
    codes = [numbers.setdefault(shape, len(numbers)) for shape in shapes]
    for period in range(8, len(codes) // 2):
        run = 0
        for at in range(len(codes) - period):
            run = run + 1 if codes[at] == codes[at + period] else 0
            times = run // period + 1
            if times > 1 and run > best[1] * (best[2] - 1):
                best = (at - run + 1, period, times)
        if best[2] > 2:
            break
    return best


def more_layers(text, wanted):
    lines = text.splitlines()
    head = next(i for i, line in enumerate(lines) if "func" in line and "(%" in line)
    start, length, times = longest_run([shape_of(line) for line in lines[head + 1:]])
    if times < 4:
        raise SystemExit("more_layers: no four layers that are equal but for the names of their values")
    start += head + 1
    before, template = (lines[start + length * n:start + length * (n + 1)] for n in (times - 3, times - 2))
    made = [match[1] for match in map(DEFINED.match, template) if match]
    earlier = dict(zip((match[1] for match in map(DEFINED.match, before) if match), made))
    arguments = dict(re.findall(r"(%[A-Za-z0-9_$.-]+): ([^,)]+)", lines[head]))
    used = lambda block: [name for line in block for name in VALUE.findall(line)]
    own = sorted({name for name, other in zip(used(template), used(before)) if name in arguments and name != other},
                 key=list(arguments).index)
    copies, added, last = [], [], {name: name for name in made}
    for number in range(wanted):
        names = {name: f"%more{number}_{name[1:]}" for name in made + own}
        names.update({old: last[new] for old, new in earlier.items()})
        copies += [VALUE.sub(lambda match: names.get(match[0], match[0]), line) for line in template]
        added += [f"{names[name]}: {arguments[name]}" for name in own]
        last = {name: names[name] for name in made}
    after = start + length * (times - 1)
    rest = [VALUE.sub(lambda match: last.get(match[0], match[0]), line) for line in lines[after:]]
    signature = lines[head].replace(") -> ", ", " + ", ".join(added) + ") -> ", 1) if added else lines[head]
    return "\n".join(lines[:head] + [signature] + lines[head + 1:after] + copies + rest) + "\n"


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    with open(sys.argv[1], encoding="utf-8") as file:
        text = more_layers(file.read(), int(sys.argv[2]))
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
