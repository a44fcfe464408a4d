"""Schedules of MLIR's transform dialect from Python: written with handles, run by Fuselage's engine.

    import fuselage

    def schedule(module):
        matmul = module.match_ops("linalg.batch_matmul")
        fill = module.match_ops("linalg.fill")
        blocks = matmul.tile_to_forall(tile_sizes=[1, 64, 64], mapping=["#gpu.block<z>", "#gpu.block<y>", "#gpu.block<x>"])
        fill.fuse_into(blocks)

    with fuselage.open("batch_matmul.mlir") as module:
        result = module.run(schedule)
        print(result.text)

A schedule that fails is a ScheduleError with the line, what was said there, and the result so far. A module's engine ends with the
`with`, with `module.engine.close()`, or when nobody refers to it any more; threads may share one.

Parameters are left open with `param(range=[16, 32], name="rows")`, listed by `module.knobs(schedule)` and selected by
`module.run(schedule, knobs={"rows": 32})`; `tune("batch_matmul.mlir", schedule, device="vulkan:0")` finds the fastest. What ran can be saved as a script (`result.script`), and runs in mlir-opt --transform-interpreter. Standard library only.
"""
from .engine import Engine, EngineError
from .graph import Graph
from .module import Module, Result, ScheduleError, open
from .schedule import OpHandle, Param, ValueHandle, build, enforces, param, requires, transform
from .tuning import Tuned, TuneError, tune

__all__ = ["Engine", "EngineError", "Graph", "Module", "OpHandle", "Param", "Result", "ScheduleError", "Tuned", "TuneError", "ValueHandle", "build", "enforces",
           "open", "param", "requires", "transform", "tune"]
