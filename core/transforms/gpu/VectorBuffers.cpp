// Buffers that a kernel moves several elements of at a time become buffers of vectors, of four elements or of the words
// that narrow ones lie in: SPIR-V reads a buffer as what it is declared to be, and nothing else.
#include "core/transforms/gpu/Passes.h"
#include "core/transforms/gpu/distribution/VectorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace fuselage {
#define GEN_PASS_DEF_VECTORBUFFERSPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// Elements of the vectors that SPIR-V has.
constexpr int64_t width = 4;

/// What a buffer is moved in.
struct Piece {
  int64_t elements = 0; ///< 0: each for itself
  Type type;            ///< in memory: a vector of four, or as many words of 32 bits as hold the elements
};

/// The vector that `op` reads or writes, and where it starts; a null type for others.
std::pair<VectorType, Value> movedBy(Operation *op) {
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return {load.getVectorType(), load.getIndices().front()};
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return {store.getVectorType(), store.getIndices().front()};
  return {};
}

/// Whether a cooperative matrix is read or written whose rows are pieces of `elements`. Their loads and stores take
/// whatever the buffer consists of, and count how far rows lie apart in that.
bool movesMatrixOf(Operation *op, int64_t elements) {
  auto moves = [&](auto matrix) {
    return isMultipleOf(matrix.getIndices().front(), elements) &&
           matrix.getLeadDimension().getSExtValue() % elements == 0;
  };
  if (auto load = dyn_cast<gpu::SubgroupMmaLoadMatrixOp>(op))
    return moves(load);
  auto store = dyn_cast<gpu::SubgroupMmaStoreMatrixOp>(op);
  return store && moves(store);
}

/// Whether each user moves a number of pieces of `elements`, from the start of one.
bool allMovePieces(ArrayRef<Operation *> users, int64_t elements) {
  return llvm::all_of(users, [&](Operation *user) {
    if (movesMatrixOf(user, elements))
      return true;
    auto [vector, first] = movedBy(user);
    return vector && vector.getNumElements() % elements == 0 && isMultipleOf(first, elements);
  });
}

Piece pieceOf(MemRefType type, ArrayRef<Operation *> users) {
  bool isFlat = type.getRank() == 1 && type.hasStaticShape() && type.getElementType().isIntOrFloat();
  if (!isFlat || users.empty())
    return {};
  int64_t bits = type.getElementTypeBitWidth();
  if (bits == 32) {
    bool isWhole =
        type.getNumElements() % width == 0 && allMovePieces(users, width) && llvm::all_of(users, [](Operation *user) {
          VectorType moved = movedBy(user).first;
          return !moved || moved.getNumElements() == width;
        });
    return isWhole ? Piece{width, VectorType::get(width, type.getElementType())} : Piece{};
  }
  if (bits != 8 && bits != 16)
    return {};
  Type word = IntegerType::get(type.getContext(), 32);
  for (int64_t words : {4, 2, 1})
    if (int64_t elements = words * 32 / bits; type.getNumElements() % elements == 0 && allMovePieces(users, elements))
      return {elements, words == 1 ? word : Type(VectorType::get(words, word))};
  return {};
}

struct VectorBuffers : fuselage::impl::VectorBuffersPassBase<VectorBuffers> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    llvm::DenseMap<Operation *, SmallVector<Type>> changed;
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      if (kernel.isKernel())
        changed[kernel] = rewrite(kernel);
    });
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto found = changed.find(symbols.lookupNearestSymbolFrom(launch, launch.getKernel()));
      if (found == changed.end())
        return;
      OpBuilder builder(launch);
      for (auto [operand, type] : llvm::zip_equal(launch.getKernelOperandsMutable(), found->second))
        if (operand.get().getType() != type)
          operand.set(UnrealizedConversionCastOp::create(builder, launch.getLoc(), type, operand.get()).getResult(0));
    });
  }

