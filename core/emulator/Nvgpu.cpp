// What NVIDIA's warps do: copies that go on by themselves, and matrix instructions. Which thread holds which element is
// said in the PTX ISA, "Matrix multiply-accumulate operation using mma instruction" and "ldmatrix".
#include "core/emulator/Accesses.h"
#include "core/emulator/SubgroupWalk.h"
#include "core/emulator/lanes/NarrowFloat.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include <cstring>

using namespace mlir;

namespace fuselage::emulator {
namespace {

constexpr unsigned warpSize = 32;

template <class Each> void forWarps(Machine &machine, Operation *op, Each each) {
  forSubgroups(machine, op, warpSize, "warp", each);
}

void reportMisaligned(Machine &machine, Operation *op, unsigned lane, int64_t address, unsigned alignment,
                      Buffer &buffer) {
  machine.races.report(FindingKind::Misaligned, op, lane,
                       "byte " + std::to_string(address) + " is no multiple of " + std::to_string(alignment), &buffer,
                       buffer.indexOf(uint64_t(std::max<int64_t>(address, 0))));
}

class AsyncCopy : public Instruction {
public:
  AsyncCopy(AddressPlan from, AddressPlan to, unsigned elements, std::optional<ElementId> read)
      : from_(std::move(from)), to_(std::move(to)), elements_(elements), read_(read) {
    weight = 30;
  }
  void run(Machine &machine) const override {
    const Mask &mask = machine.mask();
    from_.compute(machine);
    std::vector<int64_t> sources(machine.addresses);
    to_.compute(machine);
    to_.checkView(machine);
    unsigned bytes = elements_ * from_.form().bytes;
    for (unsigned lane = mask.begin; lane < mask.end; ++lane) {
      if (!mask.active[lane])
        continue;
      unsigned read =
          !read_ ? bytes : unsigned(std::min<uint64_t>(machine.word(*read_)[lane], elements_)) * from_.form().bytes;
      Buffer &source = from_.bufferOf(machine, lane), &target = to_.bufferOf(machine, lane);
      for (auto [address, buffer] : {std::pair(sources[lane], &source), std::pair(machine.addresses[lane], &target)})
        if (uint64_t(address) % bytes != 0)
          reportMisaligned(machine, op, lane, address, bytes, *buffer);
      auto to = to_.resolve(machine, target, machine.addresses[lane], bytes, lane);
      auto from = read == 0 ? std::optional(uint64_t(0)) : from_.resolve(machine, source, sources[lane], read, lane);
      if (!to || !from)
        continue;
      PendingCopy copy{.buffer = &target, .byte = *to, .bytes = bytes, .group = 0, .value = {}};
      if (read != 0) {
        machine.races.read(source, *from, read, lane, from_.site());
        std::memcpy(copy.value.data(), source.data + *from, read);
      }
      machine.races.beginCopy(target, *to, bytes, lane, to_.site());
      machine.copies.begin(lane, copy);
    }
  }

private:
  AddressPlan from_, to_;
  unsigned elements_;
  std::optional<ElementId> read_;
};

class CreateGroup : public Instruction {
public:
  void run(Machine &machine) const override {
    for (unsigned lane = machine.mask().begin; lane < machine.mask().end; ++lane)
      if (machine.mask().active[lane])
        machine.copies.createGroup(lane);
  }
};

class WaitForGroups : public Instruction {
public:
  explicit WaitForGroups(uint64_t groups) : groups_(groups) {}
  void run(Machine &machine) const override {
    for (unsigned lane = machine.mask().begin; lane < machine.mask().end; ++lane)
      if (machine.mask().active[lane])
        machine.copies.wait(lane, groups_, machine.races);
  }

private:
  uint64_t groups_;
};

/// Tiles of 8 rows of 16 bytes; thread 8 * tile + row says where a row is.
class LoadMatrix : public Instruction {
public:
  LoadMatrix(AddressPlan plan, ElementIds result, unsigned tiles, bool isTransposed)
      : plan_(std::move(plan)), result_(std::move(result)), tiles_(tiles), isTransposed_(isTransposed) {
    weight = 20 * tiles;
  }
  void run(Machine &machine) const override {
    plan_.compute(machine);
    forWarps(machine, op, [&](unsigned first) { loadWarp(machine, first); });
  }

private:
  void loadWarp(Machine &machine, unsigned first) const {
    std::optional<uint64_t> rows[warpSize];
    for (unsigned row = 0; row < 8 * tiles_; ++row) {
      unsigned lane = first + row;
      Buffer &buffer = plan_.bufferOf(machine, lane);
      if (machine.addresses[lane] % 16 != 0)
        reportMisaligned(machine, op, lane, machine.addresses[lane], 16, buffer);
      rows[row] = plan_.resolve(machine, buffer, machine.addresses[lane], 16, lane);
    }
    unsigned bytes = plan_.form().bytes, parts = 4 / bytes;
    for (unsigned tile = 0; tile < tiles_; ++tile)
      for (unsigned lane = 0; lane < warpSize; ++lane)
        for (unsigned part = 0; part < parts; ++part) {
          unsigned row = isTransposed_ ? lane % 4 * 2 + part : lane / 4,
                   offset = isTransposed_ ? lane / 4 * 2 : lane % 4 * 4 + part * bytes;
          uint64_t bits = 0;
          if (auto byte = rows[8 * tile + row]) {
            Buffer &buffer = plan_.bufferOf(machine, first + 8 * tile + row);
            machine.races.read(buffer, *byte + offset, bytes, first + lane, plan_.site());
            std::memcpy(&bits, buffer.data + *byte + offset, bytes);
          }
          setLaneBits(machine, plan_.form(), result_[tile * parts + part], first + lane, bits);
        }
  }

