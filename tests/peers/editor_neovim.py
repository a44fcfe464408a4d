#!/usr/bin/env python3
"""A scripted session of Neovim with `fuselage lsp`.

usage: editor_neovim.py FUSELAGE    (needs nvim, 0.7 or newer; says so where it is not)
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

MODULE = """func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.max ins(%m, %zeros : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
"""
EXPECTED = ["lens 1 dispatch, 0 missed: open", "symbol @f 1", "hover ```mlir", "definition 4", "folds 1", "renamed true",
            "errors yes", "errors after undo none"]

editor = shutil.which("nvim")
if not editor:
    print("editor_neovim: skipped: nvim is not in PATH")
    sys.exit(0)
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "f.mlir"
    path.write_text(MODULE)
    script = pathlib.Path(__file__).with_suffix(".lua")
    environment = {**os.environ, "FUSELAGE_FILE": str(path), "FUSELAGE_PROGRAM": os.path.abspath(sys.argv[1]),
                   "XDG_STATE_HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
    command = [editor, "--headless", "-u", "NONE", "-n", "-c", f"luafile {script}", "-c", "cquit"]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
said = [line for line in run.stdout.splitlines() if line]
failed = [line for line in EXPECTED if line not in said]
print("\n".join(said))
if failed or run.returncode:
    print("missing:", failed, run.stderr)
print(f"editor_neovim: {len(EXPECTED) - len(failed)} of {len(EXPECTED)} hold")
sys.exit(bool(failed))