private:
  /// Returns the new types of the parameters.
  static SmallVector<Type> rewrite(gpu::GPUFuncOp kernel) {
    IRRewriter rewriter(kernel.getContext());
    for (BlockArgument argument : kernel.getArguments())
      if (auto type = dyn_cast<MemRefType>(argument.getType()))
        rewrite(rewriter, argument, type);
    kernel.walk([&](memref::AllocOp alloc) { rewrite(rewriter, alloc.getResult(), alloc.getType()); });
    SmallVector<Type> types; // buffers of a workgroup follow, which the type has not
    for (BlockArgument argument : kernel.getArguments().take_front(kernel.getFunctionType().getNumInputs()))
      types.push_back(argument.getType());
    kernel.setFunctionType(rewriter.getFunctionType(types, {}));
    return types;
  }

  static void rewrite(IRRewriter &rewriter, Value buffer, MemRefType type) {
    SmallVector<Operation *> users(buffer.getUsers());
    Piece piece = pieceOf(type, users);
    if (piece.elements != 0)
      buffer.setType(
          MemRefType::get({type.getNumElements() / piece.elements}, piece.type, AffineMap(), type.getMemorySpace()));
    for (Operation *user : users)
      piece.elements != 0 ? movePieces(rewriter, user, buffer, piece) : moveElements(rewriter, user, buffer);
  }

  static void movePieces(IRRewriter &rewriter, Operation *op, Value buffer, const Piece &piece) {
    rewriter.setInsertionPoint(op);
    Location loc = op->getLoc();
    if (!movedBy(op).first)
      return moveMatrix(rewriter, op, piece);
    auto [vector, first] = movedBy(op);
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
    Value number = rewriter.createOrFold<arith::DivUIOp>(loc, first, constant(piece.elements));
    auto at = [&](int64_t offset) {
      return offset == 0 ? number : rewriter.createOrFold<arith::AddIOp>(loc, number, constant(offset));
    };
    int64_t count = vector.getNumElements() / piece.elements;
    if (isa<vector::LoadOp>(op)) {
      SmallVector<Value> pieces;
      for (int64_t offset = 0; offset < count; ++offset)
        pieces.push_back(memref::LoadOp::create(rewriter, loc, buffer, at(offset)));
      rewriter.replaceOp(op, fromPieces(rewriter, loc, pieces, vector));
      return;
    }
    for (auto [offset, value] :
         llvm::enumerate(toPieces(rewriter, loc, cast<vector::StoreOp>(op).getValueToStore(), piece)))
      memref::StoreOp::create(rewriter, loc, value, buffer, at(offset));
    rewriter.eraseOp(op);
  }

  static void moveMatrix(IRRewriter &rewriter, Operation *op, const Piece &piece) {
    auto move = [&](auto matrix, MutableOperandRange indices) {
      Value pieces = arith::ConstantIndexOp::create(rewriter, op->getLoc(), piece.elements);
      Value number = rewriter.createOrFold<arith::DivUIOp>(op->getLoc(), matrix.getIndices().front(), pieces);
      rewriter.modifyOpInPlace(op, [&] {
        indices.assign(number);
        matrix.setLeadDimensionAttr(rewriter.getIndexAttr(matrix.getLeadDimension().getSExtValue() / piece.elements));
      });
    };
    if (auto load = dyn_cast<gpu::SubgroupMmaLoadMatrixOp>(op))
      move(load, load.getIndicesMutable());
    else if (auto store = dyn_cast<gpu::SubgroupMmaStoreMatrixOp>(op))
      move(store, store.getIndicesMutable());
  }

  /// The elements of pieces, one word after the other: larger vectors of narrow elements SPIR-V does not have.
  static Value fromPieces(IRRewriter &rewriter, Location loc, ArrayRef<Value> pieces, VectorType type) {
    if (pieces.front().getType() == type)
      return pieces.front();
    SmallVector<Value> elements;
    for (Value piece : pieces)
      for (Value word : partsOf(rewriter, loc, piece)) {
        auto narrow = VectorType::get(32 / type.getElementTypeBitWidth(), type.getElementType());
        Value one = vector::FromElementsOp::create(rewriter, loc, VectorType::get(1, word.getType()), word);
        llvm::append_range(elements, partsOf(rewriter, loc, vector::BitCastOp::create(rewriter, loc, narrow, one)));
      }
    return vector::FromElementsOp::create(rewriter, loc, type, elements);
  }

  static SmallVector<Value> toPieces(IRRewriter &rewriter, Location loc, Value vector, const Piece &piece) {
    auto type = cast<VectorType>(vector.getType());
    if (piece.type == type)
      return {vector};
    SmallVector<Value> pieces, words, elements = partsOf(rewriter, loc, vector);
    auto words32 = dyn_cast<VectorType>(piece.type);
    size_t perWord = 32 / type.getElementTypeBitWidth(), perPiece = words32 ? words32.getNumElements() : 1;
    auto narrow = VectorType::get(perWord, type.getElementType()), one = VectorType::get(1, rewriter.getI32Type());
    for (size_t first = 0; first < elements.size(); first += perWord) {
      Value part = vector::FromElementsOp::create(rewriter, loc, narrow, ArrayRef(elements).slice(first, perWord));
      words.push_back(
          vector::ExtractOp::create(rewriter, loc, vector::BitCastOp::create(rewriter, loc, one, part), int64_t(0)));
    }
    for (size_t first = 0; first < words.size(); first += perPiece)
      pieces.push_back(words32 ? Value(vector::FromElementsOp::create(rewriter, loc, words32,
                                                                      ArrayRef(words).slice(first, perPiece)))
                               : words[first]);
    return pieces;
  }

  /// The elements of a vector; a scalar itself.
  static SmallVector<Value> partsOf(IRRewriter &rewriter, Location loc, Value value) {
    auto type = dyn_cast<VectorType>(value.getType());
    SmallVector<Value> parts;
    for (int64_t lane = 0; type && lane < type.getNumElements(); ++lane)
      parts.push_back(vector::ExtractOp::create(rewriter, loc, value, lane));
    return type ? parts : SmallVector<Value>{value};
  }

  /// Vectors of a buffer that is read or written otherwise, too, element by element.
  static void moveElements(IRRewriter &rewriter, Operation *op, Value buffer) {
    rewriter.setInsertionPoint(op);
    Location loc = op->getLoc();
    auto at = [&](Value first, int64_t lane) -> Value {
      return rewriter.createOrFold<arith::AddIOp>(loc, first, arith::ConstantIndexOp::create(rewriter, loc, lane));
    };
    if (auto load = dyn_cast<vector::LoadOp>(op)) {
      SmallVector<Value> elements;
      for (int64_t lane = 0; lane < load.getVectorType().getNumElements(); ++lane)
        elements.push_back(memref::LoadOp::create(rewriter, loc, buffer, at(load.getIndices().front(), lane)));
      rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, load.getVectorType(), elements);
    } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
      Value vector = store.getValueToStore();
      for (int64_t lane = 0; lane < cast<VectorType>(vector.getType()).getNumElements(); ++lane)
        memref::StoreOp::create(rewriter, loc, vector::ExtractOp::create(rewriter, loc, vector, lane), buffer,
                                at(store.getIndices().front(), lane));
      rewriter.eraseOp(op);
    }
  }
};

} // namespace