  AddressPlan plan_;
  ElementIds result_;
  unsigned tiles_;
  bool isTransposed_;
};

struct MatrixShape {
  unsigned m, n, k;
};

/// Products are exact, sums rounded once: hardware's last bits may be others.
class MultiplyMatrices : public Instruction {
public:
  MultiplyMatrices(MatrixShape shape, ElementForm factor, ElementForm sum, bool isTf32, ElementIds a, ElementIds b,
                   ElementIds c, ElementIds result)
      : shape_(shape), factor_(factor), sum_(sum), isTf32_(isTf32), a_(std::move(a)), b_(std::move(b)),
        c_(std::move(c)), result_(std::move(result)) {
    weight = shape.m * shape.n * shape.k / 64;
  }
  void run(Machine &machine) const override {
    forWarps(machine, op, [&](unsigned first) {
      factor_.isFloat() ? multiply<double>(machine, first) : multiply<int64_t>(machine, first);
    });
  }

private:
  /// An element of a thread's part of the left operand, of `per` elements a register.
  static std::pair<unsigned, unsigned> placeInA(unsigned lane, unsigned number, unsigned per, unsigned rows) {
    unsigned of = number / per, part = number % per;
    return {lane / 4 + 8 * (of % (rows / 8)), per * (lane % 4) + part + 4 * per * (of / (rows / 8))};
  }
  static std::pair<unsigned, unsigned> placeInB(unsigned lane, unsigned number, unsigned per) {
    return {per * (lane % 4) + number % per + 4 * per * (number / per), lane / 4};
  }
  static std::pair<unsigned, unsigned> placeInC(unsigned lane, unsigned number) {
    return {lane / 4 + 8 * (number / 2), 2 * (lane % 4) + number % 2};
  }

  template <class T>
  T valueOf(Machine &machine, const ElementForm &form, ElementId id, unsigned lane, bool isFactor) const {
    if constexpr (std::is_same_v<T, int64_t>) {
      uint64_t sign = uint64_t(1) << (form.bits - 1);
      return int64_t((machine.word(id)[lane] ^ sign) - sign);
    }
    if (form.isWide())
      return llvm::bit_cast<double>(machine.word(id)[lane]);
    float number = machine.single(id)[lane];
    // Of a tf32 the unit reads 10 bits of the mantissa.
    return isFactor && isTf32_ ? llvm::bit_cast<float>(llvm::bit_cast<uint32_t>(number) & ~0x1fffu) : number;
  }

  template <class T> void multiply(Machine &machine, unsigned first) const {
    T a[16][64] = {}, b[64][8] = {}, c[16][8] = {};
    unsigned per = factor_.bits >= 32 ? 1 : 32 / factor_.bits;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      for (unsigned i = 0; i < a_.size(); ++i) {
        auto [row, column] = placeInA(lane, i, per, shape_.m);
        a[row][column] = valueOf<T>(machine, factor_, a_[i], first + lane, true);
      }
      for (unsigned i = 0; i < b_.size(); ++i) {
        auto [row, column] = placeInB(lane, i, per);
        b[row][column] = valueOf<T>(machine, factor_, b_[i], first + lane, true);
      }
      for (unsigned i = 0; i < c_.size(); ++i) {
        auto [row, column] = placeInC(lane, i);
        c[row][column] = valueOf<T>(machine, sum_, c_[i], first + lane, false);
      }
    }
    for (unsigned row = 0; row < shape_.m; ++row)
      for (unsigned k = 0; k < shape_.k; ++k)
        for (unsigned column = 0; column < 8; ++column)
          c[row][column] += a[row][k] * b[k][column];
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned i = 0; i < result_.size(); ++i) {
        auto [row, column] = placeInC(lane, i);
        setResult(machine, result_[i], first + lane, c[row][column]);
      }
  }
  void setResult(Machine &machine, ElementId id, unsigned lane, int64_t value) const {
    machine.word(id)[lane] = uint64_t(value) & sum_.mask();
  }
  void setResult(Machine &machine, ElementId id, unsigned lane, double value) const {
    if (sum_.isWide())
      machine.word(id)[lane] = llvm::bit_cast<uint64_t>(value);
    else
      machine.single(id)[lane] = sum_.kind == ElementForm::Kind::F16 ? roundF16(toFloatOdd(value)) : float(value);
  }

