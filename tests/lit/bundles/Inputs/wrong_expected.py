"""wrong_expected.py FROM TO: copies a bundle and changes what its first dispatch is expected to give, with the checksum."""
import hashlib
import json
import pathlib
import shutil
import struct
import sys

source, target = map(pathlib.Path, sys.argv[1:3])
shutil.copytree(source, target)
manifest = json.loads((target / "manifest.json").read_text())
content = manifest["dispatches"][0]["results"][0]["value"]["content"]
numbers = bytearray((target / content["file"]).read_bytes())
for at in range(0, len(numbers), 64):
    struct.pack_into("<f", numbers, at, 1e6)
content["file"] = "wrong.bin"
content["sha256"] = hashlib.sha256(numbers).hexdigest()
(target / "wrong.bin").write_bytes(numbers)
(target / "manifest.json").write_text(json.dumps(manifest))
