// Prints a module once and finds the lines of every op.
#include "core/ir/module/PrintedModule.h"
#include "core/dialects/tolerant/UserSpelling.h"
#include "core/ir/module/Blobs.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

/// The change of bracket depth over a line; strings and comments do not count.
static int bracketBalance(StringRef line) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (inString) {
      if (c == '\\')
        ++i;
      inString = c != '"';
      continue;
    }
    if (c == '/' && line.substr(i).starts_with("//"))
      break;
    inString = c == '"';
    depth += c == '{' || c == '(' || c == '[';
    depth -= c == '}' || c == ')' || c == ']';
  }
  return depth;
}

/// For each line, the first line at or after it whose end is no deeper than the line's start: where
/// what begins on it is closed. Linear: lines still open form a stack of growing depth.
static std::vector<unsigned> findClosingLines(const PrintedModule &printed) {
  std::vector<unsigned> closing(printed.lineCount());
  SmallVector<std::pair<int, unsigned>> open; // depth at the start of the line, the line
  int depth = 0;
  for (unsigned line = 0; line < printed.lineCount(); ++line) {
    open.push_back({depth, line});
    depth += bracketBalance(printed.line(line));
    while (!open.empty() && open.back().first >= depth)
      closing[open.pop_back_val().second] = line;
  }
  for (auto [depthAtStart, line] : open)
    closing[line] = printed.lineCount() - 1;
  return closing;
}

PrintedModule::PrintedModule(ModuleOp module, PrintedNames *kept) {
  PrintedNames own;
  PrintedNames &names = kept ? *kept : own;
  std::vector<Comment> comments;
  {
    ElidingStream os(text_);
    BriefResources brief(*module.getContext());
    names.state.emplace(module, elidingFlags(), &names.starts);
    module->print(os, *names.state);
    for (ElidingStream::Elision &elision : os.take())
      comments.push_back({elision.offset, std::move(elision.description)});
  }
  if (text_.empty() || text_.back() != '\n')
    text_ += '\n';
  breakLines();
  findRanges(module, names.starts);
  findElidedAttributes(module, comments);
  addComments(std::move(comments));
  spellAsUsersDo(text_, *module.getContext());
  breakLines();
  text_.shrink_to_fit();
}

PrintedModule::PrintedModule(std::string text) : text_(std::move(text)) {
  if (text_.empty() || text_.back() != '\n')
    text_ += '\n';
  breakLines();
  ranges_.push_back({0, lineCount() - 1});
  parents_.push_back(0);
}

void PrintedModule::locate(ModuleOp module, llvm::function_ref<std::optional<unsigned>(Operation *)> lineOf) {
  ranges_.clear();
  parents_.clear();
  printed_.clear();
  AsmState::LocationMap starts;
  module->walk([&](Operation *op) {
    if (std::optional<unsigned> line = lineOf(op))
      starts[op] = {*line + 1, 1}; // the printer counts from 1
  });
  findRanges(module, starts);
  // The module is all of the text, also where its own line is that of a nested one.
  ranges_.front() = {0, lineCount() - 1};
}

void PrintedModule::breakLines() {
  lineStarts_.clear();
  for (size_t start = 0; start < text_.size(); start = text_.find('\n', start) + 1)
    lineStarts_.push_back(start);
}

/// The elided attributes of an op, nested ones, too.
static SmallVector<Attribute> elidedAttributesOf(Operation *op) {
  SmallVector<Attribute> found;
  op->getAttrDictionary().walk([&](Attribute attribute) {
    if (isElidedBlob(attribute))
      found.push_back(attribute);
  });
  return found;
}

/// Whether the placeholder `text` (from "dense_resource<" to the end of its line) may stand for the
/// attribute.
static bool standsFor(StringRef text, Attribute attribute) {
  auto [key, rest] = text.split('<').second.split('>');
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute))
    return resource.getRawHandle().getKey() == key.trim('"');
  if (key != "__elided__" || !rest.consume_front(" : "))
    return key == "__elided__";
  std::string type;
  llvm::raw_string_ostream(type) << cast<ElementsAttr>(attribute).getShapedType();
  return rest.starts_with(type);
}

