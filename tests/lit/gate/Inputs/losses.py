"""Seeded fusion losses, each of which the gate finds at the ops that it is about: losses.py FUSELAGE SAMPLES

A loss is an edit of a sample, and the values at whose edge a finding must be. Each is tried as it is, and after a rebuild
that renames and moves everything; the way back must be no finding of an edge.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from revisions import between, edited, moved_lines, random_of, renamed_values, statements

UP, DOWN, ROWS, CUBE = "tensor<128x3072xf32>", "tensor<128x768xf32>", "tensor<12x128xf32>", "tensor<12x128x128xf32>"
IMAGE = "tensor<1x56x56x64xf32>"


def call(value, type_, new="%seed"):
    """An op that nothing can be fused with."""
    return [f"{new} = \"lib.opaque\"({value}) : ({type_}) -> {type_}"]


def reshapes(value, type_, flat, groups, sizes, new="%seed"):
    """To another shape and back."""
    return [f"{new}_flat = tensor.collapse_shape {value} {groups} : {type_} into {flat}",
            f"{new} = tensor.expand_shape {new}_flat {groups} output_shape {sizes} : {flat} into {type_}"]


def reduction(value, type_, row, new="%seed"):
    """A running reduction between the two, spread over the rows again."""
    return [f"{new}_to = tensor.empty() : {row}",
            f"{new}_sum = linalg.reduce ins({value} : {type_}) outs({new}_to : {row}) dimensions = [1]",
            "  (%seed_in: f32, %seed_out: f32) { %seed_add = arith.addf %seed_in, %seed_out : f32 linalg.yield %seed_add : f32 }",
            f"{new}_all = tensor.empty() : {type_}",
            f"{new} = linalg.broadcast ins({new}_sum : {row}) outs({new}_all : {type_}) dimensions = [1]"]


def transposes(value, type_, turned, order, back, new="%seed"):
    return [f"{new}_a = tensor.empty() : {turned}",
            f"{new}_t = linalg.transpose ins({value} : {type_}) outs({new}_a : {turned}) permutation = {order}",
            f"{new}_b = tensor.empty() : {type_}",
            f"{new} = linalg.transpose ins({new}_t : {turned}) outs({new}_b : {type_}) permutation = {back}"]


def second_use(text, value, type_, returned, return_type):
    """The value is returned, too."""
    return (text.replace(f"return {returned} :", f"return {returned}, {value} :")
            .replace(f": {return_type}\n}}", f": {return_type}, {type_}\n}}")
            .replace(f") -> {return_type} {{", f") -> ({return_type}, {type_}) {{"))


def split(text, value, type_):
    """What reads `value` becomes a function of its own, which has all arguments and `value`."""
    before, body, after = statements(text)
    at = next(i for i, statement in enumerate(body) if f"{value} " in statement.split("=")[0]) + 1
    header = before[before.index("func.func"):]
    name = header[header.index("@"):header.index("(")]
    second = header.replace(name + "(", name + f"_rest({value}: {type_}, ", 1)
    first = header[:header.rindex("->")] + f"-> {type_} {{"
    shared = [s for s in body[:at] if "arith.constant" in s or "tensor.empty" in s or "linalg.fill" in s]
    return "\n".join([before[:before.index("func.func")], first, *body[:at], f"  return {value} : {type_}", "}",
                      second, *shared, *body[at:], after])


LOSSES = [
    # name, sample, edit, producer, consumer, policy if it is not aggressive
    ("op between matmul and bias", "matmul_transpose_bias",
     lambda t: between(t, "%mm", "%y", call("%mm", DOWN), "%seed"), "%mm", "%y"),
    ("op between up and bias", "mlp_gelu", lambda t: between(t, "%up", "%up_bias", call("%up", UP), "%seed"), "%up", "%up_bias"),
    ("op between bias and gelu", "mlp_gelu", lambda t: between(t, "%up_bias", "%gelu", call("%up_bias", UP), "%seed"),
     "%up_bias", "%gelu"),
    ("op between down and residual", "mlp_gelu", lambda t: between(t, "%down", "%y", call("%down", DOWN), "%seed"), "%down", "%y"),
    ("op between max and shifted", "softmax", lambda t: between(t, "%max", "%shifted", call("%max", ROWS), "%seed"),
     "%max", "%shifted"),
    ("op between shifted and exp", "softmax", lambda t: between(t, "%shifted", "%exp", call("%shifted", CUBE), "%seed"),
     "%shifted", "%exp"),
    ("op between sum and quotient", "softmax", lambda t: between(t, "%sum", "%probs", call("%sum", ROWS), "%seed"),
     "%sum", "%probs"),
    ("op between bias and relu", "conv_bias_relu", lambda t: between(t, "%biased", "%relu", call("%biased", IMAGE), "%seed"),
     "%biased", "%relu"),
    ("reshapes between matmul and bias", "matmul_transpose_bias",
     lambda t: between(t, "%mm", "%y", reshapes("%mm", DOWN, "tensor<98304xf32>", "[[0, 1]]", "[128, 768]"), "%seed"),
     "%mm", "%y"),
    ("reshapes between sum and quotient", "softmax",
     lambda t: between(t, "%sum", "%probs", reshapes("%sum", ROWS, "tensor<1536xf32>", "[[0, 1]]", "[12, 128]"), "%seed"),
     "%sum", "%probs"),
    ("reshapes between up and bias", "mlp_gelu",
     lambda t: between(t, "%up", "%up_bias", reshapes("%up", UP, "tensor<393216xf32>", "[[0, 1]]", "[128, 3072]"), "%seed"),
     "%up", "%up_bias"),
    ("reduction between bias and gelu", "mlp_gelu",
     lambda t: between(t, "%up_bias", "%gelu", reduction("%up_bias", UP, "tensor<128xf32>"), "%seed"), "%up_bias", "%gelu"),
    ("transposed read of the sum", "softmax",
     lambda t: edited(t, "%probs", "[#all, #row, #all]",
                      "[#all, affine_map<(d0, d1, d2) -> (d0, d2)>, #all]"), "%sum", "%probs", "conservative"),
    ("transposed read of the maximum", "softmax",
     lambda t: edited(t, "%shifted", "[#all, #row, #all]", "[#all, affine_map<(d0, d1, d2) -> (d0, d2)>, #all]"),
     "%max", "%shifted", "conservative"),
    ("transposed read of scores", "softmax",
     lambda t: edited(t, "%exp", "[#all, #all]", "[affine_map<(d0, d1, d2) -> (d0, d2, d1)>, #all]"), "%shifted", "%exp",
     "conservative"),
    ("op between convolution and bias", "conv_bias_relu",
     lambda t: between(t, "%conv", "%biased", call("%conv", IMAGE), "%seed"), "%conv", "%biased"),
    ("rows that are reversed", "matmul_transpose_bias",
     lambda t: edited(t, "%y", "[#id, #column, #id]", "[affine_map<(d0, d1) -> (127 - d0, d1)>, #column, #id]")
     .replace("(127 - d0, d1)", "(-d0 + 127, d1)"), "%mm", "%y"),
    ("function split after the product", "mlp_gelu", lambda t: split(t, "%up", UP), "%up", "%up_bias"),
    ("function split after the bias", "mlp_gelu", lambda t: split(t, "%up_bias", UP), "%up_bias", "%gelu"),
    ("function split after the sum", "softmax", lambda t: split(t, "%shifted", CUBE), "%shifted", "%exp"),
    ("a result more", "mlp_gelu", lambda t: second_use(t, "%up", UP, "%y", DOWN), "%up", "%up_bias", "conservative"),
    ("op between keys and scores", "bert_attention",
     lambda t: between(t, "%k_t", "%k_b", call("%k_t", "tensor<1x12x64x128xf32>"), "%seed"), "%k_t", "%k_b"),
    ("op in one of three equal projections", "bert_attention",
     lambda t: between(t, "%v_mm", "%v", call("%v_mm", "tensor<1x128x768xf32>"), "%seed"), "%v_mm", "%v"),
    ("op in the softmax of a model", "bert_attention",
     lambda t: between(t, "%sum", "%probs", call("%sum", "tensor<1x12x128x1xf32>"), "%seed"), "%sum", "%probs"),
    ("transposed read in one of three projections", "bert_attention",
     lambda t: edited(t, "%k", "[#unit3, #bias3, #id3]",
                      "[affine_map<(d0, d1, d2) -> (0, -d1 + 127, d2)>, #bias3, #id3]"), "%k_mm", "%k"),
]


class Gate:
    def __init__(self, fuselage, folder):
        self.fuselage, self.folder = fuselage, pathlib.Path(folder)
        self.use("aggressive")

    def use(self, policy):
        self.options = ["--policy", policy, "--no-unlocks", "--format", "json"]

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def report(self, name, path):
        out = self.folder / name
        subprocess.run([self.fuselage, "explain", path, *self.options, "-o", out], check=True)
        return out

    def against(self, path, base):
        result = subprocess.run([self.fuselage, "explain", path, "--against", base, *self.options],
                                capture_output=True, text=True)
        if not result.stdout:
            sys.exit(f"{path}: {result.stderr}")
        return result.returncode, json.loads(result.stdout)


def edges_of(gate):
    return [f for f in gate["findings"] if f["kind"] in ("new-missed", "lost")]


def main(fuselage, samples):
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        gate = Gate(fuselage, folder)
        for name, sample, edit, producer, consumer, *policy in LOSSES:
            gate.use(*policy or ["aggressive"])
            text = (pathlib.Path(samples) / f"{sample}.mlir").read_text()
            worse = edit(text)
            old = gate.file("old.mlir", text)
            new = gate.file("new.mlir", worse)
            code, found = gate.against(new, gate.report("base.json", old))
            ends = {end.get("value") for f in edges_of(found) for end in (f.get("from", {}), f.get("to", {}))}
            lines = [f["to"]["loc"] for f in edges_of(found)]
            if code != 1 or not edges_of(found) or not ends & {producer, consumer} or not all(lines):
                missed.append(f"{name}: exit code {code}, ends {ends}: {found['findings']}")
            # A rebuild on top of it hides nothing, and finds nothing else.
            draw = random_of(name)
            moved = gate.file("moved.mlir", moved_lines(renamed_values(worse, draw), draw))
            _, again = gate.against(moved, old)
            if [f["fingerprint"] for f in again["findings"]] != [f["fingerprint"] for f in found["findings"]]:
                missed.append(f"{name}: other findings after a rebuild: {again['findings']}")
            # The way back is an improvement.
            _, back = gate.against(old, new)
            if edges_of(back):
                missed.append(f"{name}: the way back has findings: {back['findings']}")
    print("\n".join(missed))
    print(f"{len(LOSSES) - len({line.split(':')[0] for line in missed})} of {len(LOSSES)} seeded losses found")
    sys.exit(bool(missed))


main(*sys.argv[1:])
