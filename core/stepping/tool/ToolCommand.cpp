#include "core/stepping/tool/ToolCommand.h"
#include "core/support/ShellWords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using llvm::StringRef;

namespace fuselage {
namespace {

// With the whole module in each dump, every step is a module that parses; passes that change nothing would repeat it.
constexpr StringRef mlirDumps[] = {"--mlir-print-ir-after-all", "--mlir-print-ir-after-change",
                                   "--mlir-print-ir-module-scope", "--mlir-disable-threading"};
constexpr StringRef mlirPlaces[] = {"--mlir-print-debuginfo"};
constexpr StringRef tritonVariables[] = {"MLIR_ENABLE_DUMP=1", "TRITON_ALWAYS_COMPILE=1"};
constexpr StringRef ireePrograms[] = {"iree-compile", "iree-opt"};
constexpr StringRef torchPrograms[] = {"torch-mlir-opt"};
constexpr StringRef stablehloPrograms[] = {"stablehlo-opt", "stablehlo-translate"};
constexpr StringRef mhloPrograms[] = {"mlir-hlo-opt"};
constexpr StringRef onnxPrograms[] = {"onnx-mlir-opt"};
constexpr StringRef tritonPrograms[] = {"triton-opt"};
constexpr StringRef scriptPrograms[] = {"python", "python2*", "python3*"};
constexpr StringRef mlirPrograms[] = {"mlir-opt", "mlir-opt-*"};
constexpr StringRef ourPrograms[] = {"fuselage-opt"};

const ToolFamily families[] = {
    {"iree",
     ireePrograms,
     mlirDumps,
     mlirPlaces,
     {},
     "it comes with 'pip install iree-base-compiler'",
     "pip install iree-base-compiler"},
    {"torch-mlir",
     torchPrograms,
     mlirDumps,
     mlirPlaces,
     {},
     "it is built with torch-mlir, from its sources or its wheel"},
    {"stablehlo", stablehloPrograms, mlirDumps, mlirPlaces, {}, "it is built with StableHLO, from its sources"},
    {"mlir-hlo", mhloPrograms, mlirDumps, mlirPlaces, {}, "it is built with XLA, from its sources"},
    {"onnx-mlir", onnxPrograms, mlirDumps, mlirPlaces, {}, "it is built with onnx-mlir, from its sources"},
    {"triton", tritonPrograms, mlirDumps, mlirPlaces, {}, "it is built with Triton, from its sources"},
    // Triton's compiler runs within a script and knows no flags.
    {"python", scriptPrograms, {}, {}, tritonVariables, "it comes with the system's packages"},
    {"mlir", mlirPrograms, mlirDumps, mlirPlaces, {}, "it comes with MLIR's packages, such as Debian's mlir-22-tools"},
    {"fuselage", ourPrograms, mlirDumps, mlirPlaces, {}, "it is installed with Fuselage"},
    // What links MLIR mostly has its flags.
    {"any", {}, mlirDumps, mlirPlaces, {}, "install it, or give its path"},
};

/// What the window's field offers. The others are called in more ways than one.
struct Offer {
  StringRef program, flags;
};
constexpr Offer offers[] = {{"iree-compile", "--compile-to=flow --iree-hal-target-backends=llvm-cpu"},
                            {"iree-opt", ""},
                            {"torch-mlir-opt", "--torch-backend-to-linalg-on-tensors-backend-pipeline"},
                            {"stablehlo-opt", "--stablehlo-legalize-to-linalg"},
                            {"onnx-mlir-opt", ""},
                            {"triton-opt", ""},
                            {"mlir-opt", "--canonicalize --cse"},
                            {"fuselage-opt", "--canonicalize --cse"}};

bool isNamed(StringRef program, StringRef pattern) {
  return pattern.consume_back("*") ? program.starts_with(pattern) : program == pattern;
}

/// Without its folder.
StringRef fileName(StringRef program) { return llvm::sys::path::filename(program); }

} // namespace

const ToolFamily &toolFamilyOf(StringRef program) {
  StringRef name = fileName(program);
  for (const ToolFamily &family : families)
    if (llvm::any_of(family.programs, [&](StringRef pattern) { return isNamed(name, pattern); }))
      return family;
  return std::end(families)[-1];
}

llvm::Expected<std::string> findProgram(StringRef program) {
  std::string howToGet = toolFamilyOf(program).howToGet.str();
  if (program.contains('/')) {
    if (llvm::sys::fs::is_directory(program) || !llvm::sys::fs::can_execute(program))
      return fail("there is no program '" + program.str() + "' that can be run");
    return program.str();
  }
  std::string folders = llvm::sys::Process::GetEnv("PATH").value_or("");
  llvm::SmallVector<StringRef> split;
  StringRef(folders).split(split, ':', -1, /*KeepEmpty=*/false);
  for (StringRef folder : split) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, program);
    if (llvm::sys::path::is_absolute(path) && !llvm::sys::fs::is_directory(path) && llvm::sys::fs::can_execute(path))
      return path.str().str();
  }
  return fail("'" + program.str() + "' is not in a folder of PATH; " + howToGet);
}

