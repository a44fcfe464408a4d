#include "core/graph/scene/TextMetrics.h"
#include <cstdint>

namespace fuselage {

/// Advance widths of U+0020 to U+007E in DejaVu Sans 2.37, in units of 1/2048 em (table hmtx).
static constexpr uint16_t asciiWidths[] = {
    651,  821,  942,  1716, 1303, 1946, 1597, 563,  799,  799,  1024, 1716, 651,  739,  651,  690,  1303, 1303, 1303,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 690,  690,  1716, 1716, 1716, 1087, 2048, 1401, 1405, 1430, 1577, 1294,
    1178, 1587, 1540, 604,  604,  1343, 1141, 1767, 1532, 1612, 1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403,
    1251, 1403, 799,  690,  799,  1716, 1024, 1024, 1255, 1300, 1126, 1300, 1260, 721,  1300, 1298, 569,  569,  1186,
    569,  1995, 1298, 1253, 1300, 1300, 842,  1067, 803,  1298, 1212, 1675, 1212, 1212, 1075, 1303, 690,  1303, 1716};
static constexpr double unitsPerEm = 2048;

/// Takes one character off the front of UTF-8 text; a stray byte counts as a character.
static uint32_t takeCharacter(llvm::StringRef &text) {
  unsigned char lead = text[0];
  size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  length = std::min(length, text.size());
  uint32_t code = length == 1 ? lead : lead & (0x7F >> length);
  for (size_t i = 1; i < length; ++i)
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
  text = text.drop_front(length);
  return code;
}

static double advance(uint32_t character) {
  if (character >= 0x20 && character < 0x7F)
    return asciiWidths[character - 0x20];
  switch (character) {
  case 0xB7: // middle dot
    return 651;
  case 0xD7:   // multiplication sign
  case 0x2192: // rightwards arrow
    return 1716;
  case 0xB5: // micro sign
    return 1303;
  case 0x2013: // en dash
    return 1024;
  default:
    return unitsPerEm;
  }
}

double textWidth(llvm::StringRef text, double size) {
  double units = 0;
  while (!text.empty())
    units += advance(takeCharacter(text));
  return units / unitsPerEm * size;
}

std::string elideText(llvm::StringRef text, double size, double width) {
  if (textWidth(text, size) <= width)
    return text.str();
  double room = width - size; // the ellipsis is one em wide
  llvm::StringRef rest = text;
  size_t kept = 0;
  while (!rest.empty()) {
    room -= advance(takeCharacter(rest)) / unitsPerEm * size;
    if (room < 0)
      break;
    kept = text.size() - rest.size();
  }
  return text.take_front(kept).rtrim().str() + "\u2026";
}

} // namespace fuselage
