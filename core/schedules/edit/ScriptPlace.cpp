#include "core/schedules/edit/ScriptPlace.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace fuselage {
namespace {

using Kind = ScriptToken::Kind;

struct Result {
  std::string name;
  unsigned count = 1;
};

struct Statement {
  std::vector<Result> results;
  std::string op;
  std::vector<ScriptToken> tokens;
  std::vector<ScriptValue> arguments; ///< of the region that comes next
};

/// An open bracket. That of a region keeps what is defined in it, and the statement that it belongs to.
struct Frame {
  char bracket = '{';
  bool isRegion = false;
  std::string op{};
  std::vector<ScriptValue> values{};
  Statement outer{};
};

bool opens(const ScriptToken &token) { return token.is("(") || token.is("[") || token.is("{") || token.is("<"); }
bool closes(const ScriptToken &token) { return token.is(")") || token.is("]") || token.is("}") || token.is(">"); }

/// The types in tokens [at, ..): of a list in parentheses, or of one without.
std::vector<std::string> typesFrom(llvm::ArrayRef<ScriptToken> tokens, size_t at) {
  std::vector<std::string> types;
  bool isList = at < tokens.size() && tokens[at].is("(");
  std::string type;
  int depth = 0;
  for (size_t i = at + (isList ? 1 : 0); i < tokens.size(); ++i) {
    const ScriptToken &token = tokens[i];
    if (depth == 0 && (closes(token) || token.is("{")))
      break;
    if (depth == 0 && token.is(",")) {
      types.push_back(std::exchange(type, {}));
      continue;
    }
    depth += opens(token) ? 1 : closes(token) ? -1 : 0;
    type += token.text.str();
  }
  if (!type.empty())
    types.push_back(type);
  return types;
}

/// Of an op's results, as its trailing type says.
std::vector<std::string> resultTypes(llvm::ArrayRef<ScriptToken> tokens) {
  for (size_t i = tokens.size(); i-- > 0;)
    if (tokens[i].kind == Kind::Arrow)
      return typesFrom(tokens, i + 1);
  for (size_t i = tokens.size(); i-- > 0;)
    if (tokens[i].is(":"))
      return typesFrom(tokens, i + 1);
  return {};
}

class Scanner {
public:
  /// `beginsLine`: so does the word at the caret, which is none of the tokens.
  Scanner(llvm::ArrayRef<ScriptToken> tokens, bool beginsLine) : tokens_(tokens), beginsLine_(beginsLine) {
    frames_.push_back({.bracket = 0, .isRegion = true});
  }

  void run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_)
      take(tokens_[at_]);
  }
  /// Ends the statement: what it defines is in scope after it.
  void flush();
  bool isInRegion() const { return frames_.back().isRegion; }
  const Statement &statement() const { return statement_; }
  std::string around() const;
  std::vector<ScriptValue> values() const;

private:
  const ScriptToken *next(size_t ahead = 1) const {
    return at_ + ahead < tokens_.size() ? &tokens_[at_ + ahead] : nullptr;
  }
  bool startsStatement(const ScriptToken &token) const;
  bool isRegion() const;
  void take(const ScriptToken &token);
  void takeResult(const ScriptToken &token);
  void takeArgument(const ScriptToken &token);
  void open(const ScriptToken &token);
  void close(const ScriptToken &token);

  llvm::ArrayRef<ScriptToken> tokens_;
  bool beginsLine_;
  size_t at_ = 0;
  std::vector<Frame> frames_;
  Statement statement_;
};

bool Scanner::startsStatement(const ScriptToken &token) const {
  bool isFresh = token.beginsLine || (at_ > 0 && tokens_[at_ - 1].is("{"));
  if (!isInRegion() || !isFresh)
    return false;
  const ScriptToken *then = next();
  if (token.kind == Kind::Value)
    return then && (then->is("=") || then->is(",") || then->is(":"));
  if (token.kind == Kind::String)
    return then && then->is("(");
  return token.kind == Kind::Word && (token.text.contains('.') || token.is("module"));
}

/// Whether the brace here opens a region, and no dictionary.
bool Scanner::isRegion() const {
  const ScriptToken *first = next(), *second = next(2);
  if (!first)
    return beginsLine_;
  if (first->kind == Kind::Block || first->kind == Kind::Value)
    return true;
  if (first->kind != Kind::Word && first->kind != Kind::String)
    return first->beginsLine;
  bool isEntry = second && (second->is("=") || second->is(",") || second->is("}"));
  return !isEntry && (first->text.contains('.') || first->beginsLine);
}

void Scanner::flush() {
  std::vector<std::string> types = resultTypes(statement_.tokens);
  unsigned total = 0, number = 0;
  for (const Result &result : statement_.results)
    total += result.count;
  for (const Result &result : statement_.results)
    for (unsigned i = 0; i < result.count; ++i, ++number)
      frames_.back().values.push_back({result.count > 1 ? result.name + "#" + std::to_string(i) : result.name,
                                       types.size() == total ? types[number] : ""});
  statement_ = {};
}

