// valid-modules: lists, writes or sweeps the generated modules.
#include "core/registration/Registration.h"
#include "tests/fuzz/CommandSweep.h"
#include "tests/fuzz/ValidModules.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstring>

using namespace fuselage::fuzz;

static constexpr const char *usage =
    "usage: valid-modules list|write|run [--name REGEX] [--command REGEX] [--every N] [--from N] "
    "[--seconds N]\n"
    "  list   the names of the modules\n"
    "  write  their texts, split by // -----\n"
    "  run    every command on each; a finding is printed with the module\n";

namespace {
struct Wanted {
  std::string name = ".", command = ".";
  unsigned every = 1, from = 0, seconds = 0;
};
} // namespace

static bool read(int argc, char **argv, Wanted &wanted) {
  for (int i = 2; i + 1 < argc; i += 2) {
    llvm::StringRef option = argv[i], value = argv[i + 1];
    bool isText = option == "--name" || option == "--command";
    if (isText)
      (option == "--name" ? wanted.name : wanted.command) = value.str();
    else if ((option != "--every" && option != "--from" && option != "--seconds") ||
             value.getAsInteger(10, option == "--every"  ? wanted.every
                                    : option == "--from" ? wanted.from
                                                         : wanted.seconds))
      return false;
  }
  return argc % 2 == 0 && wanted.every > 0;
}

/// Every command of those wanted on the module; how many find something.
static unsigned sweep(const ValidModule &module, const llvm::Regex &commands) {
  unsigned findings = 0;
  for (const std::vector<std::string> &command : sweptCommands()) {
    if (!commands.match(llvm::join(command, " ")))
      continue;
    auto finding = findInSweep(command, module.text);
    if (!finding)
      continue;
    ++findings;
    llvm::outs() << "FINDING " << module.name << "\n" << *finding << "\n" << module.text << "\n";
    llvm::outs().flush();
  }
  return findings;
}

int main(int argc, char **argv) {
  Wanted wanted;
  llvm::StringRef what = argc > 1 ? argv[1] : "";
  if (!llvm::is_contained({"list", "write", "run"}, what) || !read(argc, argv, wanted)) {
    llvm::errs() << usage;
    return 2;
  }
  std::vector<ValidModule> modules;
  {
    mlir::MLIRContext context(fuselage::allDialects(), mlir::MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    modules = validModules(context);
  }
  llvm::Regex names(wanted.name), commands(wanted.command);
  auto start = std::chrono::steady_clock::now();
  unsigned number = 0, tried = 0, findings = 0;
  for (const ValidModule &module : modules) {
    bool isWanted = number++ % wanted.every == wanted.from && names.match(module.name);
    if (wanted.seconds && std::chrono::steady_clock::now() - start > std::chrono::seconds(wanted.seconds))
      break;
    if (!isWanted)
      continue;
    ++tried;
    if (what == "list")
      llvm::outs() << module.name << '\n';
    else if (what == "write")
      llvm::outs() << "// " << module.name << '\n' << module.text << "// -----\n";
    else
      findings += sweep(module, commands);
  }
  llvm::errs() << tried << " modules of " << modules.size() << ", " << findings << " findings\n";
  return findings != 0;
}
