"""Builds the wheel of this folder, as pip asks (PEP 517): files and a list of them. Nothing is compiled, nothing else is needed."""
import base64
import hashlib
import pathlib
import re
import tarfile
import zipfile

FOLDER = pathlib.Path(__file__).parent


def _field(name):
    return re.search(rf'^{name} = "(.*)"$', (FOLDER / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE).group(1)


def _metadata():
    return (f"Metadata-Version: 2.1\nName: {_field('name')}\nVersion: {_field('version')}\n"
            f"Summary: {_field('description')}\nRequires-Python: {_field('requires-python')}\n")


def _files():
    package = FOLDER / "fuselage"
    return [(f"fuselage/{path.name}", path.read_bytes()) for path in sorted(package.iterdir())
            if path.suffix in (".py", ".js") or path.name == "py.typed"]


def _write_wheel(folder, files):
    name, version = _field("name"), _field("version")
    info = f"{name}-{version}.dist-info"
    files = files + [(f"{info}/METADATA", _metadata().encode()),
                     (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: fuselage\nRoot-Is-Purelib: true\nTag: py3-none-any\n")]
    record = ""
    wheel = f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files:
            archive.writestr(path, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(data)}\n"
        archive.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, _files())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, [("fuselage.pth", str(FOLDER).encode() + b"\n")])


def build_sdist(sdist_directory, config_settings=None):
    name = f"{_field('name')}-{_field('version')}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for path in [FOLDER / "pyproject.toml", FOLDER / "wheel_backend.py", *sorted((FOLDER / "fuselage").iterdir())]:
            if path.is_file():
                archive.add(path, f"{name}/{path.relative_to(FOLDER)}")
    return f"{name}.tar.gz"
