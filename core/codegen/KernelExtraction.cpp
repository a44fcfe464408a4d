#include "core/codegen/KernelExtraction.h"
#include "core/ir/ops/NumberBytes.h"
#include "core/support/Error.h"
#include "core/transforms/gpu/StorageType.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Target/SPIRV/Serialization.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace fuselage {
namespace {

/// What a lowered kernel module holds for a launch.
struct Binary {
  std::string bytes;
  uint64_t sharedBytes = 0;
};

/// Bytes of a type in workgroup memory, where elements lie close together.
uint64_t bytesOf(Type type) {
  if (auto array = dyn_cast<spirv::ArrayType>(type))
    return array.getNumElements() * bytesOf(array.getElementType());
  if (auto record = dyn_cast<spirv::StructType>(type)) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < record.getNumElements(); ++i)
      bytes += bytesOf(record.getElementType(i));
    return bytes;
  }
  return numberBytes(type);
}

/// Bytes of the variables in workgroup memory.
uint64_t sharedBytesOf(spirv::ModuleOp module) {
  uint64_t bytes = 0;
  module.walk([&](spirv::GlobalVariableOp variable) {
    auto pointer = dyn_cast<spirv::PointerType>(variable.getType());
    if (pointer && pointer.getStorageClass() == spirv::StorageClass::Workgroup)
      bytes += bytesOf(pointer.getPointeeType());
  });
  return bytes;
}

/// `.shared .align 16 .b8 name[4096];` lines of PTX text, summed.
uint64_t sharedBytesOf(StringRef ptx) {
  uint64_t bytes = 0;
  SmallVector<StringRef> lines;
  ptx.split(lines, '\n');
  for (StringRef line : lines) {
    line = line.trim();
    if (!line.starts_with(".shared"))
      continue;
    uint64_t size = 0;
    StringRef count = line.rsplit('[').second;
    if (!count.consumeInteger(10, size))
      bytes += size;
  }
  return bytes;
}

/// An operand of a launch, back to the buffer that the caller knows.
Value sourceBuffer(Value operand) {
  while (auto cast = operand.getDefiningOp<UnrealizedConversionCastOp>())
    operand = cast.getInputs().front();
  return operand;
}

class Extractor {
public:
  Extractor(ModuleOp module, func::FuncOp function) : module(module), function(function) {}

  llvm::Expected<CompiledDispatch> run() {
    CompiledDispatch result;
    result.name = function.getName().str();
    if (llvm::Error error = serializeAll())
      return error;
    for (Operation &op : function.getBody().front()) {
      auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
      if (!launch)
        continue;
      llvm::Expected<CompiledKernel> kernel = extract(launch, result);
      if (!kernel)
        return kernel.takeError();
      result.kernels.push_back(std::move(*kernel));
    }
    return result;
  }

private:
  llvm::Error serializeAll() {
    for (auto binary : module.getOps<gpu::BinaryOp>()) {
      auto object = dyn_cast<gpu::ObjectAttr>(binary.getObjects()[0]);
      if (!object || object.getFormat() != gpu::CompilationTarget::Assembly)
        return fail("the compiled module @" + binary.getName().str() + " holds no PTX text");
      StringRef text = object.getObject().getValue().rtrim('\0');
      if (llvm::Error error = checkPtx(text))
        return error;
      binaries[binary.getName()] = {text.str(), sharedBytesOf(text)};
    }
    for (auto spirvModule : module.getOps<spirv::ModuleOp>()) {
      SmallVector<uint32_t, 0> words;
      if (failed(spirv::serialize(spirvModule, words)))
        return fail("a kernel could not be written as SPIR-V");
      std::string bytes(reinterpret_cast<const char *>(words.data()), words.size() * sizeof(uint32_t));
      // The conversion names the module after the gpu.module that it was.
      StringRef name = spirvModule.getName().value_or("");
      name.consume_front("__spv__");
      binaries[name] = {std::move(bytes), sharedBytesOf(spirvModule)};
    }
    return llvm::Error::success();
  }

  /// A kernel must be whole: no allocator, no functions of a library that is not there.
  static llvm::Error checkPtx(StringRef text) {
    SmallVector<StringRef> lines;
    text.split(lines, '\n');
    for (size_t i = 0; i < lines.size(); ++i) {
      if (!lines[i].trim().starts_with(".extern .func"))
        continue;
      StringRef name = lines[i].trim();
      if (!name.contains('(') || name.ends_with(")"))
        name = i + 1 < lines.size() ? lines[i + 1].trim() : name;
      return fail("a kernel calls " + name.str() + ", which the device does not have");
    }
    return llvm::Error::success();
  }

  llvm::Expected<CompiledKernel> extract(gpu::LaunchFuncOp launch, CompiledDispatch &dispatch) {
    CompiledKernel kernel;
    kernel.entry = launch.getKernelName().getValue().str();
    auto binary = binaries.find(launch.getKernelModuleName().getValue());
    if (binary == binaries.end())
      return fail("no binary was made for kernel @" + kernel.entry);
    kernel.binary = binary->second.bytes;
    if (Value size = launch.getDynamicSharedMemorySize()) {
      APInt bytes;
      if (!matchPattern(size, m_ConstantInt(&bytes)))
        return fail("the workgroup memory of the launch of @" + kernel.entry + " is not a constant");
      kernel.dynamicSharedBytes = bytes.getZExtValue();
    }
    kernel.sharedBytes = binary->second.sharedBytes + kernel.dynamicSharedBytes;
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues(), block = launch.getBlockSizeOperandValues();
    Value sizes[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    for (auto [axis, size] : llvm::enumerate(sizes)) {
      APInt value;
      if (!matchPattern(size, m_ConstantInt(&value)))
        return fail("the size of the launch of @" + kernel.entry + " is not a constant");
      (axis < 3 ? kernel.grid : kernel.block)[axis % 3] = value.getZExtValue();
    }
    for (Value operand : launch.getKernelOperands()) {
      llvm::Expected<unsigned> buffer = bufferIndex(operand, kernel, dispatch);
      if (!buffer)
        return buffer.takeError();
      kernel.arguments.push_back(*buffer);
    }
    return kernel;
  }

  /// The dispatch's number of the buffer; a new scratch buffer for an allocation.
  llvm::Expected<unsigned> bufferIndex(Value operand, const CompiledKernel &kernel, CompiledDispatch &dispatch) {
    Value source = sourceBuffer(operand);
    if (auto argument = dyn_cast<BlockArgument>(source))
      return argument.getArgNumber();
    auto allocation = source.getDefiningOp<memref::AllocOp>();
    auto flat = dyn_cast<MemRefType>(operand.getType());
    if (!allocation || !flat || !flat.hasStaticShape())
      return fail("kernel @" + kernel.entry + " takes a parameter that is no buffer of its dispatch");
    auto [known, isNew] = scratch.try_emplace(source, function.getNumArguments() + dispatch.scratchBytes.size());
    if (isNew)
      dispatch.scratchBytes.push_back(0);
    // Another kernel may see the same buffer in units of another size.
    uint64_t bytes = flat.getNumElements() * bytesOf(flat.getElementType());
    uint64_t &size = dispatch.scratchBytes[known->second - function.getNumArguments()];
    size = std::max(size, bytes);
    return known->second;
  }

  ModuleOp module;
  func::FuncOp function;
  llvm::StringMap<Binary> binaries;
  llvm::DenseMap<Value, unsigned> scratch;
};

} // namespace

llvm::Expected<CompiledDispatch> extractKernels(ModuleOp module, func::FuncOp function) {
  return Extractor(module, function).run();
}

} // namespace fuselage
