#include "TouchedElements.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {

void forEachIndex(llvm::ArrayRef<int64_t> shape, llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) {
  Element index(shape.size(), 0);
  if (llvm::is_contained(shape, 0))
    return;
  while (true) {
    visit(index);
    size_t dim = shape.size();
    while (dim > 0 && ++index[dim - 1] == shape[dim - 1])
      index[--dim] = 0;
    if (dim == 0)
      return;
  }
}

namespace {

llvm::ArrayRef<int64_t> shapeOfValue(mlir::Value value) {
  return mlir::cast<mlir::ShapedType>(value.getType()).getShape();
}

int64_t positionIn(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [i, size] : llvm::zip_equal(index, shape))
    position = position * size + i;
  return position;
}

Element indexAt(int64_t position, llvm::ArrayRef<int64_t> shape) {
  Element index(shape.size(), 0);
  for (size_t dim = shape.size(); dim-- > 0; position /= shape[dim])
    index[dim] = position % shape[dim];
  return index;
}

Element mapped(mlir::AffineMap map, llvm::ArrayRef<int64_t> point) {
  auto values = map.compose(point);
  return Element(values.begin(), values.end());
}

/// Where an element of the result of a slice comes from.
template <typename SliceOp> Element inSliced(SliceOp slice, llvm::ArrayRef<int64_t> index) {
  Element place;
  auto dropped = slice.getDroppedDims();
  size_t next = 0;
  for (size_t dim = 0; dim < slice.getStaticOffsets().size(); ++dim)
    place.push_back(slice.getStaticOffset(dim) + slice.getStaticStride(dim) * (dropped.test(dim) ? 0 : index[next++]));
  return place;
}

class Executor {
public:
  Executor(mlir::Operation *op, llvm::function_ref<void(unsigned, Element)> read) : op_(op), read_(read) {}

  /// Everything that computing one element of the result reads; for structured ops, one point.
  void execute(llvm::ArrayRef<int64_t> at) {
    Element index(at.begin(), at.end());
    if (auto linalgOp = mlir::dyn_cast<mlir::linalg::LinalgOp>(op_)) {
      for (mlir::OpOperand &operand : op_->getOpOperands())
        if (mlir::isa<mlir::ShapedType>(operand.get().getType()) && linalgOp.payloadUsesValueFromOperand(&operand))
          read_(operand.getOperandNumber(), mapped(linalgOp.getMatchingIndexingMap(&operand), index));
    } else if (auto softmax = mlir::dyn_cast<mlir::linalg::SoftmaxOp>(op_)) {
      for (int64_t i = 0; i < shapeOfValue(softmax.getInput())[softmax.getDimension()]; ++i) {
        index[softmax.getDimension()] = i;
        read_(0, index);
      }
    } else if (auto pad = mlir::dyn_cast<mlir::tensor::PadOp>(op_)) {
      bool inside = true;
      for (auto [i, low, size] : llvm::zip_equal(index, pad.getStaticLow(), shapeOfValue(pad.getSource()))) {
        i -= low;
        inside &= i >= 0 && i < size;
      }
      if (inside)
        read_(0, index);
    } else if (auto slice = mlir::dyn_cast<mlir::tensor::ExtractSliceOp>(op_)) {
      read_(0, inSliced(slice, index));
    } else if (auto slice = mlir::dyn_cast<mlir::tensor::InsertSliceOp>(op_)) {
      bool isInserted = false;
      forEachIndex(shapeOfValue(slice.getSource()), [&](llvm::ArrayRef<int64_t> source) {
        if (inSliced(slice, source) != index)
          return;
        isInserted = true;
        read_(0, Element(source.begin(), source.end()));
      });
      if (!isInserted)
        read_(1, index);
    } else if (mlir::isa<mlir::tensor::ExpandShapeOp, mlir::tensor::CollapseShapeOp>(op_)) {
      read_(0, indexAt(positionIn(index, shapeOfValue(op_->getResult(0))), shapeOfValue(op_->getOperand(0))));
    } else if (auto concat = mlir::dyn_cast<mlir::tensor::ConcatOp>(op_)) {
      for (auto [number, input] : llvm::enumerate(concat.getInputs())) {
        int64_t size = shapeOfValue(input)[concat.getDim()];
        if (index[concat.getDim()] < size)
          return read_(number, index);
        index[concat.getDim()] -= size;
      }
    } else if (auto pack = mlir::dyn_cast<mlir::linalg::PackOp>(op_)) {
      readPacked(pack, index);
    } else if (auto unpack = mlir::dyn_cast<mlir::linalg::UnPackOp>(op_)) {
      readUnpacked(unpack, index);
    } else {
      for (unsigned operand = 0; operand < op_->getNumOperands(); ++operand)
        read_(operand, index);
    }
  }

private:
  void readPacked(mlir::linalg::PackOp pack, const Element &index) {
    Element place;
    auto perm = pack.getOuterDimsPerm();
    size_t rank = shapeOfValue(pack.getSource()).size();
    place.resize(rank);
    for (size_t dim = 0; dim < rank; ++dim)
      place[perm.empty() ? dim : perm[dim]] = index[dim];
    for (auto [number, dim] : llvm::enumerate(pack.getInnerDimsPos()))
      place[dim] = place[dim] * pack.getStaticInnerTiles()[number] + index[rank + number];
    for (auto [i, size] : llvm::zip_equal(place, shapeOfValue(pack.getSource())))
      if (i >= size)
        return;
    read_(0, place);
  }
  void readUnpacked(mlir::linalg::UnPackOp unpack, Element index) {
    auto perm = unpack.getOuterDimsPerm();
    size_t rank = index.size();
    Element place(shapeOfValue(unpack.getSource()).size());
    for (auto [number, dim] : llvm::enumerate(unpack.getInnerDimsPos())) {
      place[rank + number] = index[dim] % unpack.getStaticInnerTiles()[number];
      index[dim] /= unpack.getStaticInnerTiles()[number];
    }
    for (size_t dim = 0; dim < rank; ++dim)
      place[dim] = index[perm.empty() ? dim : perm[dim]];
    read_(0, place);
  }