std::vector<FoundTool> findTools() {
  std::vector<FoundTool> tools;
  for (const Offer &offer : offers) {
    auto path = findProgram(offer.program);
    if (!path) {
      llvm::consumeError(path.takeError());
      continue;
    }
    tools.push_back({.program = offer.program.str(),
                     .path = *path,
                     .command = offer.flags.empty() ? offer.program.str() : (offer.program + " " + offer.flags).str()});
  }
  return tools;
}

std::string ToolCommand::program() const { return fileName(words.front()).str(); }

/// "mlir-print-ir-after-all" of "--mlir-print-ir-after-all=1".
static StringRef flagOf(StringRef word) { return word.ltrim('-').split('=').first; }

bool ToolCommand::choosesDumps() const {
  return llvm::any_of(llvm::drop_begin(words), [](StringRef word) {
    StringRef flag = flagOf(word);
    return word.starts_with("-") && (flag.starts_with("mlir-print-ir-") || flag.starts_with("print-after") ||
                                     flag.starts_with("print-before") || flag.starts_with("print-ir-"));
  });
}

std::string ToolCommand::dumpFolder() const {
  for (auto [index, word] : llvm::enumerate(words)) {
    if (!StringRef(word).starts_with("-") || flagOf(word) != "mlir-print-ir-tree-dir")
      continue;
    if (StringRef(word).contains('='))
      return StringRef(word).split('=').second.str();
    return index + 1 < words.size() ? words[index + 1] : "";
  }
  return "";
}

/// The words with FILE in its place, and `flags` after the program.
static std::vector<std::string> placeFile(llvm::ArrayRef<std::string> words, llvm::ArrayRef<StringRef> flags,
                                          StringRef file) {
  std::vector<std::string> placed;
  bool isPlaced = false;
  for (auto [index, typed] : llvm::enumerate(words)) {
    std::string word = typed;
    if (size_t hole = word.find("{}"); index > 0 && hole != std::string::npos) {
      word.replace(hole, 2, file.str());
      isPlaced = true;
    }
    placed.push_back(std::move(word));
  }
  if (!isPlaced)
    placed.push_back(file.str());
  // At the end a script's own arguments would stand before them.
  for (auto [index, flag] : llvm::enumerate(flags))
    placed.insert(placed.begin() + 1 + index, flag.str());
  return placed;
}

std::vector<std::string> ToolCommand::argumentsFor(StringRef file, bool dumps) const {
  llvm::ArrayRef<StringRef> flags;
  if (dumps && !choosesDumps())
    flags = family->dumpFlags;
  return placeFile(words, flags, file);
}

std::vector<std::string> ToolCommand::stepArgumentsFor(StringRef file) const {
  bool hasPlaces = llvm::any_of(words, [](StringRef word) { return flagOf(word) == "mlir-print-debuginfo"; });
  return placeFile(words, hasPlaces ? llvm::ArrayRef<StringRef>() : family->placeFlags, file);
}

llvm::Expected<ToolCommand> readToolCommand(StringRef line) {
  auto words = splitShellWords(line);
  if (!words)
    return words.takeError();
  if (words->empty())
    return fail("the command is empty; give a program with its options, such as 'mlir-opt --canonicalize'");
  auto path = findProgram(words->front());
  if (!path)
    return path.takeError();
  return ToolCommand{.words = *words, .path = *path, .family = &toolFamilyOf(words->front())};
}

} // namespace fuselage
