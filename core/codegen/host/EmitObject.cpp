#include "core/codegen/host/EmitObject.h"
#include "core/executable/HostSymbols.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
namespace orc = llvm::orc;

namespace fuselage {

/// A builder of target machines for this processor, all of its features in use.
static llvm::Expected<orc::JITTargetMachineBuilder> thisProcessor(unsigned optLevel) {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  auto builder = orc::JITTargetMachineBuilder::detectHost();
  if (builder)
    builder->setCodeGenOptLevel(optLevel == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Aggressive);
  return builder;
}

/// A function that takes its arguments, and where its result goes, as an array of pointers.
static void addPacked(llvm::Function &function) {
  llvm::Module &module = *function.getParent();
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type *pointer = builder.getPtrTy();
  auto *packed = llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), {pointer}, /*isVarArg=*/false),
                                        llvm::GlobalValue::ExternalLinkage, hostEntryOf(function.getName()), module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", packed));
  auto placeOf = [&](unsigned index) {
    return builder.CreateLoad(pointer, builder.CreateConstGEP1_64(pointer, packed->getArg(0), index));
  };
  SmallVector<llvm::Value *> arguments;
  for (auto [index, argument] : llvm::enumerate(function.args()))
    arguments.push_back(builder.CreateLoad(argument.getType(), placeOf(index)));
  llvm::Value *result = builder.CreateCall(&function, arguments);
  if (!result->getType()->isVoidTy())
    builder.CreateStore(result, placeOf(arguments.size()));
  builder.CreateRetVoid();
}

/// The module in LLVM's IR, optimized for `target`.
static llvm::Expected<std::unique_ptr<llvm::Module>>
translate(ModuleOp module, llvm::LLVMContext &context, llvm::TargetMachine &target, const EmitOptions &options) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  auto translated = translateModuleToLLVMIR(module, context);
  if (!translated)
    return fail("the host's compiler refused the lowered module");
  translated->setDataLayout(target.createDataLayout());
  translated->setTargetTriple(target.getTargetTriple());
  for (llvm::Function &function : llvm::make_early_inc_range(*translated)) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("probe-stack", "inline-asm"); // a large alloca must not step over the stack's guard
    if (function.getName().starts_with(hostWrapperOf("")))
      addPacked(function);
  }
  if (llvm::Error error = makeOptimizingTransformer(options.optLevel, 0, &target)(translated.get()))
    return error;
  if (options.optimized)
    options.optimized(*translated);
  return translated;
}

llvm::Expected<std::string> emitHostObject(ModuleOp module, const EmitOptions &options) {
  auto builder = thisProcessor(options.optLevel);
  if (!builder)
    return builder.takeError();
  auto target = builder->createTargetMachine();
  if (!target)
    return target.takeError();
  llvm::LLVMContext context;
  auto translated = translate(module, context, **target, options);
  if (!translated)
    return translated.takeError();
  auto object = orc::SimpleCompiler(**target)(**translated);
  if (!object)
    return object.takeError();
  return (*object)->getBuffer().str();
}

} // namespace fuselage
