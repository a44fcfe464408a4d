#include "core/ir/module/IrFingerprint.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"

namespace fuselage {
namespace {

/// Numbers values and blocks in walk order and mixes everything into one number. Attributes and
/// types are unique in their context, so that their addresses stand for them.
class Fingerprinter {
public:
  void visit(mlir::Operation &op) {
    ++counts_[op.getName()];
    mix(op.getName().getAsOpaquePointer());
    for (mlir::NamedAttribute attribute : op.getRawDictionaryAttrs()) {
      if (attribute.getName() == memoizedMaps) // linalg puts it there when somebody asks for maps, and no text shows it
        continue;
      mix(attribute.getName().getAsOpaquePointer());
      mix(attribute.getValue().getAsOpaquePointer());
    }
    mix(static_cast<size_t>(op.hashProperties()));
    mix(op.getNumOperands());
    for (mlir::Value operand : op.getOperands())
      mix(numberOf(operand));
    mix(op.getNumResults());
    for (mlir::Value result : op.getResults()) {
      mix(result.getType().getAsOpaquePointer());
      numberOf(result);
    }
    for (mlir::Block *successor : op.getSuccessors())
      mix(numberOf(successor));
    for (mlir::Region &region : op.getRegions()) {
      mix(region.getBlocks().size());
      for (mlir::Block &block : region) {
        mix(numberOf(&block));
        for (mlir::BlockArgument argument : block.getArguments()) {
          mix(argument.getType().getAsOpaquePointer());
          mix(numberOf(argument));
        }
        for (mlir::Operation &nested : block)
          visit(nested);
        mix(endOfBlock);
      }
    }
  }

  IrFingerprint take() const {
    IrFingerprint result;
    result.hash = hash_;
    for (const auto &[name, count] : counts_)
      result.ops[name.getStringRef().str()] += count;
    return result;
  }

private:
  static constexpr uint64_t endOfBlock = 0x9e3779b97f4a7c15;
  static constexpr llvm::StringLiteral memoizedMaps = "linalg.memoized_indexing_maps";

  void mix(uint64_t value) { hash_ = llvm::hash_combine(hash_, value); }
  void mix(const void *pointer) { mix(reinterpret_cast<uintptr_t>(pointer)); }
  unsigned numberOf(mlir::Value value) { return values_.try_emplace(value, unsigned(values_.size())).first->second; }
  unsigned numberOf(mlir::Block *block) { return blocks_.try_emplace(block, unsigned(blocks_.size())).first->second; }

  uint64_t hash_ = 0;
  llvm::DenseMap<mlir::Value, unsigned> values_;
  llvm::DenseMap<mlir::Block *, unsigned> blocks_;
  llvm::DenseMap<mlir::OperationName, int64_t> counts_;
};

} // namespace

IrFingerprint fingerprint(mlir::Operation *root) {
  Fingerprinter fingerprinter;
  fingerprinter.visit(*root);
  return fingerprinter.take();
}

std::map<std::string, int64_t> opDelta(const IrFingerprint &before, const IrFingerprint &after) {
  std::map<std::string, int64_t> delta = after.ops;
  for (const auto &[name, count] : before.ops)
    delta[name] -= count;
  std::erase_if(delta, [](const auto &entry) { return entry.second == 0; });
  return delta;
}

} // namespace fuselage
