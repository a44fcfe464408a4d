#include "core/kernels/ListingWriter.h"
#include "core/ir/module/PrintedModule.h"

using namespace mlir;

namespace fuselage {

constexpr size_t mostBytes = size_t(8) << 20; // of a listing

void ListingWriter::add(llvm::StringRef line, const SourcePosition &place) {
  if (listing_.cut || listing_.text.size() + line.size() > mostBytes) {
    listing_.cut = true;
    return;
  }
  ++lines_;
  listing_.text += line;
  listing_.text += '\n';
  if (place.line == 0)
    return;
  if (!listing_.places.empty()) {
    message::ListingPlace<> &last = listing_.places.back();
    if (last.last + 1 == lines_ && last.line == place.line && last.column == place.column && last.file == place.file) {
      last.last = lines_;
      return;
    }
  }
  listing_.places.push_back(
      {.first = lines_, .last = lines_, .file = place.file, .line = place.line, .column = place.column});
}

message::KernelListing<> ListingWriter::take(llvm::StringRef stage, llvm::StringRef title, llvm::StringRef kernel,
                                             llvm::StringRef madeBy) {
  listing_.stage = stage.str();
  listing_.title = title.str();
  listing_.kernel = kernel.str();
  listing_.madeBy = madeBy.str();
  return std::move(listing_);
}

ListingWriter listModule(ModuleOp module) {
  PrintedModule printed(module);
  std::vector<Operation *> ops;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  ListingWriter writer;
  for (unsigned line = 0; line < printed.lineCount(); ++line) {
    OpId op = printed.opAt(line);
    // Modules and functions cover what is between their ops; that comes from nowhere.
    bool isOwn = op > 0 && op < int64_t(ops.size()) && !ops[op]->hasTrait<OpTrait::SymbolTable>();
    writer.add(printed.line(line), isOwn ? positionOf(ops[op]->getLoc()) : SourcePosition());
  }
  return writer;
}

ListingWriter listText(llvm::StringRef text) {
  ListingWriter writer;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    writer.add(line);
    text = rest;
  }
  return writer;
}

} // namespace fuselage
