// What stands around kernels: buffers, copies, launches.
#include "core/emulator/AddressPlan.h"
#include "core/emulator/Launches.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include <cstring>

using namespace mlir;

namespace fuselage::emulator {
namespace {

void stopHost(Machine &machine, Operation *op, const llvm::Twine &why) {
  machine.state->failure = takeFailure(Decoder::refuse(op, why)).message;
  machine.budget.isSpent = true;
}

class Allocate : public Instruction {
public:
  Allocate(ElementId number, MemRefType type, const ElementForm &form, uint64_t bytes, unsigned elementBytes)
      : number_(number), type_(type), form_(form), bytes_(bytes), elementBytes_(elementBytes) {}
  void run(Machine &machine) const override {
    machine.fill(number_, machine.memory.count());
    if (!machine.memory.create(Buffer::Kind::Global, "allocated buffer", type_, bytes_, elementBytes_, form_.bytes))
      stopHost(machine, op, "the emulator has not that much memory");
  }

private:
  ElementId number_;
  MemRefType type_;
  ElementForm form_;
  uint64_t bytes_;
  unsigned elementBytes_;
};

class Deallocate : public Instruction {
public:
  explicit Deallocate(ElementId number) : number_(number) {}
  void run(Machine &machine) const override { machine.memory.at(machine.uniform(number_)).isFreed = true; }

private:
  ElementId number_;
};

/// All elements of one buffer to another one of the same shape.
class CopyBuffer : public Instruction {
public:
  struct Side {
    ElementId number, shift, offset;
    ElementIds sizes, strides;
    uint64_t address(Machine &machine, ArrayRef<int64_t> index, unsigned bytes) const {
      uint64_t element = machine.uniform(offset);
      for (size_t i = 0; i < index.size(); ++i)
        element += uint64_t(index[i]) * machine.uniform(strides[i]);
      return machine.uniform(shift) + element * bytes;
    }
  };
  CopyBuffer(Side from, Side to, unsigned bytes) : from_(std::move(from)), to_(std::move(to)), bytes_(bytes) {}
  void run(Machine &machine) const override {
    Buffer &from = machine.memory.at(machine.uniform(from_.number)),
           &to = machine.memory.at(machine.uniform(to_.number));
    std::vector<int64_t> index(from_.sizes.size());
    for (ElementId size : from_.sizes)
      if (machine.uniform(size) == 0)
        return;
    for (bool goesOn = true; goesOn && !machine.stops();) {
      uint64_t source = from_.address(machine, index, bytes_), target = to_.address(machine, index, bytes_);
      if (source > from.bytes || from.bytes - source < bytes_ || target > to.bytes || to.bytes - target < bytes_)
        return stopHost(machine, op, "it copies from or to outside of a buffer");
      std::memcpy(to.data + target, from.data + source, bytes_);
      machine.races.markWritten(to, target, bytes_);
      machine.budget.spend(4);
      goesOn = false;
      for (size_t i = index.size(); i-- > 0 && !goesOn;) {
        goesOn = ++index[i] < int64_t(machine.uniform(from_.sizes[i]));
        index[i] = goesOn ? index[i] : 0;
      }
    }
  }

private:
  Side from_, to_;
  unsigned bytes_;
};

llvm::Error decodeAllocate(Decoder &decoder, Operation *op, Value result) {
  auto type = dyn_cast<MemRefType>(result.getType());
  auto form = type ? formOf(type.getElementType()) : std::nullopt;
  auto count = type ? elementCount(type.getElementType()) : std::nullopt;
  if (!form || !count || !type.hasStaticShape())
    return Decoder::refuse(op, "the emulator takes buffers whose size and elements are known");
  uint64_t elements = 1;
  for (int64_t size : type.getShape())
    elements = llvm::SaturatingMultiply<uint64_t>(elements, size);
  ElementId number = decoder.newElement(true, true);
  unsigned bytes = form->bytes * *count;
  decoder.emit<Allocate>(op, number, type, *form, llvm::SaturatingMultiply<uint64_t>(elements, bytes), bytes);
  return decoder.defineRoot(result, type, number);
}

llvm::Error decodeCopy(Decoder &decoder, Operation *op, Value from, Value to) {
  auto type = dyn_cast<MemRefType>(from.getType());
  auto form = type ? formOf(type.getElementType()) : std::nullopt;
  auto count = type ? elementCount(type.getElementType()) : std::nullopt;
  if (!form || !count || !isa<MemRefType>(to.getType()))
    return Decoder::refuse(op, "the emulator has no form of this memory");
  auto side = [&](Value buffer) {
    BufferParts parts = decoder.partsOf(buffer);
    return CopyBuffer::Side{parts.number, parts.shift, parts.offset, ElementIds(parts.sizes),
                            ElementIds(parts.strides)};
  };
  decoder.emit<CopyBuffer>(op, side(from), side(to), form->bytes * *count);
  return llvm::Error::success();
}

/// A constant's values as they lie in memory; one element where all are equal.
std::string bytesOf(DenseElementsAttr values, const ElementForm &form) {
  std::string bytes;
  auto append = [&](const APInt &bits) {
    uint64_t word = bits.getZExtValue() & form.mask();
    bytes.append(reinterpret_cast<const char *>(&word), form.bytes);
  };
  auto appendAll = [&](auto all) {
    for (const auto &value : all) {
      if constexpr (std::is_same_v<std::decay_t<decltype(value)>, APFloat>)
        append(value.bitcastToAPInt());
      else
        append(value);
      if (values.isSplat())
        break;
    }
  };
  if (form.isFloat())
    appendAll(values.getValues<APFloat>());
  else
    appendAll(values.getValues<APInt>());
  return bytes;
}

llvm::Error decodeGlobal(Decoder &decoder, memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(op, op.getNameAttr());
  auto form = formOf(op.getType().getElementType());
  if (!global || !form)
    return Decoder::refuse(op, "the emulator has no form of this memory");
  bool isWorkgroup = gpu::GPUDialect::isWorkgroupMemoryAddressSpace(op.getType().getMemorySpace()) ||
                     op.getType().getMemorySpaceAsInt() == 3;
  auto values = dyn_cast_or_null<DenseElementsAttr>(global.getInitialValueAttr());
  if (isWorkgroup ? decoder.isHost() : !values || isa<VectorType>(op.getType().getElementType()))
    return Decoder::refuse(op,
                           "the emulator takes globals that are workgroup memory, or constants whose values are known");
  return decoder.defineGlobal(op.getResult(), global, [&] {
    return decoder.allocate(op.getResult(), op.getType(), isWorkgroup ? Buffer::Kind::Workgroup : Buffer::Kind::Global,
                            global.getSymName(), isWorkgroup ? "" : bytesOf(values, *form));
  });
}

/// What a kernel of the host's launches is made of.
class KernelDecoder {
public:
  KernelDecoder(Decoder &host, Operation *launch, Region &body)
      : host_(host), op_(launch), body_(body), program_(std::make_unique<Program>()),
        decoder_(*program_, host.sites, &host, host.subgroupSize) {
    decoder_.setBody(body);
  }
  Decoder &decoder() { return decoder_; }

