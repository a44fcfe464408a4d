// The universal parser's state while it reads one op. Internal.
#pragma once
#include "core/dialects/tolerant/OpReading.h"
#include "core/dialects/tolerant/OpRepeats.h"
#include "core/dialects/tolerant/RawText.h"
#include "core/dialects/tolerant/SyntaxBuilder.h"
#include "core/dialects/tolerant/TypeMemory.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage {

/// One pass over the op's tokens; each is consumed through MLIR's parser, which stays in step.
class OpReader {
public:
  /// `distance`: from what is parsed to the text as written, in which the look-ahead takes place.
  OpReader(mlir::OpAsmParser &parser, mlir::OperationState &state, TypeMemory &memory, ptrdiff_t distance);
  mlir::ParseResult run();
  /// The same, for an op whose like comes again.
  mlir::ParseResult run(OpRepeats &repeats, const OpRepeats::Place &place);
  /// For that.
  mlir::ParseResult repeat(const OpRepeats &repeats, const OpRepeats::Place &place);

private:
  using ParseResult = mlir::ParseResult;
  using UnresolvedOperand = mlir::OpAsmParser::UnresolvedOperand;
  using Argument = mlir::OpAsmParser::Argument;

  /// What the last token was, as far as the guesses look back.
  enum class Last {
    Name,
    Keyword,
    Operand,
    Type,
    Comma,
    Arrow,
    FatArrow,
    Colon,
    Equal,
    Open,
    Close,
    Literal,
    Symbol,
    Successor,
    Region,
    Dictionary,
    Other
  };
  /// What a '{' opens.
  enum class Brace { Region, Dictionary, Dimensions, List };

  struct Operand {
    UnresolvedOperand use;
    mlir::Type type;          ///< as far as it is known before it is resolved
    bool isIndexLike = false; ///< in square brackets or braces: such operands are not in type lists
  };
  struct Group {
    llvm::StringRef name;
    unsigned serial = 0, first = 0, count = 0;
  };
  /// An element of a bracketed list: a number, an operand (a null attribute), or anything else.
  struct Element {
    mlir::Attribute attribute;
    std::optional<int64_t> number;
  };
  /// An open bracket, or the op itself (the first frame).
  struct Frame {
    char close = 0;
    llvm::StringRef label;     ///< the keyword in front
    llvm::StringRef groupName; ///< of operands in it
    unsigned groupSerial = 0;
    size_t firstElement = 0;    ///< in elements_
    bool isResultList = false;  ///< `-> (`
    bool isAfterSymbol = false; ///< `@name<`: parameters of what has the name
    mlir::Type elided;          ///< `<tensor<4xf32>>` in place of a type: the type with its name
    size_t firstType = 0;       ///< of that: how many of types_ stand before it
    bool isBinding = false;     ///< `(%a = %b, %c)`: arguments of the next region
    unsigned bound = 0;         ///< of those: how many there are so far
  };
  /// An argument of the next region.
  struct RegionArgument {
    Argument argument;
    bool isLoop = false;             ///< `%a = %b`: of every region that follows
    std::optional<unsigned> init;    ///< the operand that it starts with; tells its type
    std::optional<unsigned> bound{}; ///< its place in `(%a = %b, %c)`, which may tell its type
  };

  // Text.
  const char *textAt(llvm::SMLoc location) const { return location.getPointer() + distance_; }
  const char *here() const { return textAt(parser_.getCurrentLocation()); }
  unsigned depth() const { return frames_.size() - 1; }
  Frame &frame() { return frames_.back(); }

  // OpEnd.cpp
  bool atEnd() const;
  bool isCompleteBefore() const;
  bool startsNextOp(const char *c, bool isNewLine) const;

  // UniversalParser.cpp
  ParseResult readTokens();
  ParseResult readToken();
  ParseResult readNumber(const char *c);
  ParseResult readWord(const char *c);
  ParseResult readKeyword(llvm::StringRef word);
  ParseResult readAttribute(const char *c);
  bool definesSymbol() const;
  ParseResult readSymbol();
  ParseResult readSuccessor();
  ParseResult readType();
  void addType(mlir::Type type);
  mlir::Type elidedType(const char *c) const;
  ParseResult readArrow(const char *c);
  ParseResult fail(const llvm::Twine &message);

  // Brackets.cpp
  ParseResult readPunctuation(const char *c);
  ParseResult readOpenBracket(const char *c);
  ParseResult readCloseBracket(char c);

