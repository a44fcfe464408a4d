import os
import shutil
import sys

import lit.formats

config.name = "Fuselage"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".hlo"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

# Our tools come first, then LLVM's FileCheck, not, split-file, spirv-val and so on.
config.environment["PATH"] = os.pathsep.join(
    [config.fuselage_bin_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
for name in ("HOME", "LSAN_OPTIONS", "ASAN_OPTIONS", "VK_ICD_FILENAMES", "VK_DRIVER_FILES", "XDG_RUNTIME_DIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# Measured peaks are kept there, and not at home.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
# So is what was tuned: there is nothing but what a test itself has put somewhere.
config.environment["XDG_DATA_HOME"] = os.path.join(config.test_exec_root, "data")

# NVIDIA's assembler, which not every machine has.
if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")

# Runs the extension of VS Code.
if shutil.which("node", path=config.environment["PATH"]):
    config.available_features.add("node")

config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%source", config.fuselage_source_dir))
config.substitutions.append(("%plugins", config.fuselage_plugin_dir))
config.substitutions.append(("%samples", os.path.join(config.fuselage_source_dir, "samples")))
# A schedule with fuselage and with mlir-opt.
agrees = os.path.join(os.path.dirname(__file__), "schedules", "Inputs", "agrees.py")
config.substitutions.append(("%agrees", f"{sys.executable} {agrees}"))
fuzz = os.path.join(config.fuselage_source_dir, "tests", "fuzz")
config.substitutions.append(("%corpus", os.path.join(fuzz, "corpus", "cli")))
config.substitutions.append(("%torture", os.path.join(fuzz, "torture.py")))

# Says whether Debian would take our desktop file.
if shutil.which("desktop-file-validate", path=config.environment["PATH"]):
    config.available_features.add("desktop-file-validate")