  MatrixShape shape_;
  ElementForm factor_, sum_;
  bool isTf32_;
  ElementIds a_, b_, c_, result_;
};

llvm::Error decodeCopy(Decoder &decoder, nvgpu::DeviceAsyncCopyOp op) {
  auto memory = [](Value buffer) {
    return canAddress(buffer) && !isa<VectorType>(cast<MemRefType>(buffer.getType()).getElementType());
  };
  if (!memory(op.getSrc()) || !memory(op.getDst()))
    return Decoder::refuse(op, "the emulator has no form of this memory");
  AddressPlan from(decoder, op, op.getSrc(), op.getSrcIndices(), 1);
  uint64_t elements = op.getDstElements().getZExtValue();
  AddressPlan to(decoder, op, op.getDst(), op.getDstIndices(), unsigned(elements));
  uint64_t bytes = elements > 16 ? 0 : elements * from.form().bytes;
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return Decoder::refuse(op, "an asynchronous copy moves 4, 8 or 16 bytes");
  decoder.noteWrite(op.getDst());
  std::optional<ElementId> read;
  if (op.getSrcElements())
    read = decoder.lanesOf(op.getSrcElements()).front();
  decoder.emit<AsyncCopy>(op, std::move(from), std::move(to), unsigned(elements), read);
  decoder.alias(op.getAsyncToken(), {decoder.constant(0)});
  return llvm::Error::success();
}

llvm::Error decodeLoadMatrix(Decoder &decoder, nvgpu::LdMatrixOp op) {
  auto form = canAddress(op.getSrcMemref()) ? formOf(op.getRes().getType()) : std::nullopt;
  auto count = elementCount(op.getRes().getType());
  unsigned tiles = op.getNumTiles();
  if (!form || form->bytes > 4 || form->bits % 8 != 0 || (tiles != 1 && tiles != 2 && tiles != 4) ||
      count != tiles * (4 / form->bytes) || (op.getTranspose() && form->bytes != 2))
    return Decoder::refuse(op);
  AddressPlan plan(decoder, op, op.getSrcMemref(), op.getIndices(), 16 / form->bytes);
  auto result = decoder.define(op.getRes());
  if (!result)
    return result.takeError();
  decoder.emit<LoadMatrix>(op, std::move(plan), *result, tiles, op.getTranspose());
  return llvm::Error::success();
}

llvm::Error decodeMultiply(Decoder &decoder, nvgpu::MmaSyncOp op) {
  std::array<int64_t, 3> shape = op.getMmaShapeAsArray();
  auto factor = formOf(op.getMatrixA().getType()), sum = formOf(op.getMatrixC().getType());
  bool isKnown = factor && sum && (shape[0] == 8 || shape[0] == 16) && shape[1] == 8 && shape[2] >= 4 &&
                 shape[2] <= 64 && factor->isFloat() == sum->isFloat() && factor->bits >= 4 &&
                 factor->bits == formOf(op.getMatrixB().getType())->bits;
  ElementIds a = decoder.lanesOf(op.getMatrixA()), b = decoder.lanesOf(op.getMatrixB()),
             c = decoder.lanesOf(op.getMatrixC());
  if (!isKnown || int64_t(a.size()) * warpSize != shape[0] * shape[2] || int64_t(b.size()) * warpSize != shape[2] * 8 ||
      int64_t(c.size()) * warpSize != shape[0] * 8)
    return Decoder::refuse(op, "the emulator does not know this shape of mma.sync");
  auto result = decoder.define(op.getRes());
  if (!result)
    return result.takeError();
  bool isTf32 = op.getTf32Enabled().has_value() && factor->kind == ElementForm::Kind::F32;
  decoder.emit<MultiplyMatrices>(op, MatrixShape{unsigned(shape[0]), unsigned(shape[1]), unsigned(shape[2])}, *factor,
                                 *sum, isTf32, std::move(a), std::move(b), std::move(c), *result);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<bool> decodeNvgpu(Decoder &decoder, Operation *op) {
  if (decoder.isHost() || op->getName().getDialectNamespace() != "nvgpu")
    return false;
  auto done = [](llvm::Error error) -> llvm::Expected<bool> {
    if (error)
      return error;
    return true;
  };
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op))
    return done(decodeCopy(decoder, copy));
  if (auto group = dyn_cast<nvgpu::DeviceAsyncCreateGroupOp>(op)) {
    decoder.emit<CreateGroup>(op);
    decoder.alias(group.getAsyncToken(), {decoder.constant(0)});
    return true;
  }
  if (auto wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(op))
    return decoder.emit<WaitForGroups>(op, wait.getNumGroups().value_or(0)), true;
  if (decoder.subgroupSize != warpSize)
    return Decoder::refuse(op, "it is for subgroups of 32 threads");
  if (auto load = dyn_cast<nvgpu::LdMatrixOp>(op))
    return done(decodeLoadMatrix(decoder, load));
  if (auto multiply = dyn_cast<nvgpu::MmaSyncOp>(op))
    return done(decodeMultiply(decoder, multiply));
  return false;
}

} // namespace fuselage::emulator
