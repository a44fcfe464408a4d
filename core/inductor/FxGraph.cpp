#include "core/inductor/FxGraph.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using llvm::StringRef;

namespace fuselage::inductor {
namespace {

bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }
bool isNamePart(char c) { return llvm::isAlnum(c) || c == '_'; }

/// The offset after a string that starts at `at`; it ends with its line.
size_t skipString(StringRef text, size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == quote)
      return at + 1;
  }
  return text.size();
}

/// The first `wanted` outside of strings and brackets; npos: none.
size_t findOutside(StringRef text, char wanted) {
  int depth = 0;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\'' || c == '"') {
      at = skipString(text, at);
      continue;
    }
    if (depth == 0 && c == wanted)
      return at;
    if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == ']' || c == '}')
      --depth;
    ++at;
  }
  return StringRef::npos;
}

/// `"f32[2, 16]"` with and without its quotes.
StringRef unquoted(StringRef text) {
  text = text.trim();
  if (text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    return text.drop_front().drop_back();
  return text;
}

StringRef nameAt(StringRef text) { return text.take_while(isNamePart); }

/// Reads a text line by line.
class Reader {
public:
  explicit Reader(StringRef text) : text_(text) {}
  llvm::Expected<FxGraph> read();

private:
  void readLine(StringRef line);
  void startClass(StringRef line);
  void readSignature(StringRef line);
  void readPlace(StringRef comment);
  void readReturn(StringRef values);
  void readStatement(StringRef line);
  void readValue(StringRef value, FxNode &node) const;
  bool readItem(StringRef value, FxNode &node) const;
  void addOperands(StringRef value, std::vector<unsigned> &operands) const;
  void define(FxNode node);
  void note(std::string message);

  StringRef text_;
  FxGraph graph_;
  FxFunction *function_ = nullptr; // null: outside of any
  llvm::StringMap<unsigned> values_;
  std::string userFile_;
  unsigned line_ = 0, userLine_ = 0;
  size_t nodes_ = 0;
};

void Reader::note(std::string message) {
  constexpr size_t mostNotes = 20;
  if (graph_.notes.size() < mostNotes)
    graph_.notes.push_back(
        {.severity = Diagnostic::Severity::Warning, .message = std::move(message), .line = line_, .column = 1});
}

void Reader::startClass(StringRef line) {
  StringRef name = line.substr(StringRef("class ").size()).take_until([](char c) { return c == '('; });
  graph_.functions.emplace_back();
  function_ = &graph_.functions.back();
  function_->name = name == "<lambda>" ? "" : nameAt(name).str();
  values_.clear();
  userFile_.clear();
  userLine_ = 0;
}

void Reader::define(FxNode node) {
  node.line = line_;
  values_[node.name] = static_cast<unsigned>(function_->inputs.size() + function_->nodes.size());
  ++nodes_;
  function_->nodes.push_back(std::move(node));
}

/// `def forward(self, arg0_1: "f32[2, 16]", ..):`
void Reader::readSignature(StringRef line) {
  StringRef inputs = line.substr(line.find('(') + 1);
  size_t end = findOutside(inputs, ')');
  inputs = inputs.take_front(end);
  while (!inputs.empty()) {
    size_t comma = findOutside(inputs, ',');
    StringRef input = inputs.take_front(comma).trim();
    inputs = comma == StringRef::npos ? StringRef() : inputs.drop_front(comma + 1);
    StringRef name = nameAt(input);
    if (name.empty() || name == "self")
      continue;
    FxNode node;
    node.name = name.str();
    StringRef rest = input.drop_front(name.size()).ltrim();
    if (rest.consume_front(":"))
      node.annotation = unquoted(rest.take_front(findOutside(rest, '='))).str();
    node.line = line_;
    values_[name] = static_cast<unsigned>(function_->inputs.size());
    ++nodes_;
    function_->inputs.push_back(std::move(node));
  }
}

/// `File: model.py:16 in forward, code: x + 1`; other comments end what the last one said.
void Reader::readPlace(StringRef comment) {
  userFile_.clear();
  userLine_ = 0;
  if (!comment.consume_front("File: "))
    return;
  StringRef place = comment.take_front(comment.find(" in "));
  auto [file, number] = place.rsplit(':');
  if (number.getAsInteger(10, userLine_))
    userLine_ = 0;
  else
    userFile_ = file.str();
}

/// The values of a text, in its order. Names after a dot, and names of keyword arguments, are none.
void Reader::addOperands(StringRef value, std::vector<unsigned> &operands) const {
  for (size_t at = 0; at < value.size();) {
    const char c = value[at];
    if (c == '\'' || c == '"') {
      at = skipString(value, at);
      continue;
    }
    if (!isNamePart(c)) {
      ++at;
      continue;
    }
    StringRef name = nameAt(value.substr(at));
    bool isMember = at > 0 && value[at - 1] == '.';
    at += name.size();
    StringRef rest = value.substr(at).ltrim();
    bool isKeyword = rest.starts_with("=") && !rest.starts_with("==");
    if (isMember || isKeyword || !isNameStart(name.front()))
      continue;
    if (auto known = values_.find(name); known != values_.end())
      operands.push_back(known->second);
  }
}

/// `var_mean[1]`.
bool Reader::readItem(StringRef value, FxNode &node) const {
  StringRef base = nameAt(value), index = value.drop_front(base.size());
  auto known = values_.find(base);
  unsigned item = 0;
  constexpr unsigned mostItems = 4096;
  if (known == values_.end() || !index.consume_front("[") || !index.consume_back("]") || index.getAsInteger(10, item) ||
      item >= mostItems)
    return false;
  node.item = item;
  node.operands = {known->second};
  node.target = "getitem";
  return true;
}

void Reader::readValue(StringRef value, FxNode &node) const {
  if (readItem(value, node))
    return;
  addOperands(value, node.operands);
  if (value.starts_with("self.")) {
    node.target = "get_attr";
    node.arguments = value.str();
    return;
  }
  size_t open = value.find('(');
  StringRef callee = value.take_front(open);
  bool isCall = open != StringRef::npos && !callee.empty() && isNameStart(callee.front()) &&
                llvm::all_of(callee, [](char c) { return isNamePart(c) || c == '.'; });
  if (!isCall) { // arithmetic of sizes
    node.target = "expression";
    node.arguments = value.str();
    return;
  }
  node.arguments = value.drop_front(open).str();
  callee.consume_front("torch.ops.");
  callee.consume_back(".default");
  node.target = callee.str();
}

/// `name: "type" = value;  other = None`
void Reader::readStatement(StringRef line) {
  StringRef name = nameAt(line);
  StringRef rest = line.drop_front(name.size()).ltrim();
  FxNode node;
  node.name = name.str();
  if (rest.consume_front(":")) {
    size_t equals = findOutside(rest, '=');
    if (equals == StringRef::npos)
      return note("this line of the graph is not understood, and is left out");
    node.annotation = unquoted(rest.take_front(equals)).str();
    rest = rest.drop_front(equals);
  }
  if (name.empty() || !isNameStart(name.front()) || !rest.consume_front("="))
    return note("this line of the graph is not understood, and is left out");
  StringRef value = rest.take_front(findOutside(rest, ';')).trim();
  if (value == "None") // `x = None`: a name ends
    return;
  node.userFile = userFile_;
  node.userLine = userLine_;
  readValue(value, node);
  define(std::move(node));
}

void Reader::readReturn(StringRef values) { addOperands(values, function_->returns); }

void Reader::readLine(StringRef line) {
  line = line.trim();
  if (line.starts_with("class ") && line.contains("Module)"))
    return startClass(line);
  if (!function_ || line.empty())
    return;
  if (line.consume_front("#"))
    return readPlace(line.trim());
  if (line.starts_with("def forward("))
    return readSignature(line);
  if (line.consume_front("return"))
    return readReturn(line);
  readStatement(line);
}

llvm::Expected<FxGraph> Reader::read() {
  for (StringRef rest = text_; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    ++line_;
    readLine(line);
    if (nodes_ > kMostNodes)
      return fail("the graph has more than " + std::to_string(kMostNodes) + " statements, which are not read");
  }
  llvm::erase_if(graph_.functions, [](const FxFunction &function) {
    return function.nodes.empty() && function.inputs.empty() && function.returns.empty();
  });
  if (graph_.functions.empty())
    return fail("there is no FX graph in it: no 'class ..(torch.nn.Module):' with a forward()");
  return std::move(graph_);
}

} // namespace

bool isFxGraph(StringRef text) {
  constexpr unsigned mostLines = 100; // of imports and comments before it
  for (unsigned i = 0; i < mostLines && !text.empty(); ++i) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    line = line.trim();
    if (line.starts_with("class ") && line.ends_with("torch.nn.Module):"))
      return true;
    bool isPreface = line.empty() || line.starts_with("#") || line.starts_with("import ") || line.starts_with("from ");
    if (!isPreface)
      return false;
  }
  return false;
}

llvm::Expected<FxGraph> readFxGraph(StringRef text) { return Reader(text).read(); }

} // namespace fuselage::inductor
