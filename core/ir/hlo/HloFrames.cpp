#include "core/ir/hlo/HloFrames.h"
#include <map>

using llvm::StringRef;

namespace fuselage::hlo {
namespace {
/// A table's rows, by their numbers.
using Table = std::map<unsigned, StringRef>;
} // namespace

/// `1 "file.py"` or `1 {line=3 column=4}`, a line each.
static Table readTable(Cursor &cursor) {
  Table table;
  for (;;) {
    Cursor ahead = cursor;
    std::optional<int64_t> number = ahead.number();
    if (!number || *number < 0 || *number > UINT32_MAX)
      return table;
    table[unsigned(*number)] = ahead.line();
    cursor = ahead;
  }
}

/// The number after `key` in "{file_name_id=1 line=9}"; 0: it has none.
static unsigned numberOf(StringRef row, StringRef key) {
  size_t at = row.find(key);
  StringRef rest = at == StringRef::npos ? StringRef() : row.drop_front(at + key.size());
  unsigned number = 0;
  rest.consumeInteger(10, number);
  return number;
}

void readFrames(Cursor &cursor, std::map<unsigned, SourceLine> &frames) {
  Table files, locations, stack;
  for (;;) {
    if (cursor.consumeWord("FileNames"))
      files = readTable(cursor);
    else if (cursor.consumeWord("FunctionNames"))
      (void)readTable(cursor);
    else if (cursor.consumeWord("FileLocations"))
      locations = readTable(cursor);
    else if (cursor.consumeWord("StackFrames"))
      stack = readTable(cursor);
    else
      break;
  }
  for (auto [number, row] : stack) {
    auto location = locations.find(numberOf(row, "file_location_id="));
    if (location == locations.end())
      continue;
    auto file = files.find(numberOf(location->second, "file_name_id="));
    if (file != files.end())
      frames[number] = {.file = file->second.trim('"'), .line = numberOf(location->second, " line=")};
  }
}

} // namespace fuselage::hlo
