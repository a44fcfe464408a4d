#include "core/codegen/host/HostCompiler.h"
#include "core/codegen/host/Isolate.h"
#include "core/kernels/KernelForms.h"
#include "core/kernels/ListingWriter.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace fuselage {

/// The text of the machine code that the JIT makes of a module; empty: there is no such printer.
static std::string assemblyOf(const llvm::Module &module) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder) {
    llvm::consumeError(builder.takeError());
    return "";
  }
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  auto machine = builder->createTargetMachine();
  if (!machine) {
    llvm::consumeError(machine.takeError());
    return "";
  }
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, os, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return "";
  passes.run(*copy);
  return std::string(text);
}

llvm::Error addHostForms(message::KernelCode<> &code, func::FuncOp dispatch) {
  std::string ir, assembly;
  auto look = [&](llvm::Module &module) {
    llvm::raw_string_ostream(ir) << module;
    assembly = assemblyOf(module);
  };
  auto compiled = compileForHost(
      *isolateFunction(dispatch),
      {.threads = HostThreading::Kernels, .optimized = look, .checks = false, .wideAccumulators = false});
  if (!compiled)
    return compiled.takeError();
  code.chip.assign(llvm::sys::getHostCPUName().str());
  code.listings.push_back(listText(ir).take("llvm", "LLVM IR, optimized", "", "LLVM"));
  if (assembly.empty())
    code.missing.emplace_back("assembly: LLVM has no printer for this processor");
  else
    code.listings.push_back(listText(assembly).take("asm", "assembly", "", "LLVM's code generator, as for the JIT"));
  return llvm::Error::success();
}

} // namespace fuselage
