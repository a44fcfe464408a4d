#!/usr/bin/env python3
"""Debug folders that torch.compile writes beside what Fuselage reads in them.

Small models (MLP, attention, layer norm, softmax, convolutions, reductions, a training step, dynamic sizes) are compiled
with TORCH_COMPILE_DEBUG=1 and TORCH_LOGS=fusion. Of each folder it is checked that it opens, that its dispatches are the
kernels that output_code.py calls, and that each FX op is in one, or listed. Where iree-turbine and iree-compile are
installed, the model is exported too, and `compare` must pair the kernels that compute something with ours. torch is
needed; says so and ends where it is missing.

    tests/peers/inductor_debug.py --build build/release --only mlp

A C++ compiler is needed; a model takes torch a minute or two for the first time. --keep DIR keeps the folders, and
takes those that it has.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import torch
    from torch import nn
except ImportError:
    sys.exit("torch is not installed: nothing to compare with")
try:
    from iree.turbine import aot
except ImportError:
    aot = None


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(64, 128), nn.Linear(128, 32)

    def forward(self, x):
        return torch.relu(self.down(nn.functional.gelu(self.up(x))))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.qkv, self.out = nn.LayerNorm(64), nn.Linear(64, 192), nn.Linear(64, 64)

    def forward(self, x):
        b, s, d = x.shape
        q, k, v = self.qkv(self.norm(x)).view(b, s, 3, 4, 16).permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(q @ k.transpose(-1, -2) / 4.0, -1)
        return x + self.out((weights @ v).transpose(1, 2).reshape(b, s, d))


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(256)

    def forward(self, x):
        return self.norm(x * 2)


class Softmax(nn.Module):
    def forward(self, x):
        return torch.softmax(x, -1) + 1


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.second = nn.Conv2d(8, 16, 3, stride=2)

    def forward(self, x):
        x = torch.relu(self.second(torch.relu(self.norm(self.first(x)))))
        return nn.functional.max_pool2d(x, 2).mean((2, 3))


class Reductions(nn.Module):
    def forward(self, x):
        return x.sum(0), x.amax(1), (x * x).mean(), x.argmax(-1), x.cumsum(1), x[::2].sum(1)


MODELS = {
    "mlp": (Mlp, (8, 64)),
    "attention": (Attention, (2, 16, 64)),
    "norm": (Norm, (32, 256)),
    "softmax": (Softmax, (32, 128)),
    "convolutions": (Convolutions, (1, 3, 32, 32)),
    "reductions": (Reductions, (32, 48)),
    "training": (Mlp, (8, 64)),
    "dynamic": (Mlp, (8, 64)),
}
# Ops that only view, move or make data, of which no kernel need be told.
VIEWS = re.compile(r"\.(permute|view|reshape|expand|clone|slice|select|squeeze|unsqueeze|split\w*|unbind|t|transpose|"
                   r"alias|as_strided|full\w*|arange|iota|sym_\w+|empty\w*|_unsafe_view|detach|scalar_tensor)\b")


def compile_model(name):
    """In a process of its own, whose working directory gets the folder."""
    make, shape = MODELS[name]
    torch.manual_seed(0)
    model, x = make().eval(), torch.randn(*shape)
    if name == "training":
        torch.compile(model.train())(x).sum().backward()
        return
    with torch.no_grad():
        compiled = torch.compile(model, dynamic=True if name == "dynamic" else None)
        compiled(x)


def make_folder(name, where, cache):
    if (where / "torch_compile_debug").is_dir():
        return where / "torch_compile_debug"
    where.mkdir(parents=True)
    environment = {**os.environ, "TORCH_COMPILE_DEBUG": "1", "TORCH_LOGS": "fusion",
                   "TORCHINDUCTOR_CACHE_DIR": str(cache), "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}
    made = subprocess.run([sys.executable, os.path.abspath(__file__), "--compile", name], cwd=where, env=environment,
                          capture_output=True, text=True)
    folder = where / "torch_compile_debug"
    if folder.is_dir():
        (folder / "fusion.log").write_text(made.stderr)
    return folder


def kernels_called(graph):
    """Of output_code.py: names of kernels, by the comments on their calls."""
    text = (graph / "output_code.py").read_text()
    return sorted(re.findall(r"\[Provenance debug handles\] (\S+):\d+", text))


def nodes_of(graph):
    text = (graph / "fx_graph_transformed.py").read_text()
    found = re.findall(r"^\s+(\w+)(?:: \"[^\"]*\")? = (.*)$", text, re.MULTILINE)
    return [(name, value) for name, value in found if value != "None" and not re.match(r"\w+\[\d+\]", value)]


class Checker:
    def __init__(self, program, where):
        self.program, self.where, self.failures, self.checked = program, where, [], 0

    def fuselage(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True)

    def expect(self, condition, name, what):
        self.checked += 1
        if not condition:
            self.failures.append(f"{name}: {what}")

    def check(self, name):
        folder = make_folder(name, self.where / name, self.where / "cache")
        graphs = sorted(path.parent for path in folder.glob("run_*/torchinductor/*/fx_graph_transformed.py"))
        self.expect(graphs, name, "torch wrote no folder")
        for graph in graphs:
            self.check_graph(f"{name}/{graph.name}", graph)
        if aot and len(graphs) == 1 and name not in ("training", "dynamic"):
            self.compare(name, folder)

    def check_graph(self, name, graph):
        drawn = self.fuselage("graph", graph, "--format", "json")
        self.expect(drawn.returncode == 0, name, f"does not open: {drawn.stderr}")
        if drawn.returncode != 0:
            return
        [function] = [each for each in json.loads(drawn.stdout)["functions"]]
        names = sorted(dispatch["name"] for dispatch in function["dispatches"])
        called = kernels_called(graph)
        if "which kernels compute these ops is not known" in drawn.stderr:
            return print(f"{name}: torch wrote no mapping of nodes to kernels", flush=True)
        self.expect(names == called, name, f"dispatches {names}, kernels {called}")
        inside = {result.lstrip("%") for node in function["nodes"] for result in node["results"]}
        dispatched = {node["label"] for node in function["nodes"] if node["dispatch"] >= 0}
        self.expect(dispatched, name, "no op is in a dispatch")
        missing = [node for node, value in nodes_of(graph)
                   if not any(each == node or each.startswith(node + "_") or each.startswith(node + "#")
                              for each in inside) and not VIEWS.search(value)]
        self.expect(not missing, name, f"ops that are nowhere: {missing}")
        self.expect("not understood" not in drawn.stderr, name, drawn.stderr)
        print(f"{name}: {len(names)} kernels, {len(nodes_of(graph))} FX ops", flush=True)

    def compare(self, name, folder):
        make, shape = MODELS[name]
        torch.manual_seed(0)
        model = make().eval()
        aot.externalize_module_parameters(model)
        exported, linalg = self.where / f"{name}.torch.mlir", self.where / f"{name}.mlir"
        aot.export(model, torch.randn(*shape)).save_mlir(str(exported))
        lowered = subprocess.run([pathlib.Path(sys.executable).parent / "iree-compile", "--iree-input-type=torch",
                                  "--compile-to=input", exported, "-o", linalg], capture_output=True, text=True)
        if lowered.returncode != 0:
            return print(f"{name}: iree-compile does not lower it", flush=True)
        compared = self.fuselage("compare", folder, linalg, "--fuse-all", "--format", "json")
        self.expect(compared.returncode == 0, name, f"is not compared: {compared.stderr}")
        result = json.loads(compared.stdout)
        alone = [result["a"]["dispatches"][index]["name"] for row in result["rows"] if not row["b"] for index in row["a"]]
        self.expect(len(alone) * 2 <= len(result["a"]["dispatches"]), name, f"without a partner: {alone}")
        print(f"{name}: {len(result['a']['dispatches'])} kernels beside {len(result['b']['dispatches'])} dispatches, "
              f"without a partner: {alone}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release", help="where bin/fuselage is")
    parser.add_argument("--only", help="a part of a model's name")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder that keeps what torch writes; what is in it is not made again")
    parser.add_argument("--compile", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.compile:
        return compile_model(arguments.compile)
    where = arguments.keep or pathlib.Path(tempfile.mkdtemp())
    checker = Checker(os.path.join(arguments.build, "bin/fuselage"), where)
    for name in MODELS:
        if not arguments.only or arguments.only in name:
            checker.check(name)
    if not arguments.keep:
        shutil.rmtree(where)
    print(f"torch {torch.__version__}: {checker.checked} checks, {len(checker.failures)} failed")
    for failure in checker.failures:
        print("FAILED", failure)
    sys.exit(bool(checker.failures))


if __name__ == "__main__":
    main()
