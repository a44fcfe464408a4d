#include "core/inductor/ModuleText.h"
#include "core/inductor/FxTypes.h"
#include "core/inductor/KernelPlan.h"
#include "core/inductor/UnfusedReasons.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using llvm::StringRef;

namespace fuselage::inductor {
namespace {

/// A string literal of MLIR.
std::string quoted(StringRef text) {
  std::string literal = "\"";
  for (unsigned char c : llvm::json::fixUTF8(text)) {
    if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f) {
      literal += '\\';
      literal += llvm::hexdigit(c >> 4);
      literal += llvm::hexdigit(c & 15);
    } else {
      literal += static_cast<char>(c);
    }
  }
  return literal + "\"";
}

/// "aten.add.Tensor"; of other namespaces, some of which are dialects of MLIR, "fx.torchvision.nms".
std::string opName(StringRef target) {
  std::string name = target.starts_with("aten.") || target.starts_with("prims.") ? target.str() : "fx." + target.str();
  for (char &c : name)
    if (!llvm::isAlnum(c) && c != '_' && c != '.')
      c = '_';
  return name;
}

/// One result of a node.
using Result = std::pair<unsigned, unsigned>;

/// Writes one function.
class FunctionWriter {
public:
  FunctionWriter(llvm::raw_ostream &os, const CompiledGraph &graph, const FxFunction &function, const KernelPlan &plan)
      : os_(os), graph_(graph), function_(function), plan_(plan), reasons_(graph, function, plan) {}
  void write(StringRef name);

private:
  /// How a result is spelled where ops of one unit read it.
  using Names = std::map<Result, std::string>;

  void countResults();
  void findCrossing();
  std::vector<unsigned> topViews() const;
  Result resultOf(unsigned value) const;
  std::string typeOf(Result result) const;
  std::string place(const FxNode &node) const;
  std::string wholeFile() const { return " loc(" + quoted(graph_.file) + ":1:1)"; }
  std::string spelled(Result result, const Names &inner) const;
  std::string typesOf(const std::vector<Result> &results) const;
  std::string sizedTypesOf(const std::vector<Result> &results) const;
  const std::string &annotationOf(Result result) const;
  void writeSizes();
  void writeSignature(StringRef name);
  void writeUnit(unsigned unit);
  void writeKernel(unsigned unit);
  void writePreparation(const Unit &unit);
  void writeNode(unsigned value, unsigned unit, StringRef indent, Names &names);
  std::string attributesOf(unsigned value, unsigned unit, const Names &inner) const;
  void writeReturn();

