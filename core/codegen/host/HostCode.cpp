#include "core/codegen/host/HostCode.h"
#include "core/codegen/host/safety/HostSafety.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/SectionMemoryManager.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
namespace orc = llvm::orc;

namespace fuselage {

struct HostCode::Impl {
  std::unique_ptr<orc::LLJIT> jit;
};

HostCode::HostCode() : impl_(std::make_unique<Impl>()) {}
HostCode::~HostCode() = default;

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

static std::string packedName(llvm::StringRef function) { return "fuselage.packed." + function.str(); }

/// A function that takes its arguments, and where its result goes, as an array of pointers.
static void addPacked(llvm::Function &function) {
  llvm::Module &module = *function.getParent();
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type *pointer = builder.getPtrTy();
  auto *packed = llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), {pointer}, /*isVarArg=*/false),
                                        llvm::GlobalValue::ExternalLinkage, packedName(function.getName()), module);
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
static llvm::Expected<orc::ThreadSafeModule> translate(ModuleOp module, llvm::TargetMachine &target,
                                                       const HostCodeOptions &options) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  auto context = std::make_unique<llvm::LLVMContext>();
  auto translated = translateModuleToLLVMIR(module, *context);
  if (!translated)
    return fail("the host's compiler refused the lowered module");
  translated->setDataLayout(target.createDataLayout());
  translated->setTargetTriple(target.getTargetTriple());
  for (llvm::Function &function : llvm::make_early_inc_range(*translated)) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("probe-stack", "inline-asm"); // a large alloca must not step over the stack's guard
    if (function.getName().starts_with(options.entryPrefix))
      addPacked(function);
  }
  if (llvm::Error error = makeOptimizingTransformer(options.optLevel, 0, &target)(translated.get()))
    return error;
  if (options.optimized)
    options.optimized(*translated);
  return orc::ThreadSafeModule(std::move(translated), std::move(context));
}

/// A linker that finds nothing by itself.
static llvm::Expected<std::unique_ptr<orc::LLJIT>> makeLinker(orc::JITTargetMachineBuilder builder) {
  return orc::LLJITBuilder()
      .setJITTargetMachineBuilder(std::move(builder))
      .setObjectLinkingLayerCreator([](orc::ExecutionSession &session) {
        return std::make_unique<orc::RTDyldObjectLinkingLayer>(
            session, [](const llvm::MemoryBuffer &) { return std::make_unique<llvm::SectionMemoryManager>(); });
      })
      .setProcessSymbolsJITDylibSetup([](orc::LLJIT &) -> llvm::Expected<orc::JITDylibSP> { return nullptr; })
      .setLinkProcessSymbolsByDefault(false)
      .setPlatformSetUp(orc::setUpInactivePlatform)
      .create();
}

/// Makes `functions` and the library's known to the code.
static llvm::Error addSymbols(orc::LLJIT &jit, const llvm::StringMap<void *> &functions) {
  orc::SymbolMap symbols;
  for (const auto &function : functions)
    symbols[jit.mangleAndIntern(function.getKey())] = {llvm::orc::ExecutorAddr::fromPtr(function.getValue()),
                                                       llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  orc::JITDylib &library = jit.getMainJITDylib();
  if (llvm::Error error = library.define(orc::absoluteSymbols(std::move(symbols))))
    return error;
  char prefix = jit.getDataLayout().getGlobalPrefix();
  auto process =
      orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix, [prefix](const orc::SymbolStringPtr &symbol) {
        StringRef name = *symbol;
        return (!prefix || name.consume_front(StringRef(&prefix, 1))) && isLibraryFunction(name);
      });
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<HostCode>> HostCode::compile(ModuleOp module, const HostCodeOptions &options) {
  auto builder = thisProcessor(options.optLevel);
  if (!builder)
    return builder.takeError();
  auto target = builder->createTargetMachine();
  if (!target)
    return target.takeError();
  auto translated = translate(module, **target, options);
  if (!translated)
    return translated.takeError();
  auto jit = makeLinker(std::move(*builder));
  if (!jit)
    return jit.takeError();
  std::unique_ptr<HostCode> code(new HostCode());
  code->impl_->jit = std::move(*jit);
  if (llvm::Error error = addSymbols(*code->impl_->jit, options.functions))
    return error;
  if (llvm::Error error = code->impl_->jit->addIRModule(std::move(*translated)))
    return error;
  return code;
}

llvm::Expected<HostEntry> HostCode::lookup(StringRef function) {
  auto address = impl_->jit->lookup(packedName(function));
  if (!address)
    return address.takeError();
  return address->toPtr<HostEntry>();
}

} // namespace fuselage
