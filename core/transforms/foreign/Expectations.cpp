#include "core/transforms/foreign/Expectations.h"
#include "core/ir/module/Diagnostics.h"
#include "core/ir/ops/Expectation.h"
#include "core/transforms/stablehlo/HloOp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace fuselage {

/// "expect_eq_const" of `check.expect_eq_const` and of a call of @check.expect_eq_const; empty for other ops.
static std::string nameOf(Operation *op) {
  if (op->isRegistered())
    return "";
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "check")
    return op->getName().stripDialect().str();
  if (!HloOp::isHlo(op) || HloOp(op).name() != "custom_call")
    return "";
  std::string target = HloOp(op).callTarget();
  StringRef name(target);
  return name.consume_front("check.") ? (name.starts_with("expect_") ? name.str() : ("expect_" + name).str()) : "";
}

static std::optional<Expectation::Kind> kindOf(StringRef name) {
  name.consume_back("_const");
  return llvm::StringSwitch<std::optional<Expectation::Kind>>(name)
      .Case("expect_eq", Expectation::Kind::Equal)
      .Case("expect_almost_eq", Expectation::Kind::Near)
      .Case("expect_close", Expectation::Kind::Close)
      .Default(std::nullopt);
}

bool isExpectation(Operation *op) { return kindOf(nameOf(op)).has_value(); }

/// The value that an expectation names; a constant op for one that it writes out; null if it has neither.
static Value expectedBy(Operation *op) {
  if (op->getNumOperands() == 2)
    return op->getOperand(1);
  Attribute written = HloOp(op).attribute({"value"});
  // The universal parser reads `(%0, dense<1> : tensor<2xi32>)` as a list.
  if (auto list = dyn_cast_or_null<ArrayAttr>(written); list && list.size() == 1)
    written = list[0];
  auto value = dyn_cast_or_null<ElementsAttr>(written);
  if (!value || op->getNumOperands() != 1)
    return {};
  // StableHLO's constant may be unsigned, and is lowered with the rest.
  OperationState state(op->getLoc(), "stablehlo.constant");
  state.addTypes(value.getType());
  state.addAttribute("value", value);
  return OpBuilder(op).create(state)->getResult(0);
}

static Expectation readExpectation(Operation *op) {
  HloOp written(op);
  Expectation expectation{.op = nameOf(op), .place = formatPosition(positionOf(op->getLoc()))};
  expectation.kind = *kindOf(expectation.op);
  expectation.tolerance = written.number({"tolerance", "atol"}).value_or(expectation.tolerance);
  expectation.minUlps = written.integer({"min_ulp_difference"}).value_or(expectation.minUlps);
  expectation.ulps = written.integer({"max_ulp_difference"}).value_or(expectation.ulps);
  return expectation;
}

static bool isTensorOfNumbers(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && (tensor.getElementType().isIntOrIndexOrFloat() || isa<ComplexType>(tensor.getElementType()));
}

static void appendResults(func::FuncOp function, ArrayRef<Operation *> ops) {
  Operation *end = function.getBody().front().getTerminator();
  for (Operation *op : ops) {
    Value expected = expectedBy(op);
    Value actual = expected ? op->getOperand(0) : Value();
    if (!actual || actual.getType() != expected.getType() || !isTensorOfNumbers(actual.getType()))
      continue;
    Type type = actual.getType();
    unsigned first = function.getNumResults();
    SmallVector<Type> results(function.getResultTypes());
    results.append({type, type});
    end->insertOperands(first, {actual, expected});
    SmallVector<DictionaryAttr> attributes;
    function.getAllResultAttrs(attributes);
    attributes.resize(results.size());
    attributes[first] =
        DictionaryAttr::get(op->getContext(), NamedAttribute(StringAttr::get(op->getContext(), kExpectationAttr),
                                                             toAttribute(readExpectation(op), op->getContext())));
    function.setType(FunctionType::get(op->getContext(), function.getArgumentTypes(), results));
    function.setAllResultAttrs(attributes);
    op->erase();
  }
}

void openExpectations(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.getBody().hasOneBlock() || !isa<func::ReturnOp>(function.getBody().front().getTerminator()))
      continue;
    SmallVector<Operation *> ops;
    for (Operation &op : function.getBody().front())
      if (isExpectation(&op))
        ops.push_back(&op);
    if (!ops.empty() && SymbolTable::symbolKnownUseEmpty(function, module))
      appendResults(function, ops);
  }
}

} // namespace fuselage