  mlir::Operation *op_;
  llvm::function_ref<void(unsigned, Element)> read_;
};

} // namespace

TouchedElements touchElements(mlir::Operation *root, const Elements &tile,
                              llvm::function_ref<bool(mlir::Operation *)> isProducer) {
  TouchedElements touched;
  touched.points[root] = tile;
  for (mlir::Operation *op = root; op; op = op->getPrevNode()) {
    if (op != root && !isProducer(op))
      continue;
    Elements &points = touched.points[op];
    auto linalgOp = mlir::dyn_cast<mlir::linalg::LinalgOp>(op);
    auto softmax = mlir::dyn_cast<mlir::linalg::SoftmaxOp>(op);
    for (unsigned result = 0; result < op->getNumResults(); ++result) {
      Elements &needed = touched.results[{op, result}];
      mlir::AffineMap map =
          linalgOp ? linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(result)) : mlir::AffineMap();
      if (op == root) {
        for (const Element &point : points)
          needed.insert(map ? mapped(map, point) : point);
      } else if (linalgOp) {
        forEachIndex(linalgOp.getStaticLoopRanges(), [&](llvm::ArrayRef<int64_t> point) {
          if (needed.contains(mapped(map, point)))
            points.insert(Element(point.begin(), point.end()));
        });
      } else if (softmax) {
        for (Element element : needed)
          for (int64_t i = 0; i < shapeOfValue(softmax.getInput())[softmax.getDimension()]; ++i) {
            element[softmax.getDimension()] = i;
            points.insert(element);
          }
      } else {
        points.insert(needed.begin(), needed.end());
      }
    }
    auto read = [&](unsigned operand, Element element) {
      touched.inputs[{op, operand}].insert(element);
      if (auto value = mlir::dyn_cast<mlir::OpResult>(op->getOperand(operand)))
        touched.results[{value.getOwner(), value.getResultNumber()}].insert(std::move(element));
    };
    Executor executor(op, read);
    for (const Element &point : points)
      executor.execute(point);
  }
  return touched;
}

} // namespace fuselage
