// Cuts of the pipeline.
#include "core/reduce/GuiltyRewrite.h"
#include "core/reduce/Reducer.h"
#include "core/stepping/record/StepReplay.h"
#include "core/support/ForkedCopy.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

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

/// The rewrite that is to blame with other options of the last pass, or with its own; empty: nobody knows.
std::string guiltyWith(const Reducer &reducer, std::optional<std::vector<std::string>> options = std::nullopt) {
  std::vector<PassUnit> passes = reducer.passes().vec();
  if (options) {
    std::optional<PassUnit> changed = withOptions(passes.back(), *options, *reducer.module().getContext());
    if (!changed)
      return "";
    passes.back() = std::move(*changed);
  }
  return guiltyRewrite(reducer.module(), passes, reducer.symptom(), reducer.options().symptom);
}

/// The option with 0 for its number, such as that of the op where the pass begins; nullopt: it has no such number.
std::optional<std::string> withZero(llvm::StringRef option) {
  auto [name, value] = option.split('=');
  unsigned number = 0;
  if (value.getAsInteger(10, number) || number == 0)
    return std::nullopt;
  return (name + "=0").str();
}

bool dropOptions(Reducer &reducer) {
  bool any = false;
  for (unsigned index = 0; index < reducer.passes().size(); ++index) {
    std::vector<std::string> options = splitOptions(reducer.passes()[index].options);
    // An option may say how the pass is wrong: without it, it may be wrong in another way that shows alike.
    const bool isLast = index + 1 == reducer.passes().size();
    const std::string guilty = isLast && !options.empty() ? guiltyWith(reducer) : "";
    auto take = [&](const std::vector<std::string> &changed, llvm::StringRef cut) {
      return (guilty.empty() || guiltyWith(reducer, changed) == guilty) && tryOptions(reducer, index, changed, cut);
    };
    for (unsigned i = options.size(); i-- > 0;) {
      std::vector<std::string> fewer = options;
      fewer.erase(fewer.begin() + i);
      if (!take(fewer, "options are dropped")) {
        std::optional<std::string> zero = withZero(options[i]);
        fewer = options;
        fewer[i] = zero.value_or(options[i]);
        if (guilty.empty() || !zero || !take(fewer, "numbers in options become 0"))
          continue;
      }
      options = std::move(fewer);
      any = true;
    }
  }
  return any;
}

/// Tells the patterns that are applied, and the ones that are tried, each once: also of a pass that does not come to
/// its end.
class PatternTeller : public RewriteMonitor {
public:
  explicit PatternTeller(int pipe) : out_(pipe, /*shouldClose=*/false) { out_.SetUnbuffered(); }
  void begins(const RewriteLog &log, const Rewrite &rewrite, Operation *) override { tell(log, rewrite); }
  void ends(const RewriteLog &, const Rewrite &) override {}
  void declines() override {}

private:
  void tell(const RewriteLog &log, const Rewrite &rewrite) {
    if (rewrite.kind != RewriteKind::Pattern)
      return;
    const std::string &name = log.patterns[rewrite.pattern].name;
    if (!name.empty() && told_.insert(name).second)
      out_ << name + "\n";
  }
  llvm::raw_fd_ostream out_;
  std::set<std::string> told_;
};

/// The patterns that a pass tries up to where it ends, however it does.
std::vector<std::string> triedPatterns(ModuleOp module, const std::string &pipeline, const FaultLimits &limits) {
  auto before = std::make_shared<Snapshot>(OwningOpRef<ModuleOp>(module.clone()));
  auto replay = replayOf(before, {.pipeline = pipeline});
  auto copy =
      runForked({.seconds = limits.seconds, .bytes = limits.bytes, .cancelled = limits.cancelled}, [&](int pipe) {
        PatternTeller teller(pipe);
        llvm::consumeError(replay->run({.monitor = &teller}).takeError());
      });
  std::vector<std::string> names;
  for (llvm::StringRef name : llvm::split(copy ? copy->output : "", '\n'))
    if (!name.empty())
      names.push_back(name.str());
  return names;
}

/// Leaves patterns out, many at once first, as long as what is left shows the symptom. `options`: the last is the list.
bool dropPatterns(Reducer &reducer, unsigned index, std::vector<std::string> options, std::vector<std::string> names) {
  auto tryNames = [&](llvm::ArrayRef<std::string> some) {
    options.back() = "enable-patterns=" + llvm::join(some, ",");
    return tryOptions(reducer, index, options, "patterns are left out");
  };
  bool any = false;
  for (size_t chunk = names.size() / 2; chunk > 0; chunk /= 2)
    for (size_t begin = 0; begin < names.size() && names.size() > 1;) {
      std::vector<std::string> fewer = names;
      const size_t end = std::min(begin + chunk, fewer.size());
      fewer.erase(fewer.begin() + begin, fewer.begin() + end);
      if (!fewer.empty() && tryNames(fewer)) {
        names = std::move(fewer);
        any = true;
      } else {
        begin = end;
      }
    }
  return any || (names.size() == 1 && tryNames(names));
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

bool reducePatterns(Reducer &reducer, const FaultLimits &limits) {
  if (reducer.passes().empty() || reducer.isOver())
    return false;
  const unsigned last = reducer.passes().size() - 1;
  std::vector<std::string> options = splitOptions(reducer.passes()[last].options);
  const bool isListed = llvm::any_of(options, [](llvm::StringRef option) {
    return option.starts_with("enable-patterns") || option.starts_with("disable-patterns");
  });
  if (isListed)
    return false;
  options.push_back("enable-patterns=none");
  if (tryOptions(reducer, last, options, "patterns are left out"))
    return true;
  return dropPatterns(reducer, last, options, triedPatterns(reducer.module(), reducer.passes()[last].pipeline, limits));
}

} // namespace fuselage