  // NamedValues.cpp
  ParseResult readOperand();
  ParseResult readTiedOperand();
  unsigned addOperand(const UnresolvedOperand &use, bool isIndexLike);
  void addOccurrence(const char *begin, const char *end, unsigned operand);
  void addValue(mlir::Attribute attribute, llvm::StringRef kind);
  void addNumber(mlir::Attribute attribute);
  void addAttribute(llvm::StringRef name, mlir::Attribute attribute);
  void addListAttribute(const Frame &closed);
  void addUnit(const char *begin, mlir::Attribute unit);

  // Braces.cpp
  Brace classifyBrace(const char *c) const;
  ParseResult readBrace(const char *c);
  ParseResult readDictionary(mlir::NamedAttrList &into);
  ParseResult readDimensions();
  ParseResult readRegion();

  // RegionArguments.cpp
  bool startsArgumentList(const char *c) const;
  bool startsInductionVariables(const char *c) const;
  /// Whether `(%a = %b, %c)` starts at `c`.
  static bool startsBindings(const char *c);
  const char *regionAfter(const char *c, bool isLenient = false) const;
  /// Whether `in %a :`, `out b :` or the like starts at `c`.
  static bool startsPort(const char *c);
  ParseResult readArgumentList(llvm::SmallVectorImpl<mlir::Type> *types,
                               llvm::SmallVectorImpl<mlir::Attribute> *attributes);
  ParseResult readVariadic();
  ParseResult readArgument(bool isNamedInText, Argument &argument);
  ParseResult readInductionVariables();
  ParseResult readAssignment();
  ParseResult readTiedArgument();
  void addArgument(const Argument &argument, bool isLoop = false, std::optional<unsigned> init = std::nullopt);
  llvm::SmallVector<Argument> takeArguments();
  static bool usesOnlyItsOwn(const char *region, llvm::ArrayRef<Argument> arguments);

  // Signature.cpp
  bool startsSignature(const char *c) const;
  ParseResult readSignature();
  ParseResult readSignatureResults(llvm::SmallVectorImpl<mlir::Type> &types,
                                   llvm::SmallVectorImpl<mlir::Attribute> &attributes);

  // ValueTypes.cpp
  ParseResult resolveOperands();
  ParseResult resolve(const UnresolvedOperand &use, mlir::Type guess, mlir::Value &value);
  void guessOperandTypes();
  ParseResult addResults();
  mlir::Type resultWithoutType();
  mlir::Type resultFromSingleType(mlir::Type type) const;
  void defineResults();
  void typeConstant();

  // UniversalParser.cpp
  ParseResult finish();
  void appendValueTypes(llvm::SmallVectorImpl<mlir::Type> &types) const;
  void addSyntax(llvm::StringRef text, llvm::StringRef groups, llvm::ArrayRef<mlir::Attribute> units);

  // RepeatedOps.cpp
  bool keepReading(const OpRepeats &repeats, const OpRepeats::Place &place, OpReading &reading);

  mlir::OpAsmParser &parser_;
  mlir::OperationState &state_;
  TypeMemory &memory_;
  ptrdiff_t distance_;
  llvm::StringRef name_;     ///< of the op, with namespace
  llvm::StringRef lastPart_; ///< of the name, after the last dot
  const char *begin_;        ///< of the op's name in the text
  const char *nameEnd_;
  const char *lineBegin_; ///< where the op's line starts; no scan goes back beyond it
  unsigned indent_;       ///< of that line
  size_t resultCount_;

  SyntaxBuilder syntax_;
  llvm::SmallVector<Frame, 8> frames_;
  llvm::SmallVector<Element, 8> elements_;
  Last last_ = Last::Name;
  llvm::StringRef label_; ///< the keyword that names what comes next
  unsigned serial_ = 0;
  static constexpr unsigned kMaxAttributes = 5000;
  unsigned attributeCount_ = 0;
  llvm::StringMap<unsigned> lastNumbers_; ///< of "value_3" and the like, by "value"
  bool isFirstToken_ = true;
  bool seenSymbol_ = false;

  llvm::SmallVector<Operand, 8> operands_;
  llvm::SmallVector<const char *, 8> occurrences_; ///< of operands in the text, in order
  llvm::SmallVector<Group, 4> groups_;
  size_t resolved_ = 0; ///< operands that are in state_ already

  bool inResultTypes_ = false;
  bool isWithoutTypes_ = false;                  ///< the text says no type at all
  mlir::Type refusedType_;                       ///< what MLIR's parser said a value has
  llvm::SmallVector<mlir::Type, 8> types_;       ///< all that stand for values, in order
  llvm::SmallVector<ResultType, 4> resultTypes_; ///< after an arrow

  llvm::SmallVector<RegionArgument, 4> arguments_;
  bool hasArgumentList_ = false; ///< even if it was empty
  mlir::Type literalType_;       ///< of a `dense<...> : type`
};

} // namespace fuselage
