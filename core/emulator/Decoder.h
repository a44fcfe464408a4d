// From the body of a kernel, or a function around kernels, to a program.
#pragma once
#include "core/emulator/Program.h"
#include "core/emulator/RaceDetector.h"
#include "core/emulator/lanes/ElementForm.h"
#include "core/emulator/lanes/LaneKernels.h"
#include "core/support/Error.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace fuselage::emulator {

/// Arrays that values share; they are used again when the last of these is dead.
struct ElementRun {
  uint32_t first = 0, count = 0;
  bool isWide = true;
  uint32_t references = 0;
  Instruction *definer = nullptr; ///< where the elements are uniform
};

struct DecodedValue {
  ElementIds elements{};
  llvm::SmallVector<ElementRun *, 2> runs{};
  bool isUniform() const {
    return llvm::all_of(elements, [](ElementId id) { return id.isUniform; });
  }
};

/// The parts of a buffer's value.
struct BufferParts {
  ElementId number, shift, offset;
  llvm::ArrayRef<ElementId> sizes, strides;
};

class Decoder {
public:
  /// `around`: of the program that launches this one; null: this is the host's.
  Decoder(Program &program, SiteTable &sites, Decoder *around, unsigned subgroupSize)
      : program(program), sites(sites), subgroupSize(subgroupSize), around_(around) {}

  /// The ops of a block up to its terminator, whose operands are looked up by whoever decodes the op around it.
  llvm::Error decode(mlir::Block &block, Code &code);
  Code &newCode() { return program.codes.emplace_back(); }
  bool isHost() const { return !around_; }

  /// Failure of an op that cannot be emulated, with its name and place.
  static llvm::Error refuse(mlir::Operation *op, const llvm::Twine &why = "the emulator does not know this op");

  const DecodedValue &valueOf(mlir::Value value);
  /// The elements with their lanes in place, also where they are uniform.
  ElementIds lanesOf(mlir::Value value);
  llvm::ArrayRef<ElementId> elementsOf(mlir::Value value) { return valueOf(value).elements; }
  ElementId elementOf(mlir::Value value) { return elementsOf(value).front(); }
  void needLanes(llvm::ArrayRef<ElementId> elements);

  /// New elements for a value. Failure: there is no form of its type.
  llvm::Expected<ElementIds> define(mlir::Value value, bool isUniform = false, Instruction *definer = nullptr);
  /// A value made of elements that others have.
  void alias(mlir::Value value, ElementIds elements);
  /// Who puts uniform elements into all lanes where that is needed.
  void setDefiner(ElementId id, Instruction *definer) {
    (id.isWide ? runOfWord_ : runOfSingle_)[id.index]->definer = definer;
  }
  /// For good.
  ElementId newElement(bool isWide, bool isUniform);
  ElementId constant(uint64_t bits, bool isWide = true);
  std::optional<uint64_t> constantOf(ElementId id) const;
  llvm::Expected<ElementIds> constants(mlir::TypedAttr attribute);
  ElementId constantFromMemory(const ElementForm &form, const uint8_t *bytes);

  /// Buffers: their parts, and arithmetic on those.
  BufferParts partsOf(mlir::Value buffer);
  ElementId add(ElementId a, ElementId b);
  ElementId multiply(ElementId a, ElementId b);
  /// A buffer that is there from the beginning.
  llvm::Error defineRoot(mlir::Value value, mlir::MemRefType type, ElementId number);
  llvm::Error allocate(mlir::Value value, mlir::MemRefType type, Buffer::Kind kind, llvm::StringRef name,
                       std::string initial = "");

  /// Makes an instruction of an op and puts it at the end of the code.
  template <class T, class... Arguments> T &emit(mlir::Operation *op, Arguments &&...arguments) {
    auto made = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    T &instruction = *made;
    instruction.op = op;
    program.instructions.push_back(std::move(made));
    code_->instructions.push_back(&instruction);
    return instruction;
  }
  /// An operation on each element of the operands.
  void emitLanes(mlir::Operation *op, const LaneOperation &operation, ElementIds result,
                 llvm::ArrayRef<ElementIds> operands, bool isUniform);
  /// A word's operation on parts of buffers.
  ElementId emitWord(llvm::StringRef name, ElementId a, ElementId b);

  /// Buffers that a launch writes to race, others do not.
  void noteWrite(mlir::Value buffer);
  /// Of a kernel: where it begins, and what its parameters are outside of it.
  void setBody(mlir::Region &body) { body_ = &body; }
  /// What the launch gives, once each.
  ElementId inputOf(LaunchValue value, unsigned dimension);
  /// A global's buffer, once each.
  llvm::Error defineGlobal(mlir::Value value, mlir::Operation *global, llvm::function_ref<llvm::Error()> make);
  void bind(mlir::Value parameter, mlir::Value outside);

  Program &program;
  SiteTable &sites;
  const unsigned subgroupSize;

private:
  void releaseAfter(mlir::Block &block);
  void release(const DecodedValue &value);
  llvm::Error decode(mlir::Operation *op);
  ElementRun &newRun(uint32_t count, bool isWide);
  /// One that others had before: what is there when a launch begins must not be in it.
  ElementRun &reuseRun(uint32_t count, bool isWide);
  DecodedValue import(mlir::Value value);

  Decoder *around_;
  mlir::Region *body_ = nullptr;
  llvm::DenseMap<mlir::Value, mlir::Value> bound_;
  llvm::DenseMap<std::pair<unsigned, unsigned>, ElementId> inputs_;
  llvm::DenseMap<mlir::Operation *, DecodedValue> globals_;
  Code *code_ = nullptr;
  llvm::DenseMap<mlir::Value, DecodedValue> values_;
  std::deque<ElementRun> runs_;
  std::map<std::pair<bool, uint32_t>, std::vector<ElementRun *>> free_;
  std::vector<ElementRun *> runOfSingle_, runOfWord_;
  llvm::DenseMap<std::pair<uint64_t, unsigned>, ElementId> constants_;
  llvm::DenseMap<uint32_t, uint64_t> wordConstants_;
};

/// Families of ops. False: the op is of another one.
llvm::Expected<bool> decodeArithmetic(Decoder &decoder, mlir::Operation *op);
llvm::Expected<bool> decodeAffine(Decoder &decoder, mlir::Operation *op);
llvm::Expected<bool> decodeVector(Decoder &decoder, mlir::Operation *op);
llvm::Expected<bool> decodeVectorReduction(Decoder &decoder, mlir::Operation *op);
llvm::Expected<bool> decodeAccess(Decoder &decoder, mlir::Operation *op);
llvm::Expected<bool> decodeTransfer(Decoder &decoder, mlir::Operation *op);
llvm::Expected<bool> decodeAtomic(Decoder &decoder, mlir::Operation *op);
llvm::Expected<bool> decodeView(Decoder &decoder, mlir::Operation *op);
llvm::Expected<bool> decodeControl(Decoder &decoder, mlir::Operation *op);
llvm::Expected<bool> decodeSubgroup(Decoder &decoder, mlir::Operation *op);
llvm::Expected<bool> decodeSubgroupMatrix(Decoder &decoder, mlir::Operation *op);
llvm::Expected<bool> decodeNvgpu(Decoder &decoder, mlir::Operation *op);
llvm::Expected<bool> decodeHost(Decoder &decoder, mlir::Operation *op);

} // namespace fuselage::emulator