void Scanner::takeResult(const ScriptToken &token) {
  if (token.kind == Kind::Value)
    statement_.results.push_back({token.text.str()});
  else if (unsigned count = 0;
           token.kind == Kind::Number && !statement_.results.empty() && !token.text.getAsInteger(10, count))
    statement_.results.back().count = std::clamp(count, 1u, 64u);
}

/// "%one: !transform.any_op" in the parentheses of a sequence or a block.
void Scanner::takeArgument(const ScriptToken &token) {
  llvm::StringRef op = statement_.op;
  bool isOfSequence = op.ends_with("named_sequence") && frames_.back().bracket == '(';
  if (token.kind != Kind::Value || !next() || !next()->is(":") || !isOfSequence)
    return;
  std::vector<std::string> types = typesFrom(tokens_, at_ + 2);
  statement_.arguments.push_back({token.text.str(), types.empty() ? "" : types.front()});
}

void Scanner::open(const ScriptToken &token) {
  Frame frame{.bracket = token.text.front()};
  frame.isRegion = token.is("{") && isInRegion() && isRegion();
  if (frame.isRegion) {
    frame.op = statement_.op;
    frame.values = std::exchange(statement_.arguments, {});
    frame.outer = std::exchange(statement_, {});
  }
  frames_.push_back(std::move(frame));
}

void Scanner::close(const ScriptToken &token) {
  char bracket = token.is(")") ? '(' : token.is("]") ? '[' : token.is("}") ? '{' : '<';
  size_t depth = frames_.size();
  while (depth > 1 && frames_[depth - 1].bracket != bracket && !frames_[depth - 1].isRegion)
    --depth;
  if (depth <= 1 || frames_[depth - 1].bracket != bracket)
    return; // closes nothing
  frames_.resize(depth);
  if (frames_.back().isRegion)
    statement_ = std::move(frames_.back().outer);
  frames_.pop_back();
}

void Scanner::take(const ScriptToken &token) {
  if (startsStatement(token)) {
    flush();
    if (token.kind == Kind::Word)
      statement_.op = token.text.str();
  } else if (statement_.op.empty() && token.kind == Kind::Word && !statement_.tokens.empty() &&
             statement_.tokens.back().is("=")) {
    statement_.op = token.text.str();
  }
  if (token.kind == Kind::Block && isInRegion())
    flush();
  if (statement_.op.empty())
    takeResult(token);
  // A block's arguments: "^bb0(%one: !transform.any_op)".
  if (bool isOfBlock =
          statement_.op.empty() && !statement_.tokens.empty() && statement_.tokens.front().kind == Kind::Block;
      isOfBlock && token.kind == Kind::Value && next() && next()->is(":")) {
    std::vector<std::string> types = typesFrom(tokens_, at_ + 2);
    for (Frame &frame : llvm::reverse(frames_))
      if (frame.isRegion) {
        frame.values.push_back({token.text.str(), types.empty() ? "" : types.front()});
        break;
      }
    statement_.results.clear();
  }
  takeArgument(token);
  // What closes a region belongs to the statement around it.
  if (closes(token))
    close(token);
  statement_.tokens.push_back(token);
  if (opens(token))
    open(token);
}

std::string Scanner::around() const {
  for (const Frame &frame : llvm::reverse(frames_))
    if (frame.isRegion)
      return frame.op;
  return {};
}

/// A sequence sees nothing of what is around it.
std::vector<ScriptValue> Scanner::values() const {
  std::vector<ScriptValue> values;
  for (const Frame &frame : frames_) {
    if (llvm::StringRef(frame.op).ends_with("named_sequence"))
      values.clear();
    llvm::append_range(values, frame.values);
  }
  return values;
}

} // namespace

ScriptPlace placeIn(llvm::StringRef text, size_t caret) {
  ScriptPlace place;
  ScriptTokens scanned = tokenizeScript(text.take_front(caret));
  std::vector<ScriptToken> &tokens = scanned.tokens;
  size_t end = std::min(caret, text.size());
  place.isComment = scanned.endsInComment;
  place.word.begin = end;
  auto isWord = [](const ScriptToken &token) {
    return token.kind == Kind::Word || token.kind == Kind::Value || token.kind == Kind::Symbol ||
           token.kind == Kind::Type || (token.kind == Kind::String && !token.isClosed);
  };
  if (!tokens.empty() && tokens.back().end() == end && isWord(tokens.back())) {
    place.word = tokens.back();
    tokens.pop_back();
  }
  llvm::StringRef front = text.take_front(place.word.begin);
  bool beginsLine = front.drop_front(front.rfind('\n') + 1).trim().empty();
  Scanner scanner(tokens, beginsLine);
  scanner.run();
  const Statement &statement = scanner.statement();
  beginsLine &= scanner.isInRegion();
  bool followsResults = statement.op.empty() && !statement.tokens.empty() && statement.tokens.back().is("=");
  place.beginsStatement = beginsLine || followsResults;
  place.op = statement.op;
  place.statement = statement.tokens;
  if (beginsLine)
    scanner.flush();
  place.around = scanner.around();
  place.values = scanner.values();
  return place;
}

} // namespace fuselage
