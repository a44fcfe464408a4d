// Matrices that a subgroup holds together. Which thread has which element is the driver's affair: here they are dealt
// out one by one, row by row, and nothing but instructions on whole matrices can see that.
#include "core/emulator/Accesses.h"
#include "core/emulator/SubgroupWalk.h"
#include "core/emulator/lanes/NarrowFloat.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <cstring>

using namespace mlir;

namespace fuselage::emulator {
namespace {

/// A matrix's value: element i is the one of number i / size of the thread i % size of its subgroup.
struct Matrix {
  ElementIds elements;
  ElementForm form;
  unsigned rows, columns;

  Matrix(ElementIds elements, gpu::MMAMatrixType type)
      : elements(std::move(elements)), form(*formOf(type)), rows(unsigned(type.getShape()[0])),
        columns(unsigned(type.getShape()[1])) {}
  unsigned laneOf(Machine &machine, unsigned first, unsigned row, unsigned column) const {
    return first + (row * columns + column) % machine.subgroupSize();
  }
  ElementId idOf(Machine &machine, unsigned row, unsigned column) const {
    return elements[(row * columns + column) / machine.subgroupSize()];
  }

  double number(Machine &machine, unsigned first, unsigned row, unsigned column) const {
    ElementId id = idOf(machine, row, column);
    unsigned lane = laneOf(machine, first, row, column);
    return form.isWide() ? llvm::bit_cast<double>(machine.word(id)[lane]) : machine.single(id)[lane];
  }
  void setNumber(Machine &machine, unsigned first, unsigned row, unsigned column, double value) const {
    ElementId id = idOf(machine, row, column);
    unsigned lane = laneOf(machine, first, row, column);
    if (form.isWide())
      machine.word(id)[lane] = llvm::bit_cast<uint64_t>(value);
    else
      machine.single(id)[lane] = form.kind == ElementForm::Kind::F16 ? roundF16(toFloatOdd(value)) : float(value);
  }
};

/// Where a matrix lies: its threads agree on the first element, and rows or columns are so many elements apart.
class MatrixPlace {
public:
  MatrixPlace(AddressPlan plan, int64_t stride, bool isTransposed)
      : plan_(std::move(plan)), stride_(stride), isTransposed_(isTransposed) {}

