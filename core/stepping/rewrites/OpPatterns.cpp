#include "core/stepping/rewrites/OpPatterns.h"
#include "core/ir/module/IrFingerprint.h"
#include "core/rewrites/Rewrites.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

/// The name by which fuselage-apply-pattern finds a pattern, and no other of the pass.
static std::string namedFor(const PatternOffer &offer, llvm::ArrayRef<PatternOffer> all) {
  std::string shortName = shortPatternName(offer.pattern);
  size_t alike = llvm::count_if(all, [&](const PatternOffer &other) {
    return other.pass == offer.pass && shortPatternName(other.pattern) == shortName;
  });
  return alike == 1 ? shortName : offer.pattern;
}

message::OpPatterns<> messageOfOffers(mlir::ModuleOp module, int64_t op, llvm::StringRef passes,
                                      std::vector<PatternOffer> &offers) {
  llvm::stable_sort(offers,
                    [](const PatternOffer &one, const PatternOffer &other) { return one.applies() > other.applies(); });
  const IrFingerprint before = fingerprint(module);
  message::OpPatterns<> message{.op = opNumbered(module, op)->getName().getStringRef().str(), .patterns = {}};
  for (const PatternOffer &offer : offers) {
    message::PatternOffer<> row{.pass = offer.pass,
                                .pattern = shortPatternName(offer.pattern),
                                .patternName = offer.pattern,
                                .applies = offer.applies(),
                                .reason = offer.reason,
                                .problem = offer.problem,
                                .opDelta = {},
                                .pipeline = {}};
    if (offer.applies()) {
      row.opDelta = opDelta(before, fingerprint(mlir::ModuleOp(offer.after.get())));
      row.pipeline = "builtin.module(fuselage-apply-pattern{op=" + std::to_string(op) +
                     " pattern=" + optionText(namedFor(offer, offers)) + " passes=" + passes.str() + "})";
    }
    message.patterns.push_back(std::move(row));
  }
  return message;
}

/// "+2 linalg.generic, -1 tensor.empty".
static std::string deltaText(const std::map<std::string, int64_t> &delta) {
  std::string text;
  for (const auto &[name, count] : delta)
    text += (text.empty() ? "" : ", ") + std::string(count > 0 ? "+" : "") + std::to_string(count) + " " + name;
  return text.empty() ? "as many ops of each kind" : text;
}

std::string offersText(const message::OpPatterns<> &patterns, int64_t op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const size_t applying = llvm::count_if(patterns.patterns, [](const auto &row) { return row.applies; });
  os << "op " << op << ", " << patterns.op << ": " << applying << " of " << patterns.patterns.size()
     << " patterns would apply\n";
  for (const message::PatternOffer<> &row : patterns.patterns) {
    os << "  " << row.pattern << " (" << row.pass << "): ";
    if (row.applies)
      os << deltaText(row.opDelta) << (row.problem.empty() ? "" : "; the module does not verify then: " + row.problem)
         << "\n    " << row.pipeline << "\n";
    else
      os << "declined" << (row.reason.empty() ? " without a reason" : ": " + row.reason) << "\n";
  }
  return text;
}

} // namespace fuselage
