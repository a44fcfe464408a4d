// Attributes, constants, and what a linalg.generic has for nothing.
#include "core/reduce/cuts/Cuts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace fuselage {
namespace {

/// An attribute that can be dropped.
struct Dropping {
  Operation *op;
  StringAttr name;
};

std::vector<Dropping> droppableOf(ModuleOp module) {
  std::vector<Dropping> all;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      all.push_back({op, attribute.getName()});
    if (isa<FunctionOpInterface>(op))
      for (const char *name : {"arg_attrs", "res_attrs"})
        if (op->getAttr(name))
          all.push_back({op, StringAttr::get(op->getContext(), name)});
  });
  return all;
}

bool dropAttributes(ModuleOp module, const llvm::BitVector &places) {
  std::vector<Dropping> all = droppableOf(module);
  for (unsigned place : places.set_bits())
    all[place].op->removeAttr(all[place].name);
  return places.any();
}

/// An op's own, but for those that hold what it is: symbols, types, maps and values.
std::vector<Dropping> inherentOf(ModuleOp module) {
  std::vector<Dropping> all;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!op->isRegistered() || isa<FunctionOpInterface, ModuleOp>(op))
      return;
    for (NamedAttribute attribute : op->getAttrs()) {
      Attribute value = attribute.getValue();
      const bool isNeeded = isa<SymbolRefAttr, TypeAttr, ElementsAttr, AffineMapAttr>(value) ||
                            attribute.getName() == "operandSegmentSizes" || op->getDiscardableAttr(attribute.getName());
      if (!isNeeded)
        all.push_back({op, attribute.getName()});
    }
  });
  return all;
}

bool dropInherent(ModuleOp module, const llvm::BitVector &places) {
  std::vector<Dropping> all = inherentOf(module);
  bool changed = false;
  for (unsigned place : places.set_bits()) {
    Operation *op = all[place].op;
    const Attribute before = op->getAttr(all[place].name);
    op->removeAttr(all[place].name);
    // What is never missing gets its default.
    op->getName().populateDefaultProperties(op->getPropertiesStorage());
    changed |= op->getAttr(all[place].name) != before;
  }
  return changed;
}

/// A constant of one value with the type of this one; null: it is small, or has one value already.
ElementsAttr splatOf(Attribute attribute) {
  constexpr int64_t few = 1;
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
    if (dense.isSplat() || dense.getNumElements() <= few)
      return {};
    return DenseElementsAttr::get(dense.getType(), *dense.getValues<Attribute>().begin());
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(attribute);
  if (!resource)
    return {};
  Builder builder(attribute.getContext());
  Type element = resource.getType().getElementType();
  if (isa<FloatType>(element))
    return DenseElementsAttr::get(resource.getType(), Attribute(builder.getFloatAttr(element, 1.0)));
  if (element.isIntOrIndex())
    return DenseElementsAttr::get(resource.getType(), Attribute(builder.getIntegerAttr(element, 1)));
  return {};
}

std::vector<Dropping> constantsOf(ModuleOp module) {
  std::vector<Dropping> all;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      if (splatOf(attribute.getValue()))
        all.push_back({op, attribute.getName()});
  });
  return all;
}

bool makeSplats(ModuleOp module, const llvm::BitVector &places) {
  std::vector<Dropping> all = constantsOf(module);
  for (unsigned place : places.set_bits())
    all[place].op->setAttr(all[place].name, splatOf(all[place].op->getAttr(all[place].name)));
  return places.any();
}

bool dropUnusedOperands(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  GreedyRewriteConfig config;
  config.enableFolding(false).enableConstantCSE(false).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Disabled);
  bool changed = false;
  (void)applyPatternsGreedily(module, std::move(patterns), config, &changed);
  return changed;
}

} // namespace

PlacedCut attributeCut() {
  return {"attributes are dropped", [](ModuleOp module) { return unsigned(droppableOf(module).size()); },
          dropAttributes};
}

PlacedCut inherentAttributeCut() {
  return {"attributes of ops are dropped", [](ModuleOp module) { return unsigned(inherentOf(module).size()); },
          dropInherent};
}

PlacedCut splatCut() {
  return {"constants become splats", [](ModuleOp module) { return unsigned(constantsOf(module).size()); }, makeSplats};
}

WholeCut unusedOperandCut() { return {"unused operands of linalg.generic are dropped", dropUnusedOperands}; }

} // namespace fuselage
