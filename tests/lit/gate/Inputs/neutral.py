"""Rebuilds that only renumber, rename or move are no finding of the gate: neutral.py FUSELAGE MODULE.."""
import json
import pathlib
import subprocess
import sys
import tempfile

import revisions


def main(fuselage, *paths):
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in map(pathlib.Path, paths):
            base = pathlib.Path(folder) / "base.json"
            subprocess.run([fuselage, "explain", path, "--no-unlocks", "--format", "json", "-o", base], check=True)
            for revise in revisions.NEUTRAL:
                new = pathlib.Path(folder) / "new.mlir"
                new.write_text(revise(path.read_text(), revisions.random_of(path.stem, revise.__name__)))
                result = subprocess.run([fuselage, "explain", new, "--against", base, "--no-unlocks", "--format", "json"],
                                        capture_output=True, text=True)
                gate = json.loads(result.stdout) if result.stdout else {"findings": [result.stderr], "better": 0}
                if result.returncode or gate["findings"] or gate["better"]:
                    sys.exit(f"{path.name}, {revise.__name__}: exit code {result.returncode}: {gate['findings']}, "
                             f"better: {gate['better']}")
                count += 1
    print(f"{count} rebuilds, no finding")


main(*sys.argv[1:])