/// Says for every placeholder in the text what it stands for. Of several alike on an op, the order of
/// the attributes' names decides.
void PrintedModule::findElidedAttributes(ModuleOp module, std::vector<Comment> &comments) const {
  static constexpr StringRef placeholder = "dense_resource<";
  size_t at = text_.find(placeholder);
  if (at == std::string::npos)
    return;
  llvm::DenseSet<size_t> known;
  for (const Comment &comment : comments)
    known.insert(comment.offset);
  std::vector<Operation *> ops;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  OpId current = -1;
  SmallVector<Attribute> waiting;
  for (; at != std::string::npos; at = text_.find(placeholder, at + 1)) {
    if (known.contains(at))
      continue;
    unsigned number = lineAt(at);
    if (OpId op = opAt(number); op != current) {
      waiting = elidedAttributesOf(ops[op]);
      current = op;
    }
    StringRef rest = line(number).substr(at - lineStarts_[number]);
    auto match = llvm::find_if(waiting, [&](Attribute attribute) { return standsFor(rest, attribute); });
    if (match == waiting.end())
      continue;
    comments.push_back({at, describeBlob(*match)});
    waiting.erase(match);
  }
}

/// Writes what is elided after the lines.
void PrintedModule::addComments(std::vector<Comment> comments) {
  elided_ = comments.size();
  if (comments.empty())
    return;
  llvm::stable_sort(comments, [](const Comment &a, const Comment &b) { return a.offset < b.offset; });
  std::string text;
  size_t copied = 0;
  for (auto comment = comments.begin(); comment != comments.end();) {
    size_t end = text_.find('\n', comment->offset);
    text.append(text_, copied, end - copied);
    StringRef separator = "  // ";
    for (; comment != comments.end() && comment->offset < end; ++comment) {
      text += separator;
      text += comment->text;
      separator = "; ";
    }
    copied = end;
  }
  text.append(text_, copied);
  text_ = std::move(text);
  breakLines();
}

/// Lines by op: an op begins where the printer said; it ends before its next sibling, the last of a
/// block where its brackets close. Ops that the custom form leaves out (payloads of named ops,
/// implicit terminators) have the first line of their parent.
void PrintedModule::findRanges(ModuleOp module,
                               const llvm::DenseMap<Operation *, std::pair<unsigned, unsigned>> &starts) {
  std::vector<unsigned> closing = findClosingLines(*this);
  llvm::DenseMap<Operation *, OpId> ids;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    OpId id = ids.size();
    ids[op] = id;
    OpId parent = op == module ? 0 : ids.lookup(op->getParentOp());
    parents_.push_back(parent);
    auto start = starts.find(op);
    if (start == starts.end()) {
      unsigned line = ranges_.empty() ? 0 : ranges_[parent].first;
      ranges_.push_back({line, line});
      return;
    }
    // The printer counts lines from 1.
    unsigned first = std::min<unsigned>(std::max(start->second.first, 1u) - 1, lineCount() - 1);
    ranges_.push_back({first, closing[first]});
    auto next = op == module || !op->getNextNode() ? starts.end() : starts.find(op->getNextNode());
    if (next != starts.end() && next->second.first > first + 1)
      ranges_.back().last = next->second.first - 2;
    printed_.push_back(id);
  });
  // Without brackets around it an op still covers its parts.
  for (OpId id = opCount() - 1; id > 0; --id)
    ranges_[parents_[id]].last = std::max(ranges_[parents_[id]].last, ranges_[id].last);
}

StringRef PrintedModule::line(unsigned index) const {
  if (index >= lineStarts_.size())
    return {};
  size_t end = index + 1 < lineStarts_.size() ? lineStarts_[index + 1] : text_.size();
  return StringRef(text_).slice(lineStarts_[index], end - 1);
}

unsigned PrintedModule::lineAt(size_t offset) const {
  return llvm::upper_bound(lineStarts_, offset) - lineStarts_.begin() - 1;
}

OpId PrintedModule::opAt(unsigned line) const {
  auto after =
      llvm::upper_bound(printed_, line, [this](unsigned wanted, OpId id) { return wanted < ranges_[id].first; });
  if (after == printed_.begin())
    return 0;
  OpId id = *std::prev(after);
  while (id != 0 && ranges_[id].last < line)
    id = parents_[id];
  return id;
}

} // namespace fuselage