  llvm::raw_ostream &os_;
  const CompiledGraph &graph_;
  const FxFunction &function_;
  const KernelPlan &plan_;
  UnfusedReasons reasons_;
  std::vector<std::vector<std::string>> types_; // by value: of its results
  std::vector<std::vector<Result>> crossing_;   // by unit: results that others read
  Names outer_;                                 // what is in scope of the function
  std::map<Result, std::string> annotations_;   // of items of nodes with several results
  std::map<std::string, std::string> sizes_;    // what torch calls a dynamic size -> its value
  unsigned next_ = 0;                           // number of the next op
};

Result FunctionWriter::resultOf(unsigned value) const {
  const FxNode &node = function_.valueOf(value);
  return node.item ? Result(node.operands.front(), *node.item) : Result(value, 0);
}

/// Nodes with several results say nothing of them; their items do.
void FunctionWriter::countResults() {
  unsigned values = static_cast<unsigned>(plan_.home.size());
  types_.resize(values);
  for (unsigned value = 0; value < values; ++value) {
    const FxNode &node = function_.valueOf(value);
    if (!node.annotation.empty() && !node.item)
      types_[value] = {mlirType(node.annotation)};
  }
  for (unsigned value = 0; value < values; ++value) {
    auto [base, item] = resultOf(value);
    if (types_[base].size() <= item)
      types_[base].resize(item + 1, "none");
    if (base == value)
      continue;
    annotations_[{base, item}] = function_.valueOf(value).annotation;
    types_[base][item] = mlirType(function_.valueOf(value).annotation);
  }
}

std::string FunctionWriter::typeOf(Result result) const {
  const std::vector<std::string> &types = types_[result.first];
  return result.second < types.size() ? types[result.second] : "none";
}

/// Nodes outside of kernels that only others of their kind and the function's end read.
std::vector<unsigned> FunctionWriter::topViews() const {
  std::vector<unsigned> views;
  for (unsigned value : function_.returns)
    if (unsigned base = baseOf(function_, value); base >= function_.inputs.size() && plan_.home[base] < 0)
      views.push_back(base);
  addViewsOf(function_, plan_, views);
  return views;
}

/// Finds the results of units that other units read, or the function returns.
void FunctionWriter::findCrossing() {
  std::vector<std::set<Result>> crossing(plan_.units.size());
  auto read = [&](unsigned value, int reader, const std::set<unsigned> &own) {
    Result result = resultOf(value);
    int home = plan_.home[result.first];
    if (home >= 0 && home != reader && !own.count(result.first))
      crossing[home].insert(result);
  };
  auto readBy = [&](const std::vector<unsigned> &nodes, int reader) {
    std::set<unsigned> own(nodes.begin(), nodes.end());
    for (unsigned value : nodes)
      for (unsigned operand : function_.valueOf(value).operands)
        read(operand, reader, own);
  };
  for (auto [index, unit] : llvm::enumerate(plan_.units)) {
    std::vector<unsigned> nodes = unit.nodes;
    addViewsOf(function_, plan_, nodes);
    readBy(nodes, static_cast<int>(index));
  }
  readBy(topViews(), -1);
  for (unsigned value : function_.returns)
    read(value, -1, {});
  for (const std::set<Result> &results : crossing)
    crossing_.emplace_back(results.begin(), results.end());
}

std::string FunctionWriter::place(const FxNode &node) const {
  std::string text = quoted(graph_.file) + ":" + std::to_string(node.line) + ":1";
  if (!node.userFile.empty())
    text = "fused[" + text + ", " + quoted(node.userFile) + ":" + std::to_string(node.userLine) + ":0]";
  return " loc(" + quoted(node.name) + "(" + text + "))";
}

std::string FunctionWriter::spelled(Result result, const Names &inner) const {
  if (auto found = inner.find(result); found != inner.end())
    return found->second;
  auto found = outer_.find(result);
  return found == outer_.end() ? "" : found->second;
}

std::string FunctionWriter::typesOf(const std::vector<Result> &results) const {
  return llvm::join(llvm::map_range(results, [&](Result result) { return typeOf(result); }), ", ");
}

const std::string &FunctionWriter::annotationOf(Result result) const {
  auto item = annotations_.find(result);
  return item == annotations_.end() ? function_.valueOf(result.first).annotation : item->second;
}

/// With the sizes of dynamic dimensions, which a kernel names of its results.
std::string FunctionWriter::sizedTypesOf(const std::vector<Result> &results) const {
  auto sized = [&](Result result) {
    std::vector<std::string> values;
    for (const std::string &size : dynamicSizes(annotationOf(result)))
      values.push_back(sizes_.at(size));
    return typeOf(result) + (values.empty() ? "" : "{" + llvm::join(values, ", ") + "}");
  };
  return llvm::join(llvm::map_range(results, sized), ", ");
}

/// Sizes are inputs of the function; others stand at its begin, under the name that torch has for them.
void FunctionWriter::writeSizes() {
  for (auto [index, input] : llvm::enumerate(function_.inputs)) {
    StringRef size = input.annotation;
    if (size.consume_front("Sym(") && size.consume_back(")"))
      sizes_.emplace(size.str(), "%in" + std::to_string(index));
  }
  for (const std::vector<Result> &results : crossing_)
    for (Result result : results)
      for (const std::string &size : dynamicSizes(annotationOf(result)))
        if (std::string name = "%size" + std::to_string(sizes_.size()); sizes_.emplace(size, name).second)
          os_ << "    " << name << " = \"fx.size\"() {size = " << quoted(size) << "} : () -> index" << wholeFile()
              << "\n";
}

void FunctionWriter::writeSignature(StringRef name) {
  os_ << "  func.func @" << quoted(name) << "(";
  for (auto [index, input] : llvm::enumerate(function_.inputs)) {
    Result result(static_cast<unsigned>(index), 0);
    outer_[result] = "%in" + std::to_string(index);
    os_ << (index == 0 ? "" : ", ") << outer_[result] << ": " << typeOf(result) << place(input);
  }
  std::vector<Result> results;
  for (unsigned value : function_.returns)
    results.push_back(resultOf(value));
  os_ << ") -> (" << typesOf(results) << ") {\n";
}

/// The call as it was written; and what Inductor said of values that come from other kernels.
std::string FunctionWriter::attributesOf(unsigned value, unsigned unit, const Names &inner) const {
  const FxNode &node = function_.valueOf(value);
  std::string text = "arguments = " + quoted(node.arguments), unfused;
  for (auto [number, operand] : llvm::enumerate(node.operands)) {
    Result result = resultOf(operand);
    int home = plan_.home[result.first];
    if (unit == ~0u || home < 0 || static_cast<unsigned>(home) == unit || inner.count(result))
      continue;
    if (std::string reason = reasons_.ofEdge(static_cast<unsigned>(home), unit); !reason.empty())
      unfused += (unfused.empty() ? "operand" : ", operand") + std::to_string(number) + " = " + quoted(reason);
  }
  return unfused.empty() ? text : text + ", unfused = {" + unfused + "}";
}

void FunctionWriter::writeNode(unsigned value, unsigned unit, StringRef indent, Names &names) {
  const FxNode &node = function_.valueOf(value);
  std::vector<std::string> operands, operandTypes;
  for (unsigned operand : node.operands) {
    operands.push_back(spelled(resultOf(operand), names));
    operandTypes.push_back(typeOf(resultOf(operand)));
  }
  std::string attributes = attributesOf(value, unit, names);
  const std::vector<std::string> &types = types_[value];
  std::string name = "%v" + std::to_string(next_++);
  for (unsigned item = 0; item < types.size(); ++item)
    names[{value, item}] = types.size() == 1 ? name : name + "#" + std::to_string(item);
  os_ << indent << name << (types.size() == 1 ? "" : ":" + std::to_string(types.size())) << " = "
      << quoted(opName(node.target)) << "(" << llvm::join(operands, ", ") << ") {" << attributes << "} : ("
      << llvm::join(operandTypes, ", ") << ") -> (" << llvm::join(types, ", ") << ")" << place(node) << "\n";
}

/// What a kernel does that only makes ready what one of a library reads.
void FunctionWriter::writePreparation(const Unit &unit) {
  const FxNode &node = function_.valueOf(static_cast<unsigned>(unit.preparedFor));
  std::vector<std::string> operands, types;
  for (unsigned input : unit.prepares) {
    operands.push_back(spelled({input, 0}, {}));
    types.push_back(typeOf({input, 0}));
  }
  os_ << "      \"fx.prepare\"(" << llvm::join(operands, ", ") << ") {prepared_for = " << quoted(node.name) << "} : ("
      << llvm::join(types, ", ") << ") -> ()" << place(node) << "\n";
}

void FunctionWriter::writeKernel(unsigned number) {
  const Unit &unit = plan_.units[number];
  std::vector<unsigned> nodes = unit.nodes;
  addViewsOf(function_, plan_, nodes);
  const std::vector<Result> &results = crossing_[number];
  std::string name = "%k" + std::to_string(number);
  if (!results.empty())
    os_ << "    " << name << ":" << results.size() << " = ";
  else
    os_ << "    ";
  os_ << "flow.dispatch.region ";
  if (std::vector<std::string> said = reasons_.ofUnit(number); !said.empty())
    os_ << "{cannot_fuse = [" << llvm::join(llvm::map_range(said, quoted), ", ") << "]} ";
  os_ << "-> (" << sizedTypesOf(results) << ") {\n";
  Names names;
  if (unit.preparedFor >= 0)
    writePreparation(unit);
  for (unsigned value : nodes)
    writeNode(value, number, "      ", names);
  std::vector<std::string> yields;
  for (auto [index, result] : llvm::enumerate(results)) {
    yields.push_back(spelled(result, names));
    outer_[result] = name + "#" + std::to_string(index);
  }
  os_ << "      flow.return";
  if (!yields.empty())
    os_ << " " << llvm::join(yields, ", ") << " : " << typesOf(results);
  os_ << wholeFile();
  os_ << "\n    } loc(" << quoted(graph_.kernels[unit.kernel].name) << ")\n";
}

void FunctionWriter::writeUnit(unsigned number) {
  const Unit &unit = plan_.units[number];
  if (unit.kernel >= 0)
    return writeKernel(number);
  std::vector<unsigned> nodes = unit.nodes;
  addViewsOf(function_, plan_, nodes);
  Names names;
  for (unsigned value : nodes)
    writeNode(value, number, "    ", names);
  for (const auto &[result, spelling] : names)
    if (result.first == unit.nodes.front())
      outer_[result] = spelling;
}

void FunctionWriter::writeReturn() {
  Names names;
  for (unsigned value : topViews())
    writeNode(value, ~0u, "    ", names);
  std::vector<Result> results;
  std::vector<std::string> spellings;
  for (unsigned value : function_.returns) {
    results.push_back(resultOf(value));
    spellings.push_back(spelled(results.back(), names));
  }
  os_ << "    return";
  if (!results.empty())
    os_ << " " << llvm::join(spellings, ", ") << " : " << typesOf(results);
  os_ << wholeFile() << "\n  }" << wholeFile() << "\n";
}

void FunctionWriter::write(StringRef name) {
  countResults();
  findCrossing();
  writeSignature(name);
  writeSizes();
  for (unsigned unit = 0; unit < plan_.units.size(); ++unit)
    writeUnit(unit);
  writeReturn();
}

/// A note on what of a graph is in no kernel, or in several pieces.
void addPlanNotes(const CompiledGraph &graph, const KernelPlan &plan, std::vector<Diagnostic> &notes) {
  auto add = [&](std::string message) {
    notes.push_back({.severity = Diagnostic::Severity::Warning, .message = std::move(message), .file = graph.file});
  };
  constexpr size_t mostNamed = 8;
  if (!plan.unplaced.empty() && !graph.kernels.empty()) {
    llvm::ArrayRef<std::string> named = plan.unplaced;
    add(std::to_string(named.size()) +
        " of its nodes compute and are in no kernel that is listed: " + llvm::join(named.take_front(mostNamed), ", ") +
        (named.size() > mostNamed ? ", .." : "") + "; they are drawn outside of dispatches");
  }
  if (plan.splits > 0)
    add(std::to_string(plan.splits) + " kernels are drawn in several pieces, since others stand between their nodes");
}

} // namespace

ModuleText::ModuleText(StringRef writer) {
  text_ = "module attributes {fuselage.recorded = " + quoted(writer) + "} {\n";
}

llvm::Error ModuleText::add(const CompiledGraph &graph) {
  llvm::raw_string_ostream os(text_);
  for (Diagnostic note : graph.graph.notes) {
    note.file = graph.file;
    notes_.push_back(std::move(note));
  }
  for (auto [index, function] : llvm::enumerate(graph.graph.functions)) {
    CompiledGraph part{.name = graph.name, .file = graph.file, .graph = {}, .kernels = {}, .log = nullptr};
    if (index == 0) {
      part.kernels = graph.kernels;
      part.log = graph.log;
    }
    auto plan = planKernels(function, part.kernels);
    if (!plan)
      return plan.takeError();
    addPlanNotes(part, *plan, notes_);
    std::string name = index == 0 ? graph.name : graph.name + "." + function.name;
    while (!names_.insert(name).second)
      name += "." + std::to_string(functions_++);
    FunctionWriter(os, part, function, *plan).write(name);
  }
  return llvm::Error::success();
}

std::string ModuleText::take() { return std::move(text_) + "}\n"; }

} // namespace fuselage::inductor
