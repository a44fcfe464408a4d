"""Writes each module with linalg.contract and linalg.elementwise in place of named ops, and expects the same plan."""
import pathlib
import re
import subprocess
import sys
import tempfile

KINDS = {"max": "max_signed", "min": "min_signed"}
NAMED = ("add sub mul div exp log abs ceil floor negf reciprocal round sqrt rsqrt square tanh erf div_unsigned max min powf "
         "select").split()
BEFORE_OPERANDS = r"(?= *(?:\{[^}]*\})? *ins)"


def contract(batch):
    maps = ", ".join(f"affine_map<({batch}m, n, k) -> ({batch}{dims})>" for dims in ("m, k", "k, n", "m, n"))
    return f"linalg.contract indexing_maps = [{maps}]"


def in_categories(text):
    text = re.sub(r"linalg\.matmul" + BEFORE_OPERANDS, contract(""), text)
    text = re.sub(r"linalg\.batch_matmul" + BEFORE_OPERANDS, contract("b, "), text)
    text = re.sub(r"linalg\.matmul(?= indexing_maps)", "linalg.contract", text)
    return re.sub(rf"linalg\.({'|'.join(NAMED)})" + BEFORE_OPERANDS,
                  lambda op: f"linalg.elementwise kind=#linalg.elementwise_kind<{KINDS.get(op[1], op[1])}>", text)


def counts(path):
    """The lines of `explain` and `fuse --all` that count."""
    lines = []
    for command in (["explain"], ["fuse", "--all"]):
        done = subprocess.run(["fuselage", *command, path], capture_output=True, text=True)
        lines += re.findall(r"^policy .*|^dispatches: .*", done.stdout + done.stderr, re.MULTILINE)
    return lines


def main():
    differs = False
    for sample in map(pathlib.Path, sys.argv[1:]):
        text = sample.read_text()
        category = in_categories(text)
        if category == text:
            continue
        with tempfile.TemporaryDirectory() as folder:
            rewritten = pathlib.Path(folder, sample.name)
            rewritten.write_text(category)
            expected, got = counts(sample), counts(rewritten)
        differs |= expected != got
        print(f"{sample.name}: {'the same' if expected == got else f'{expected} but {got}'}, {expected[-1]}")
    return differs


sys.exit(main())
