// Ops on scalars: their operand and result types are found by trying, and the op is put into the
// body of a linalg.generic, on tensors where it is elementwise, and on the function's own scalars.
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "tests/fuzz/ValidModules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace fuselage::fuzz {

namespace {

using Types = std::vector<std::string>;

struct Signature {
  Types operands, results;
  std::string attributes; ///< "<{predicate = 2 : i64}>"
};

} // namespace

/// Signatures that ops may have on `type`; most verify for few of them.
static std::vector<Signature> signaturesOn(const std::string &type) {
  std::vector<Signature> signatures;
  auto add = [&](Types operands, Types results) {
    signatures.push_back({std::move(operands), std::move(results), ""});
  };
  add({type}, {type});
  add({type, type}, {type});
  add({type, type, type}, {type});
  add({type}, {"i1"});
  add({type, type}, {"i1"});
  add({"i1", type, type}, {type});
  add({type, "i32"}, {type});
  add({type, type}, {type, "i1"});
  add({type, type}, {type, type});
  add({type}, {type, type});
  add({type, "f8E8M0FNU"}, {"f32"});
  add({"f32", "f8E8M0FNU"}, {type});
  for (StringRef other : elementTypes())
    if (other != type)
      add({type}, {other.str()});
  if (StringRef(type).starts_with("complex")) {
    std::string part = StringRef(type).drop_front(8).drop_back().str();
    add({part, part}, {type});
    add({type, "i32"}, {type});
  }
  return signatures;
}

/// "%r:2 = "arith.mulsi_extended"(%x0, %x1) : (i8, i8) -> (i8, i8)", and the names of its results.
static std::string opText(StringRef op, const Signature &signature, StringRef operandPrefix, Types &results,
                          llvm::function_ref<std::string(StringRef)> typeOf) {
  Types operands, operandTypes, resultTypes;
  for (auto [index, type] : llvm::enumerate(signature.operands)) {
    operands.push_back((operandPrefix + std::to_string(index)).str());
    operandTypes.push_back(typeOf(type));
  }
  for (auto [index, type] : llvm::enumerate(signature.results)) {
    results.push_back(signature.results.size() == 1 ? "%r" : "%r#" + std::to_string(index));
    resultTypes.push_back(typeOf(type));
  }
  std::string head = signature.results.size() == 1 ? "%r" : "%r:" + std::to_string(signature.results.size());
  return head + " = \"" + op.str() + "\"(" + llvm::join(operands, ", ") + ")" + signature.attributes + " : (" +
         llvm::join(operandTypes, ", ") + ") -> (" + llvm::join(resultTypes, ", ") + ")\n";
}

static std::string inBody(StringRef op, const Signature &signature, const ModuleForm &form) {
  std::vector<int64_t> shape{4, 6};
  Types arguments, resultTypes, inputs, outputs, blockArguments, results;
  for (auto [index, type] : llvm::enumerate(signature.operands)) {
    arguments.push_back(tensorText(shape, type, form));
    inputs.push_back("%a" + std::to_string(index));
    blockArguments.push_back("%x" + std::to_string(index) + ": " + type);
  }
  Types inputTypes = arguments;
  for (auto [index, type] : llvm::enumerate(signature.results)) {
    outputs.push_back("%a" + std::to_string(arguments.size()));
    arguments.push_back(tensorText(shape, type, form));
    resultTypes.push_back(arguments.back());
    blockArguments.push_back("%o" + std::to_string(index) + ": " + type);
  }
  Types maps(arguments.size(), "affine_map<(i, j) -> (i, j)>"), yielded;
  std::string inside = "    " + opText(op, signature, "%x", yielded, [](StringRef type) { return type.str(); });
  size_t count = signature.results.size();
  std::string body = "  %g" + (count == 1 ? "" : ":" + std::to_string(count)) + " = linalg.generic {indexing_maps = [" +
                     llvm::join(maps, ", ") + "], iterator_types = [\"parallel\", \"parallel\"]} ins(" +
                     llvm::join(inputs, ", ") + " : " + llvm::join(inputTypes, ", ") + ") outs(" +
                     llvm::join(outputs, ", ") + " : " + llvm::join(resultTypes, ", ") + ") {\n  ^bb0(" +
                     llvm::join(blockArguments, ", ") + "):\n" + inside + "    linalg.yield " +
                     llvm::join(yielded, ", ") + " : " + llvm::join(signature.results, ", ") + "\n  } -> (" +
                     llvm::join(resultTypes, ", ") + ")\n";
  for (size_t i = 0; i < count; ++i)
    results.push_back(count == 1 ? "%g" : "%g#" + std::to_string(i));
  return functionText(arguments, body, results, resultTypes, form);
}

