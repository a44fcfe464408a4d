#include "core/dialects/tolerant/SyntaxBuilder.h"
#include "core/dialects/tolerant/RawText.h"

namespace fuselage {

static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

void SyntaxBuilder::literal(const char *end) {
  const char *c = done_;
  while (c < end) {
    // Runs of plain text are copied at once.
    const char *run = c;
    while (c < end && *c != '"' && *c != '/' && static_cast<unsigned char>(*c) >= ' ')
      ++c;
    text_.append(run, c);
    if (c == end)
      break;
    if (*c == '"') {
      const char *stop = std::min(endOfString(c), end);
      for (const char *s = c; s < stop; ++s)
        failed_ |= *s == 1 || *s == 2;
      text_.append(c, stop);
      c = stop;
    } else if (*c == '/' && c + 1 < end && c[1] == '/') {
      while (c < end && *c != '\n')
        ++c;
    } else if (*c == '\n') {
      while (!text_.empty() && isBlank(text_.back()))
        text_.pop_back();
      const char *line = ++c;
      while (c < end && isBlank(*c))
        ++c;
      if (c < end && (*c == '\n' || (*c == '/' && c + 1 < end && c[1] == '/')))
        continue; // an empty line, or one with a comment only
      text_.push_back('\n');
      text_.append(std::max<ptrdiff_t>(0, c - line - static_cast<ptrdiff_t>(indent_)), ' ');
    } else {
      failed_ |= *c == 1 || *c == 2;
      if (*c != '\r')
        text_.push_back(*c);
      ++c;
    }
  }
  done_ = std::max(done_, end);
}

/// Appends a placeholder's code.
static void appendCode(llvm::SmallString<128> &text, char kind, unsigned number) {
  text.push_back('\x01');
  text.push_back(kind);
  if (number >= 10)
    text += std::to_string(number);
  else
    text.push_back('0' + number);
  text.push_back('\x02');
}

void SyntaxBuilder::placeholder(const char *begin, const char *end, char kind, unsigned number) {
  literal(begin);
  appendCode(text_, kind, number);
  done_ = std::max(begin, end);
}

void SyntaxBuilder::placeholderBefore(const char *begin, const char *next, char kind, unsigned number) {
  // What stands before the next token is blanks, or a comment that ends with its line.
  const char *end = next;
  while (end > begin && isSpace(end[-1]))
    --end;
  placeholder(begin, end, kind, number);
}

void SyntaxBuilder::finish(const char *next) {
  literal(next);
  while (!text_.empty() && isSpace(text_.back()))
    text_.pop_back();
}

unsigned SyntaxBuilder::addUnit(mlir::Attribute unit) {
  units_.push_back(unit);
  return units_.size() - 1;
}

} // namespace fuselage
