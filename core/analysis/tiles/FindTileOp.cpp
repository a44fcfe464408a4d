#include "core/analysis/tiles/FindTileOp.h"
#include "core/analysis/tiles/AccessModel.h"
#include "core/ir/Session.h"
#include "core/ir/module/PlaceFilter.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

namespace fuselage {
namespace {

std::string nameOf(mlir::Value value, mlir::AsmState &names) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.printAsOperand(os, names);
  return text.substr(0, text.find('#'));
}

/// Has a model, or would have one if its sizes were known.
bool isCandidate(mlir::Operation *op) {
  if (op->hasTrait<mlir::OpTrait::ConstantLike>() || mlir::isa<mlir::tensor::EmptyOp>(op))
    return false;
  std::string why;
  return accessOf(op, why) || (mlir::isa<mlir::linalg::LinalgOp, mlir::linalg::SoftmaxOp, mlir::tensor::PadOp>(op));
}

/// Names that a source file gives results: by "%name =" before an op.
class SourceNames {
public:
  /// Whether the source spells a result of `op` like that.
  bool matches(mlir::Operation *op, llvm::StringRef name) {
    SourcePosition position = positionOf(op->getLoc());
    if (position.line == 0)
      return false;
    llvm::StringRef line = lineOf(position);
    size_t equals = line.find(" =");
    if (equals == llvm::StringRef::npos)
      return false;
    llvm::SmallVector<llvm::StringRef> results;
    line.take_front(equals).split(results, ',');
    return llvm::any_of(results, [&](llvm::StringRef result) { return result.trim().split(':').first == name; });
  }

private:
  llvm::StringRef lineOf(const SourcePosition &position) {
    auto [entry, isNew] = files_.try_emplace(position.file);
    // A location can name any file: a device would be read for ever.
    if (isNew && llvm::sys::fs::is_regular_file(position.file))
      if (auto buffer = llvm::MemoryBuffer::getFile(position.file, /*IsText=*/true)) {
        entry->second.buffer = std::move(*buffer);
        entry->second.buffer->getBuffer().split(entry->second.lines, '\n');
      }
    const auto &lines = entry->second.lines;
    return position.line <= lines.size() ? lines[position.line - 1] : llvm::StringRef();
  }
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> buffer;
    llvm::SmallVector<llvm::StringRef> lines;
  };
  std::map<std::string, File> files_;
};

bool isAtPlace(mlir::Operation *op, llvm::StringRef name) {
  std::optional<PlaceFilter> place = PlaceFilter::read(name);
  return place && place->fits(positionOf(op->getLoc()));
}

/// Root ops of dispatches by name: those that exist, then those that would be formed.
std::vector<std::pair<std::string, mlir::Operation *>> dispatchRoots(mlir::ModuleOp module) {
  std::vector<std::pair<std::string, mlir::Operation *>> roots;
  module.walk([&](mlir::Operation *op) {
    if (op->getName().getStringRef() == "flow.dispatch.region" || op->hasAttr(kDispatchAttr))
      if (mlir::Operation *root = findDispatchRoot(op))
        roots.push_back({nameOfDispatch(op), root});
  });
  if (!roots.empty())
    return roots;
  module.walk([&](mlir::FunctionOpInterface function) {
    if (!function.isExternal())
      for (const DispatchGroup &group : planDispatches(function.getFunctionBody()))
        roots.push_back({dispatchName(group.root), group.root});
  });
  return roots;
}

llvm::Error nothingFound(mlir::ModuleOp module, llvm::StringRef name, llvm::ArrayRef<mlir::Operation *> candidates,
                         mlir::AsmState &names) {
  if (candidates.empty()) {
    mlir::Operation *first = module.getBody()->empty() ? module.getOperation() : &module.getBody()->front();
    std::string place = formatPosition(positionOf(first->getLoc()));
    return fail("no op of the module can be explored by tiles: there is none with an iteration "
                "domain over tensors or memrefs" +
                (place.empty() ? "" : " (" + place + ")"));
  }
  constexpr size_t most = 20;
  std::string list;
  for (mlir::Operation *op : candidates.take_front(most))
    list += "\n  " + describeTileOp(op, names);
  if (candidates.size() > most)
    list += (llvm::Twine("\n  and ") + llvm::Twine(candidates.size() - most) + " more").str();
  return fail((llvm::Twine("no op is called '") + name +
               "'; name a result, an op, a place (file:line) or a dispatch. There are:" + list)
                  .str());
}

} // namespace

std::string describeTileOp(mlir::Operation *op, mlir::AsmState &names) {
  std::string text = op->getNumResults() ? nameOf(op->getResult(0), names) + " (" : "(";
  text += op->getName().getStringRef();
  std::string place = formatPosition(positionOf(op->getLoc()));
  return text + (place.empty() ? "" : ", " + place) + ")";
}

llvm::Expected<FoundOp> findTileOp(mlir::ModuleOp module, llvm::StringRef name, mlir::AsmState &names) {
  llvm::SmallVector<mlir::Operation *> candidates;
  llvm::StringRef function;
  llvm::StringRef result = name;
  if (name.starts_with("@") && name.contains('/'))
    std::tie(function, result) = name.drop_front().split('/');
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (!isCandidate(op))
      return mlir::isa<mlir::linalg::LinalgOp>(op) ? mlir::WalkResult::skip() : mlir::WalkResult::advance();
    auto parent = op->getParentOfType<mlir::FunctionOpInterface>();
    if (function.empty() || (parent && parent.getName() == function))
      candidates.push_back(op);
    return mlir::WalkResult::skip(); // payloads are no ops of their own
  });
  if (name.empty() && !candidates.empty())
    return FoundOp{.op = candidates.back(), .others = {}};
  std::string value = (result.starts_with("%") ? "" : "%") + result.str();
  SourceNames source;
  std::vector<std::pair<std::string, mlir::Operation *>> roots;
  std::vector<std::function<bool(mlir::Operation *)>> rules{
      [&](mlir::Operation *op) { return op->getNumResults() > 0 && nameOf(op->getResult(0), names) == value; },
      [&](mlir::Operation *op) { return source.matches(op, value); },
      [&](mlir::Operation *op) { return isAtPlace(op, result); },
      [&](mlir::Operation *op) {
        if (roots.empty())
          roots = dispatchRoots(module);
        return llvm::any_of(roots, [&](const auto &root) { return root.second == op && root.first == result; });
      },
      [&](mlir::Operation *op) {
        llvm::StringRef opName = op->getName().getStringRef();
        return opName == result || opName.rsplit('.').second == result;
      }};
  for (const auto &rule : rules) {
    FoundOp found;
    for (mlir::Operation *op : candidates) {
      if (!rule(op))
        continue;
      if (found.op)
        found.others.push_back(describeTileOp(op, names));
      else
        found.op = op;
    }
    if (found.op)
      return found;
  }
  return nothingFound(module, name, candidates, names);
}

} // namespace fuselage
