#!/usr/bin/env python3
"""Portable artifacts of StableHLO beside what StableHLO's own reader makes of them.

Programs (those of portable/ops.mlir, and functions of JAX) are serialized for versions of VHLO from the oldest to the
newest, and as bytecode of StableHLO. fuselage-opt reads each; what it prints is parsed by StableHLO and must be, op by
op with attributes and locations, what StableHLO reads from the same file. jax is needed, and flatbuffers for the files
of jax.export; says so and ends where they are missing.

    tests/peers/portable_artifacts.py --build build/release --only gather

Results of `fuselage run` are compared, too: of the text that JAX prints and of the artifact, which must be equal.
--samples writes the files that the tests of the tree take as input (tests/lit/tolerant/Inputs).
"""
import argparse
import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import jax
    import jax.numpy as jnp
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo
except ImportError:
    sys.exit("jax is not installed: nothing to compare with")
try:
    import flatbuffers  # noqa: F401
except ImportError:
    flatbuffers = None

HERE = pathlib.Path(__file__).parent
VERSIONS = ["0.9.0", "0.10.0", "0.12.0", "0.14.0", "0.15.0", "0.17.0", "0.19.0", "0.20.0", "1.0.0", "1.1.0", "1.4.0",
            "1.5.0", "1.6.0", "1.8.0", "1.9.0", "1.10.0", "1.12.0", "1.13.0", "1.15.0", stablehlo.get_current_version()]
# Their types have an encoding since MLIR 23 that MLIR 22 does not know.
TOO_NEW = {"dot_algorithm", "float8", "more_float8", "small_types", "smaller_floats"}


def attention(q, k, v):
    weights = jax.nn.softmax(q @ k.T / 4.0, axis=-1)
    return weights @ v


def convolve(x, w):
    y = jax.lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jax.lax.reduce_window(jax.nn.relu(y), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def loss(x, w):
    return jnp.sum(convolve(x, w) ** 2)


def recur(h, xs):
    return jax.lax.scan(lambda state, x: (jnp.tanh(state + x), state), h, xs)


def search(x):
    return jax.lax.while_loop(lambda s: s[0] < 100, lambda s: (s[0] * 2, s[1] + s[1]), (1, x))


JAX = {
    "attention": (attention, [(8, 16), (8, 16), (8, 16)]),
    "convolve": (convolve, [(1, 8, 8, 3), (3, 3, 3, 4)]),
    "gradient": (jax.grad(loss, argnums=(0, 1)), [(1, 8, 8, 3), (3, 3, 3, 4)]),
    "recur": (recur, [(4,), (5, 4)]),
    "search": (search, [(4,)]),
    "take": (lambda x: x[jnp.array([2, 0, 1])] + jnp.take_along_axis(x, jnp.argsort(x, axis=1), axis=1), [(3, 3)]),
    "scatter": (lambda x: x.at[jnp.array([1, 1])].add(2.0), [(3, 3)]),
    "fft": (lambda x: jnp.abs(jnp.fft.rfft(x)), [(3, 8)]),
    "sort": (lambda x: (jnp.sort(x), jax.lax.top_k(x, 2)), [(3, 8)]),
    "random": (lambda x: x + jax.random.normal(jax.random.key(1), x.shape), [(3, 8)]),
    "linear": (lambda x: jnp.linalg.cholesky(x @ x.T + jnp.eye(4)), [(4, 4)]),
    "half": (lambda x: (x.astype(jnp.bfloat16) @ x.T.astype(jnp.bfloat16)).astype(jnp.float32), [(4, 4)]),
    "special": (lambda x: jax.scipy.special.erfinv(x) + jax.lax.lgamma(x) + jnp.sinh(x), [(4, 4)]),
}


# Files for the tests of the tree: pieces of ops.mlir, one after the other, and the version; none: StableHLO's own
# bytecode.
EXPORTED = """jax.export.export(jax.jit(lambda x, w: jax.nn.relu(x @ w).sum(axis=0)))(
    jax.ShapeDtypeStruct((4, 8), jnp.float32), jax.ShapeDtypeStruct((8, 3), jnp.float32))"""
SHARDED = """sdy.mesh @mesh = <["x"=2]>
func.func @sharded(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  %1 = stablehlo.custom_call @f(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}>} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}"""
SAMPLES = {
    "portable-0.9.0.mlirbc": (["convolution", "gather", "dot", "custom_call"], "0.9.0"),
    "portable-1.0.0.mlirbc": (["scatter", "reduce_window", "sort", "control", "constants"], "1.0.0"),
    "portable-1.17.0.mlirbc": (["gather_batched", "accuracy", "dot_algorithm", "collectives", "mesh"], "1.17.0"),
    "portable-shardy.mlirbc": ([SHARDED], None),
    "portable-own.mlirbc": (["convolution", "scatter_batched", "mesh", "accuracy", "linear_algebra"], None),
}


def write_samples(folder):
    pieces = dict(programs(""))
    for name, (parts, version) in SAMPLES.items():
        text = "\n".join(pieces.get(part, part) for part in parts)
        if version:
            with jax_mlir.make_ir_context():
                (folder / name).write_bytes(stablehlo.serialize_portable_artifact_str(text, version))
        else:
            with jax_mlir.make_ir_context():
                (folder / name).write_bytes(bytecode_of(ir.Module.parse(text)))
    # Its locations are of a file that is called so, and of no other.
    jax.config.update("jax_traceback_in_locations_limit", 1)
    exported = eval(compile(EXPORTED, "model.py", "eval"))
    (folder / "portable.jaxexport").write_bytes(bytes(exported.serialize()))


def programs(only):
    """Name and text of each whose name has `only`."""
    for piece in (HERE / "portable" / "ops.mlir").read_text().split("// -----\n"):
        name = piece.split("@")[1].split("(")[0].split(" ")[0]
        if only in name:
            yield name, piece
    for name, (function, shapes) in JAX.items():
        if only in "jax " + name:
            arguments = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes]
            lowered = jax.jit(function).lower(*arguments)
            yield "jax " + name, lowered.compiler_ir("stablehlo").operation.get_asm(enable_debug_info=True)


