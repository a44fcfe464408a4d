// Cuts of the pipeline.
#include "core/reduce/Reducer.h"
#include "core/stepping/record/StepReplay.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The last pass alone, on the module or on the IR before it.
bool tryLastPass(Reducer &reducer, const FaultLimits &limits) {
  llvm::ArrayRef<PassUnit> passes = reducer.passes();
  const std::vector<PassUnit> last{passes.back()};
  if (reducer.tryPasses(last, "passes before the last one are dropped"))
    return true;
  auto end = tryPasses(reducer.module(), passes.drop_back(), limits, /*wantsOutput=*/true);
  if (!end) {
    llvm::consumeError(end.takeError());
    return false;
  }
  if (!end->verifies || end->fault)
    return false;
  MLIRContext *context = reducer.module().getContext();
  DiagnosticCapture capture(*context);
  auto before = parseSourceString<ModuleOp>(end->output, ParserConfig(context, /*verifyAfterParse=*/false));
  return before && reducer.tryPasses(last, "the IR before the last pass", std::move(before));
}

/// The options of a pass, which spaces part outside of braces and quotes.
std::vector<std::string> splitOptions(llvm::StringRef options) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  char quote = 0;
  for (char c : options) {
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    depth += quote ? 0 : (c == '{') - (c == '}');
    if (c == ' ' && depth == 0 && !quote) {
      if (!part.empty())
        parts.push_back(std::move(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!part.empty())
    parts.push_back(std::move(part));
  return parts;
}

/// The pass with other options, at the same place; nullopt: its text is not as expected, or they do not parse.
std::optional<PassUnit> withOptions(const PassUnit &unit, const std::vector<std::string> &options,
                                    MLIRContext &context) {
  const std::string before = unit.pass + (unit.options.empty() ? "" : "{" + unit.options + "}");
  const size_t at = unit.pipeline.find(before);
  if (at == std::string::npos)
    return std::nullopt;
  std::string pipeline = unit.pipeline;
  pipeline.replace(at, before.size(), unit.pass + (options.empty() ? "" : "{" + llvm::join(options, " ") + "}"));
  auto units = parsePipeline(pipeline, context);
  if (!units) {
    llvm::consumeError(units.takeError());
    return std::nullopt;
  }
  return units->size() == 1 ? std::optional(units->front()) : std::nullopt;
}

bool tryOptions(Reducer &reducer, unsigned index, const std::vector<std::string> &options, llvm::StringRef cut) {
  std::vector<PassUnit> passes = reducer.passes().vec();
  std::optional<PassUnit> changed = withOptions(passes[index], options, *reducer.module().getContext());
  if (!changed)
    return false;
  passes[index] = std::move(*changed);
  return reducer.tryPasses(std::move(passes), cut);
}

bool dropOptions(Reducer &reducer) {
  bool any = false;
  for (unsigned index = 0; index < reducer.passes().size(); ++index) {
    std::vector<std::string> options = splitOptions(reducer.passes()[index].options);
    for (unsigned i = options.size(); i-- > 0;) {
      std::vector<std::string> fewer = options;
      fewer.erase(fewer.begin() + i);
      if (!tryOptions(reducer, index, fewer, "options are dropped"))
        continue;
      options = std::move(fewer);
      any = true;
    }
  }
  return any;
}

/// The patterns that a pass applies, each once.
std::vector<std::string> appliedPatterns(ModuleOp module, const std::string &pipeline) {
  auto before = std::make_shared<Snapshot>(OwningOpRef<ModuleOp>(module.clone()));
  auto run = replayOf(before, {.pipeline = pipeline})->run({});
  if (!run) {
    llvm::consumeError(run.takeError());
    return {};
  }
  std::vector<std::string> names;
  for (const PatternSum &pattern : run->log.patterns)
    if (pattern.applied > 0 && !pattern.name.empty())
      names.push_back(pattern.name);
  return names;
}

} // namespace

bool dropPasses(Reducer &reducer) {
  bool any = false;
  // The last one shows the fault.
  for (unsigned i = reducer.passes().size() - 1; i-- > 0;) {
    std::vector<PassUnit> fewer = reducer.passes().vec();
    fewer.erase(fewer.begin() + i);
    any |= reducer.tryPasses(std::move(fewer), "passes are dropped");
  }
  return any;
}

bool reducePasses(Reducer &reducer, const FaultLimits &limits) {
  if (reducer.passes().empty())
    return false;
  bool any = reducer.passes().size() > 1 && (tryLastPass(reducer, limits) || dropPasses(reducer));
  any |= dropOptions(reducer);
  return any;
}

bool reducePatterns(Reducer &reducer, const Symptom &symptom) {
  if (reducer.passes().empty())
    return false;
  const bool runsToEnd = symptom.kind != SymptomKind::Fault || symptom.fault.kind == FaultKind::PassFails ||
                         symptom.fault.kind == FaultKind::DoesNotVerify;
  const unsigned last = reducer.passes().size() - 1;
  std::vector<std::string> options = splitOptions(reducer.passes()[last].options);
  const bool isListed = llvm::any_of(options, [](llvm::StringRef option) {
    return option.starts_with("enable-patterns") || option.starts_with("disable-patterns");
  });
  // A pass that does not come to its end does not tell its patterns.
  if (!runsToEnd || isListed || reducer.isOver())
    return false;
  options.push_back("enable-patterns=none");
  if (tryOptions(reducer, last, options, "patterns are left out"))
    return true;
  for (const std::string &pattern : appliedPatterns(reducer.module(), reducer.passes()[last].pipeline)) {
    options.back() = "enable-patterns=" + pattern;
    if (tryOptions(reducer, last, options, "patterns are left out"))
      return true;
  }
  return false;
}

} // namespace fuselage
