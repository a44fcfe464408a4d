#include "core/schedules/ops/FormDialect.h"
#include "core/schedules/forms/Forbidden.h"
#include "core/schedules/ops/FormFailure.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "core/schedules/ops/FormAttrInterfaces.cpp.inc"
#include "core/schedules/ops/FormDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "core/schedules/ops/FormAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "core/schedules/ops/FormTypes.cpp.inc"
#pragma GCC diagnostic pop

using namespace mlir;

namespace fuselage {

void FormDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "core/schedules/ops/FormAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "core/schedules/ops/FormTypes.cpp.inc"
      >();
}

DiagnosedSilenceableFailure checkFunctions(Operation *op, Location location, StringRef name, FormCheck check) {
  if (auto around = op->getParentOfType<FunctionOpInterface>())
    op = around;
  std::vector<FormBreach> breaches;
  op->walk([&](FunctionOpInterface function) {
    if (!function.isExternal())
      check(function, breaches);
  });
  if (breaches.empty())
    return DiagnosedSilenceableFailure::success();
  constexpr size_t shown = 8;
  mlir::Diagnostic diagnostic(location, DiagnosticSeverity::Error);
  diagnostic << "not in " << name << ": " << breaches.front().why;
  for (size_t i = 0; i < std::min(shown, breaches.size()); ++i)
    diagnostic.attachNote(breaches[i].op->getLoc()) << breaches[i].why;
  return DiagnosedSilenceableFailure::silenceableFailure(std::move(diagnostic));
}

LogicalResult FormAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef name) {
  if (findForm(name))
    return success();
  InFlightDiagnostic error = emitError() << "there is no built-in form '" << name << "'; there are ";
  llvm::interleaveComma(normalForms(), error, [&](const NormalForm &form) { error << form.name; });
  return error;
}

DiagnosedSilenceableFailure FormAttr::checkOperation(Operation *op) const {
  const NormalForm &form = *findForm(getName());
  return checkFunctions(op, op->getLoc(), form.name,
                        [&](FunctionOpInterface function, std::vector<FormBreach> &breaches) {
                          llvm::append_range(breaches, checkForm(form, function));
                        });
}

LogicalResult WithoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayAttr ops) {
  auto forbidden = Forbidden::read(ops, nullptr);
  return forbidden ? success() : LogicalResult(emitError() << takeFailure(forbidden.takeError()).message);
}

DiagnosedSilenceableFailure WithoutAttr::checkOperation(Operation *op) const {
  auto forbidden = Forbidden::read(getOps(), nullptr); // as verify() has seen
  if (!forbidden)
    return emitSilenceableFailure(op->getLoc()) << takeFailure(forbidden.takeError()).message;
  std::string name;
  llvm::raw_string_ostream(name) << *this;
  return checkFunctions(op, op->getLoc(), name, [&](FunctionOpInterface function, std::vector<FormBreach> &breaches) {
    forbidden->check(function, breaches);
  });
}

LogicalResult NormalizedOpType::verify(function_ref<InFlightDiagnostic()> emitError, Attribute form) {
  return isa<NormalFormAttrInterface>(form) ? success() : LogicalResult(emitError() << form << " is no normal form");
}

DiagnosedSilenceableFailure NormalizedOpType::checkPayload(Location location, ArrayRef<Operation *> payload) const {
  for (Operation *op : payload) {
    DiagnosedSilenceableFailure checked = cast<NormalFormAttrInterface>(getForm()).checkOperation(op);
    if (!checked.isSilenceableFailure())
      continue;
    DiagnosedSilenceableFailure failure = emitSilenceableFailure(location) << checked.getMessage();
    failure.attachNote(op->getLoc()) << "of this op of the handle";
    (void)checked.silence();
    return failure;
  }
  return DiagnosedSilenceableFailure::success();
}

} // namespace fuselage