def asm(module):
    """Without what Shardy encodes, which is read as `#sdy.unread`, and without empty attributes of arguments and
    results, which no text tells from none."""
    def forget(op):
        if "sdy.sharding_rule" in op.attributes:
            del op.attributes["sdy.sharding_rule"]
        for key in ("arg_attrs", "res_attrs"):
            if key in op.attributes and not any(len(each) for each in op.attributes[key]):
                del op.attributes[key]
        return ir.WalkResult.ADVANCE

    module.operation.walk(forget)
    return module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)


class Comparison:
    def __init__(self, tool):
        self.tool, self.compared, self.wrong, self.skipped = tool, 0, 0, 0
        self.folder = tempfile.TemporaryDirectory()

    def read(self, data):
        path = pathlib.Path(self.folder.name) / "artifact.mlirbc"
        path.write_bytes(data)
        run = subprocess.run([self.tool, "--tolerant", "--mlir-print-debuginfo", path], capture_output=True, text=True)
        if run.returncode:
            raise ValueError(run.stderr.strip())
        return run.stdout

    def check(self, what, data, expected):
        self.compared += 1
        try:
            text = self.read(data).replace(", sdy.sharding_rule = #sdy.unread", "")
            found = asm(ir.Module.parse(text))
        except (ValueError, ir.MLIRError) as error:
            self.wrong += 1
            print(f"{what}: {error}")
            return
        if found != expected:
            self.wrong += 1
            print(f"{what}: differs")
            for ours, theirs in zip(found.splitlines(), expected.splitlines()):
                if ours != theirs:
                    print(f"  ours:   {ours}\n  theirs: {theirs}")
                    break


@contextlib.contextmanager
def quiet():
    """StableHLO says on stderr why a program does not fit a version."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def bytecode_of(module):
    out = io.BytesIO()
    module.operation.write_bytecode(out)
    return out.getvalue()


def compare(comparison, name, text):
    with jax_mlir.make_ir_context():
        module = ir.Module.parse(text)
        if name not in TOO_NEW:
            comparison.check(f"{name}, bytecode of StableHLO", bytecode_of(module), asm(module))
    seen = set()
    for version in VERSIONS:
        with jax_mlir.make_ir_context() as context:
            try:
                with quiet():
                    data = stablehlo.serialize_portable_artifact_str(text, version)
            except Exception:  # of a kind that differs by version: the program has ops that this one lacks
                comparison.skipped += 1
                continue
            if data in seen:
                continue
            seen.add(data)
            expected = asm(stablehlo.deserialize_portable_artifact(context, data))
            comparison.check(f"{name}, version {version}", data, expected)


def results_of(tool, path, folder):
    """Exit code and results of a run, by file."""
    folder.mkdir()
    run = subprocess.run([tool, "run", path, "--repeat", "1", "--warmup", "0", "--baselines", "none", "--output", folder],
                         capture_output=True, text=True)
    return run.returncode, {file.name: file.read_bytes() for file in sorted(folder.glob("result*.npy"))}


def compare_runs(comparison, tool, name, text):
    """Of the text and of an artifact for the newest version."""
    with jax_mlir.make_ir_context():
        try:
            with quiet():
                data = stablehlo.serialize_portable_artifact_str(text, VERSIONS[-1])
        except Exception:  # ops of CHLO are in no artifact
            return
    comparison.compared += 1
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "text.mlir").write_text(text)
        (folder / "artifact.mlirbc").write_bytes(data)
        of_text = results_of(tool, folder / "text.mlir", folder / "text")
        of_artifact = results_of(tool, folder / "artifact.mlirbc", folder / "artifact")
        if of_text != of_artifact or not of_text[1]:
            comparison.wrong += 1
            print(f"{name}: a run of the artifact differs: exit codes {of_text[0]} and {of_artifact[0]}, "
                  f"{len(of_text[1])} and {len(of_artifact[1])} results")


def compare_exports(comparison):
    for name, (function, shapes) in JAX.items():
        arguments = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes]
        exported = jax.export.export(jax.jit(function))(*arguments)
        with jax_mlir.make_ir_context() as context:
            expected = asm(stablehlo.deserialize_portable_artifact(context, exported.mlir_module_serialized))
            comparison.check(f"{name}, jax.export", bytes(exported.serialize()), expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release", help="folder with bin/fuselage-opt")
    parser.add_argument("--only", default="", help="programs whose name has this")
    parser.add_argument("--samples", type=pathlib.Path, help="write the inputs of the tree's own tests into this folder")
    arguments = parser.parse_args()
    if arguments.samples:
        write_samples(arguments.samples)
        return 0
    comparison = Comparison(pathlib.Path(arguments.build) / "bin" / "fuselage-opt")
    for name, text in programs(arguments.only):
        compare(comparison, name, text)
        if name.startswith("jax "):
            compare_runs(comparison, comparison.tool.with_name("fuselage"), name, text)
    if flatbuffers is None:
        print("flatbuffers is not installed: files of jax.export are not compared")
    elif not arguments.only:
        compare_exports(comparison)
    print(f"{comparison.compared} compared, {comparison.wrong} differ; {comparison.skipped} programs do not fit a version")
    return 1 if comparison.wrong or not comparison.compared else 0


if __name__ == "__main__":
    sys.exit(main())
