"""Writes zips of a lesson's folder into the working directory: two that are fine, and others that nobody should open."""
import pathlib
import stat
import sys
import zipfile

lesson = pathlib.Path(sys.argv[1])


def write(name, files, prefix=""):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(lesson.iterdir()):
            archive.write(path, prefix + path.name)
        for info, data in files:
            archive.writestr(info, data)


write("flat.zip", [])
write("folder.zip", [], prefix="mine/")
write("parent.zip", [("../escaped.mlir", "module {}")])
write("absolute.zip", [("/tmp/escaped.mlir", "module {}")])
link = zipfile.ZipInfo("link.mlir")
link.create_system = 3
link.external_attr = (stat.S_IFLNK | 0o777) << 16
write("link.zip", [(link, "/etc/passwd")])
write("bomb.zip", [("zeros.mlir", bytes(64 << 20))])
write("many.zip", [(f"{i}.mlir", "") for i in range(300)])
with zipfile.ZipFile("none.zip", "w") as archive:
    archive.writestr("m.mlir", "module {}")
whole = pathlib.Path("flat.zip").read_bytes()
pathlib.Path("cut.zip").write_bytes(whole[: len(whole) // 2])
pathlib.Path("text.zip").write_text("no zip\n")
