#include "core/support/JsonDepth.h"
#include <algorithm>

int fuselage::jsonDepth(llvm::StringRef json) {
  int depth = 0, most = 0;
  bool isString = false;
  for (size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    if (isString) {
      i += c == '\\'; // what is escaped
      isString = c != '"';
      continue;
    }
    isString = c == '"';
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    most = std::max(most, depth);
  }
  return most;
}
