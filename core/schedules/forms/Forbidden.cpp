#include "core/schedules/forms/Forbidden.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/module/Diagnostics.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"

namespace fuselage {

using mlir::transform::NamedSequenceOp;

/// Whether the sequence takes one handle and holds nothing but matchers.
static bool onlyMatches(NamedSequenceOp sequence) {
  if (!sequence || sequence.isExternal() || sequence.getArgumentTypes().size() != 1 ||
      !sequence.getArgAttr(0, "transform.readonly"))
    return false;
  return llvm::all_of(sequence.getBody().front().without_terminator(),
                      llvm::IsaPred<mlir::transform::MatchOpInterface>);
}

llvm::Expected<Forbidden> Forbidden::read(mlir::ArrayAttr list,
                                          std::shared_ptr<const mlir::OwningOpRef<mlir::ModuleOp>> library) {
  Forbidden forbidden;
  for (mlir::Attribute each : list) {
    if (auto name = mlir::dyn_cast<mlir::StringAttr>(each); name && name.getValue().contains('.')) {
      forbidden.names_.push_back(name.getValue().ends_with(".*") ? name.getValue().drop_back().str() : name.str());
      continue;
    }
    auto symbol = mlir::dyn_cast<mlir::FlatSymbolRefAttr>(each);
    auto matcher = symbol && library ? mlir::ModuleOp(**library).lookupSymbol<NamedSequenceOp>(symbol.getValue())
                                     : NamedSequenceOp();
    if (!onlyMatches(matcher)) {
      std::string text;
      llvm::raw_string_ostream(text) << each;
      return fail("forbids " + text +
                  ", which is no op \"linalg.fill\", no dialect \"tosa.*\", and no named sequence of one "
                  "transform.readonly argument that only matches");
    }
    forbidden.matchers_.push_back(
        {symbol.getValue().str(), mlir::cast<mlir::transform::TransformOpInterface>(matcher.getOperation())});
  }
  forbidden.library_ = std::move(library);
  return forbidden;
}

std::string Forbidden::why(mlir::Operation *op) const {
  std::string name = displayName(op);
  for (llvm::StringRef each : names_)
    if (each.ends_with(".") ? llvm::StringRef(name).starts_with(each) && !op->hasTrait<mlir::OpTrait::IsTerminator>()
                            : each == name)
      return "'" + name + "' is not allowed";
  for (const auto &[symbol, matcher] : matchers_)
    if (mlir::succeeded(mlir::transform::applyTransforms(op, matcher, {}, mlir::transform::TransformOptions(),
                                                         /*enforceToplevelTransformOp=*/false)))
      return "'" + name + "' is not allowed: @" + symbol + " matches it";
  return "";
}

void Forbidden::check(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches) const {
  DiagnosticCapture quiet(*function.getContext());
  function->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op == function)
      return;
    if (std::string reason = why(op); !reason.empty())
      breaches.push_back({op, std::move(reason)});
  });
}

} // namespace fuselage