  llvm::Error attribute(ArrayRef<BlockArgument> memories, Buffer::Kind kind, llvm::StringRef name) {
    for (BlockArgument memory : memories)
      if (llvm::Error error = decoder_.allocate(memory, cast<MemRefType>(memory.getType()), kind, name))
        return error;
    return llvm::Error::success();
  }
  /// Ids and sizes that are arguments of the body.
  void input(Value value, LaunchValue what, unsigned dimension, Value known = nullptr) {
    auto constant = known ? host_.constantOf(host_.elementOf(known)) : std::nullopt;
    decoder_.alias(value, {constant ? decoder_.constant(*constant) : decoder_.inputOf(what, dimension)});
  }
  llvm::Error finish(ValueRange grid, ValueRange block, Value dynamicBytes, std::string name) {
    if (!body_.hasOneBlock())
      return Decoder::refuse(
          op_, "the emulator takes kernels of one block; write branches and loops as scf.if, scf.for and scf.while");
    Code &entry = decoder_.newCode();
    if (llvm::Error error = decoder_.decode(body_.front(), entry))
      return error;
    program_->entry = &entry;
    Launch::Operands operands;
    for (Value size : grid)
      operands.grid.push_back(host_.elementOf(size));
    for (Value size : block)
      operands.block.push_back(host_.elementOf(size));
    operands.dynamicBytes = dynamicBytes ? host_.elementOf(dynamicBytes) : host_.constant(0);
    ElementIds written;
    for (Value root : program_->writtenRoots)
      written.push_back(host_.elementOf(root));
    host_.emit<Launch>(op_, std::move(program_), std::move(operands), std::move(written), std::move(name));
    return llvm::Error::success();
  }

private:
  Decoder &host_;
  Operation *op_;
  Region &body_;
  std::unique_ptr<Program> program_;
  Decoder decoder_;
};

llvm::Error decodeLaunch(Decoder &host, gpu::LaunchOp op) {
  if (op.hasClusterSize())
    return Decoder::refuse(op, "the emulator knows no clusters of workgroups");
  KernelDecoder kernel(host, op, op.getBody());
  gpu::KernelDim3 blockIds = op.getBlockIds(), threadIds = op.getThreadIds(), gridSize = op.getGridSize(),
                  blockSize = op.getBlockSize();
  gpu::KernelDim3 grid = op.getGridSizeOperandValues(), block = op.getBlockSizeOperandValues();
  auto each = [](const gpu::KernelDim3 &dims) { return std::array<Value, 3>{dims.x, dims.y, dims.z}; };
  for (unsigned i = 0; i < 3; ++i) {
    kernel.input(each(blockIds)[i], LaunchValue::BlockId, i);
    kernel.input(each(threadIds)[i], LaunchValue::ThreadId, i);
    kernel.input(each(gridSize)[i], LaunchValue::GridDim, i, each(grid)[i]);
    kernel.input(each(blockSize)[i], LaunchValue::BlockDim, i, each(block)[i]);
  }
  if (llvm::Error error = kernel.attribute(op.getWorkgroupAttributions(), Buffer::Kind::Workgroup, "workgroup memory"))
    return error;
  if (llvm::Error error = kernel.attribute(op.getPrivateAttributions(), Buffer::Kind::Private, "private memory"))
    return error;
  std::array<Value, 3> gridSizes = each(grid), blockSizes = each(block);
  return kernel.finish(gridSizes, blockSizes, op.getDynamicSharedMemorySize(), "");
}

llvm::Error decodeLaunch(Decoder &host, gpu::LaunchFuncOp op) {
  auto function = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(op, op.getKernelAttr());
  if (!function || function.isExternal() || op.hasClusterSize())
    return Decoder::refuse(op,
                           "the emulator launches kernels (gpu.func) whose body is in the module, without clusters");
  KernelDecoder kernel(host, op, function.getBody());
  for (auto [parameter, operand] :
       llvm::zip(function.getArguments().take_front(op.getNumKernelOperands()), op.getKernelOperands()))
    kernel.decoder().bind(parameter, operand);
  if (llvm::Error error =
          kernel.attribute(function.getWorkgroupAttributions(), Buffer::Kind::Workgroup, "workgroup memory"))
    return error;
  if (llvm::Error error = kernel.attribute(function.getPrivateAttributions(), Buffer::Kind::Private, "private memory"))
    return error;
  std::array<Value, 3> grid{op.getGridSizeX(), op.getGridSizeY(), op.getGridSizeZ()};
  std::array<Value, 3> block{op.getBlockSizeX(), op.getBlockSizeY(), op.getBlockSizeZ()};
  return kernel.finish(grid, block, op.getDynamicSharedMemorySize(), function.getName().str());
}

} // namespace

llvm::Expected<bool> decodeHost(Decoder &decoder, Operation *op) {
  auto done = [](llvm::Error error) -> llvm::Expected<bool> {
    if (error)
      return error;
    return true;
  };
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return done(decodeGlobal(decoder, global));
  if (!decoder.isHost())
    return false;
  if (auto launch = dyn_cast<gpu::LaunchOp>(op))
    return done(decodeLaunch(decoder, launch));
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return done(decodeLaunch(decoder, launch));
  if (isa<memref::AllocOp>(op))
    return done(decodeAllocate(decoder, op, op->getResult(0)));
  if (auto alloc = dyn_cast<gpu::AllocOp>(op))
    return done(decodeAllocate(decoder, op, alloc.getMemref()));
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
    return decoder.emit<Deallocate>(op, decoder.partsOf(dealloc.getMemref()).number), true;
  if (auto dealloc = dyn_cast<gpu::DeallocOp>(op))
    return decoder.emit<Deallocate>(op, decoder.partsOf(dealloc.getMemref()).number), true;
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return done(decodeCopy(decoder, op, copy.getSource(), copy.getTarget()));
  if (auto copy = dyn_cast<gpu::MemcpyOp>(op))
    return done(decodeCopy(decoder, op, copy.getSrc(), copy.getDst()));
  return isa<gpu::WaitOp, gpu::HostRegisterOp, gpu::HostUnregisterOp>(op);
}

} // namespace fuselage::emulator