  void compute(Machine &machine) const { plan_.compute(machine); }
  const AddressPlan &plan() const { return plan_; }
  /// visit(row, column, lane, buffer, byte) for each element that lies within the buffer.
  template <class Visit>
  void eachElement(Machine &machine, Operation *op, const Matrix &matrix, unsigned first, Visit visit) const {
    Buffer &buffer = plan_.bufferOf(machine, first);
    for (unsigned lane = first + 1; lane < first + machine.subgroupSize(); ++lane)
      if (machine.addresses[lane] != machine.addresses[first])
        return machine.races.report(FindingKind::InactiveLane, op, lane,
                                    "its subgroup's threads do not agree on where the matrix lies", &buffer);
    int64_t bytes = matrix.form.bytes;
    for (unsigned row = 0; row < matrix.rows; ++row)
      for (unsigned column = 0; column < matrix.columns; ++column) {
        int64_t offset = isTransposed_ ? column * stride_ + row : row * stride_ + column;
        unsigned lane = matrix.laneOf(machine, first, row, column);
        if (auto byte =
                plan_.resolve(machine, buffer, machine.addresses[first] + offset * bytes, unsigned(bytes), lane))
          visit(row, column, lane, buffer, *byte);
      }
  }

private:
  AddressPlan plan_;
  int64_t stride_;
  bool isTransposed_;
};

class LoadMatrix : public Instruction {
public:
  LoadMatrix(MatrixPlace place, Matrix result) : place_(std::move(place)), result_(std::move(result)) {
    weight = result_.rows * result_.columns / 8;
  }
  void run(Machine &machine) const override {
    place_.compute(machine);
    forSubgroups(machine, op, machine.subgroupSize(), "subgroup", [&](unsigned first) {
      place_.eachElement(machine, op, result_, first,
                         [&](unsigned row, unsigned column, unsigned lane, Buffer &buffer, uint64_t byte) {
                           machine.races.read(buffer, byte, result_.form.bytes, lane, place_.plan().site());
                           uint64_t bits = 0;
                           std::memcpy(&bits, buffer.data + byte, result_.form.bytes);
                           setLaneBits(machine, result_.form, result_.idOf(machine, row, column), lane, bits);
                         });
    });
  }

private:
  MatrixPlace place_;
  Matrix result_;
};

class StoreMatrix : public Instruction {
public:
  StoreMatrix(MatrixPlace place, Matrix value) : place_(std::move(place)), value_(std::move(value)) {
    weight = value_.rows * value_.columns / 4;
  }
  void run(Machine &machine) const override {
    place_.compute(machine);
    forSubgroups(machine, op, machine.subgroupSize(), "subgroup", [&](unsigned first) {
      place_.eachElement(machine, op, value_, first,
                         [&](unsigned row, unsigned column, unsigned lane, Buffer &buffer, uint64_t byte) {
                           uint64_t bits = laneBits(machine, value_.form, value_.idOf(machine, row, column), lane);
                           uint8_t value[8];
                           std::memcpy(value, &bits, sizeof(value));
                           machine.races.write(buffer, byte, value_.form.bytes, lane, place_.plan().site(), value);
                           std::memcpy(buffer.data + byte, value, value_.form.bytes);
                         });
    });
  }

private:
  MatrixPlace place_;
  Matrix value_;
};

/// Products are exact, sums rounded once: a device's last bits may be others.
class MultiplyMatrices : public Instruction {
public:
  MultiplyMatrices(Matrix a, Matrix b, Matrix c, Matrix result)
      : a_(std::move(a)), b_(std::move(b)), c_(std::move(c)), result_(std::move(result)) {
    weight = a_.rows * a_.columns * b_.columns / 16;
  }
  void run(Machine &machine) const override {
    forSubgroups(machine, op, machine.subgroupSize(), "subgroup", [&](unsigned first) {
      for (unsigned row = 0; row < c_.rows; ++row)
        for (unsigned column = 0; column < c_.columns; ++column) {
          double sum = c_.number(machine, first, row, column);
          for (unsigned k = 0; k < a_.columns; ++k)
            sum += a_.number(machine, first, row, k) * b_.number(machine, first, k, column);
          result_.setNumber(machine, first, row, column, sum);
        }
    });
  }

private:
  Matrix a_, b_, c_, result_;
};

llvm::Expected<Matrix> define(Decoder &decoder, Value value) {
  auto elements = decoder.define(value);
  if (!elements)
    return elements.takeError();
  return Matrix(*elements, cast<gpu::MMAMatrixType>(value.getType()));
}
Matrix valueOf(Decoder &decoder, Value value) {
  return Matrix(decoder.lanesOf(value), cast<gpu::MMAMatrixType>(value.getType()));
}

/// Whether the emulator multiplies such.
bool isNumber(Value matrix) {
  auto form = formOf(matrix.getType());
  return form && form->isFloat();
}

llvm::Error decodeMove(Decoder &decoder, Operation *op, Value matrix, Value buffer, ValueRange indices, int64_t stride,
                       bool isTransposed) {
  auto type = cast<gpu::MMAMatrixType>(matrix.getType());
  if (!canAddress(buffer) || cast<MemRefType>(buffer.getType()).getElementType() != type.getElementType() || stride < 1)
    return Decoder::refuse(op, "the emulator has no form of this memory");
  MatrixPlace place(AddressPlan(decoder, op, buffer, indices, 1), stride, isTransposed);
  if (isa<gpu::SubgroupMmaStoreMatrixOp>(op)) {
    decoder.noteWrite(buffer);
    decoder.emit<StoreMatrix>(op, std::move(place), valueOf(decoder, matrix));
    return llvm::Error::success();
  }
  auto result = define(decoder, matrix);
  if (!result)
    return result.takeError();
  decoder.emit<LoadMatrix>(op, std::move(place), std::move(*result));
  return llvm::Error::success();
}

llvm::Error decodeMultiply(Decoder &decoder, gpu::SubgroupMmaComputeOp op) {
  if (!isNumber(op.getOpA()) || !isNumber(op.getOpB()) || !isNumber(op.getOpC()))
    return Decoder::refuse(op, "the emulator multiplies matrices of floating-point numbers only");
  Matrix a = valueOf(decoder, op.getOpA()), b = valueOf(decoder, op.getOpB()), c = valueOf(decoder, op.getOpC());
  auto result = define(decoder, op.getRes());
  if (!result)
    return result.takeError();
  decoder.emit<MultiplyMatrices>(op, std::move(a), std::move(b), std::move(c), std::move(*result));
  return llvm::Error::success();
}

} // namespace

llvm::Expected<bool> decodeSubgroupMatrix(Decoder &decoder, Operation *op) {
  if (decoder.isHost())
    return false;
  auto done = [](llvm::Error error) -> llvm::Expected<bool> {
    if (error)
      return error;
    return true;
  };
  if (auto load = dyn_cast<gpu::SubgroupMmaLoadMatrixOp>(op))
    return done(decodeMove(decoder, op, load.getRes(), load.getSrcMemref(), load.getIndices(),
                           load.getLeadDimension().getSExtValue(), load.getTranspose().has_value()));
  if (auto store = dyn_cast<gpu::SubgroupMmaStoreMatrixOp>(op))
    return done(decodeMove(decoder, op, store.getSrc(), store.getDstMemref(), store.getIndices(),
                           store.getLeadDimension().getSExtValue(), store.getTranspose().has_value()));
  if (auto multiply = dyn_cast<gpu::SubgroupMmaComputeOp>(op))
    return done(decodeMultiply(decoder, multiply));
  if (auto constant = dyn_cast<gpu::SubgroupMmaConstantMatrixOp>(op)) {
    // All elements are one: it is its own lanes, once for each that a thread has.
    ElementId element = decoder.lanesOf(constant.getValue()).front();
    return decoder.alias(op->getResult(0),
                         ElementIds(*elementCount(constant.getType(), decoder.subgroupSize), element)),
           true;
  }
  return false;
}

} // namespace fuselage::emulator