static std::string onTensors(StringRef op, const Signature &signature, const ModuleForm &form) {
  auto tensor = [&](StringRef type) { return tensorText({4, 6}, type, form); };
  Types arguments, results, resultTypes;
  for (StringRef type : signature.operands)
    arguments.push_back(tensor(type));
  for (StringRef type : signature.results)
    resultTypes.push_back(tensor(type));
  std::string body = "  " + opText(op, signature, "%a", results, tensor);
  return functionText(arguments, body, results, resultTypes, form);
}

static std::string onScalars(StringRef op, const Signature &signature, const ModuleForm &form) {
  Types results;
  std::string body = "  " + opText(op, signature, "%a", results, [](StringRef type) { return type.str(); });
  return functionText(signature.operands, body, results, signature.results, form);
}

/// Whether the op verifies on scalars of these types.
static bool verifies(mlir::MLIRContext &context, StringRef op, const Signature &signature) {
  mlir::OpBuilder builder(&context);
  mlir::Location loc = builder.getUnknownLoc();
  auto module = mlir::OwningOpRef<mlir::ModuleOp>(mlir::ModuleOp::create(loc));
  mlir::Block *block = module->getBody();
  mlir::OperationState state(loc, op);
  for (StringRef type : signature.operands)
    state.operands.push_back(block->addArgument(mlir::parseType(type, &context), loc));
  for (StringRef type : signature.results)
    state.types.push_back(mlir::parseType(type, &context));
  if (!signature.attributes.empty())
    state.addAttribute("predicate", builder.getI64IntegerAttr(2));
  builder.setInsertionPointToEnd(block);
  mlir::Operation *made = builder.create(state);
  bool valid = mlir::succeeded(mlir::verify(made));
  made->dropAllReferences();
  made->erase();
  block->eraseArguments(0, block->getNumArguments());
  return valid;
}

static void addModules(mlir::MLIRContext &context, std::vector<ValidModule> &modules, StringRef op,
                       const Signature &signature) {
  std::string name = op.str() + " " + llvm::join(signature.operands, ",") + "->" + llvm::join(signature.results, ",");
  for (const ModuleForm &form : allForms()) {
    addIfValid(context, modules, name + " body " + nameOf(form), inBody(op, signature, form));
    addIfValid(context, modules, name + " tensors " + nameOf(form), onTensors(op, signature, form));
    if (form.shapes == ModuleForm::Shapes::Static)
      addIfValid(context, modules, name + " scalars " + nameOf(form), onScalars(op, signature, form));
  }
}

void addScalarModules(mlir::MLIRContext &context, std::vector<ValidModule> &modules) {
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  for (mlir::RegisteredOperationName op : context.getRegisteredOperations()) {
    StringRef dialect = op.getDialectNamespace(), name = op.getStringRef();
    if (!llvm::is_contained({"arith", "complex", "index", "math"}, dialect) ||
        op.hasTrait<mlir::OpTrait::IsTerminator>())
      continue;
    for (StringRef type : elementTypes())
      for (Signature signature : signaturesOn(type.str())) {
        if (llvm::any_of(op.getAttributeNames(), [](mlir::StringAttr attribute) { return attribute == "predicate"; }))
          signature.attributes = "<{predicate = 2 : i64}>";
        if (verifies(context, name, signature))
          addModules(context, modules, name, signature);
      }
  }
}

} // namespace fuselage::fuzz
