#include "app/cli/explain/AgainstBase.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/support/Error.h"
#include "core/support/Paths.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fuselage::cli {

void declareAgainst(Options &options, AgainstBase &against) {
  options.text("against", "BASE",
               "compare with BASE, another revision of FILE or what --format json wrote of it; exit code 1 if more "
               "edges are missed, fusions are lost, or there are more dispatches or bytes",
               against.path);
  options.custom("allow", "WORSE",
                 "with --against, how much may become worse: new-missed=N, lost=N, dispatches=N or N%, bytes=N, N% or "
                 "with a unit (64kB); any for no limit; several with commas (default: nothing)",
                 [&](llvm::StringRef value) {
                   against.anyAllowed = true;
                   return against.allowance.add(value);
                 });
}

llvm::Expected<message::FusionReport<>>
readBase(const AgainstBase &against, llvm::function_ref<llvm::Expected<message::FusionReport<>>()> explain) {
  // A module never begins with a brace.
  auto file = llvm::MemoryBuffer::getFile(against.path);
  if (file && (*file)->getBuffer().ltrim().starts_with("{"))
    return readFusionReport((*file)->getBuffer(), shortPath(against.path));
  return explain();
}

llvm::Expected<std::string> gateAgainst(const AgainstBase &against, llvm::StringRef path,
                                        const message::FusionReport<> &base, const message::FusionReport<> &now,
                                        llvm::StringRef format, int &exitCode) {
  if (base.policy != now.policy)
    return fail("'" + shortPath(against.path) + "' was judged by the policy " + base.policy + ", and this is " +
                now.policy + ": write the base anew, or name its policy with --policy");
  FusionGateReport gate = compareFusion(base, now, against.allowance);
  gate.file = path == "-" ? "standard input" : path.str();
  gate.base = against.path;
  if (!gate.passed)
    exitCode = ExitInputError;
  return format == "json"    ? message::jsonText(gate)
         : format == "sarif" ? gateSarif(gate, FUSELAGE_VERSION)
         : format == "junit" ? gateJunit(gate)
                             : gateText(gate);
}

} // namespace fuselage::cli
