// Sizes and forms of the cases.
#include "DispatchCases.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace fuselage::test {

ArrayRef<int64_t> usualSizes() {
  static const int64_t sizes[] = {1, 2, 3, 5, 7, 8, 12, 16, 17, 24, 31, 32, 33, 37, 48, 64, 67, 96, 100, 127, 128, 192};
  return sizes;
}

/// The value of "H", "12" or "H+2*S", from left to right.
static int64_t evaluate(StringRef expression, const std::map<char, int64_t> &sizes) {
  int64_t value = 0;
  char pending = '+';
  while (!expression.empty()) {
    int64_t term = 0;
    if (isDigit(expression.front()))
      expression.consumeInteger(10, term);
    else {
      term = sizes.at(expression.front());
      expression = expression.drop_front();
    }
    value = pending == '+' ? value + term : pending == '-' ? value - term : value * term;
    if (expression.empty())
      break;
    pending = expression.front();
    expression = expression.drop_front();
  }
  return value;
}

/// `text` with all sizes put in.
static std::string fill(StringRef text, const std::map<char, int64_t> &sizes) {
  std::string out;
  while (!text.empty()) {
    auto [before, after] = text.split('$');
    out += before;
    if (before.size() == text.size())
      break;
    if (after.consume_front("(")) {
      auto [expression, rest] = after.split(')');
      out += std::to_string(evaluate(expression, sizes));
      text = rest;
    } else {
      out += std::to_string(sizes.at(after.front()));
      text = after.drop_front();
    }
  }
  return out;
}

/// The letters that `text` leaves open.
static void collectSizes(StringRef text, std::map<char, int64_t> &sizes) {
  for (size_t at = text.find('$'); at != StringRef::npos; at = text.find('$', at + 1)) {
    StringRef rest = text.drop_front(at + 1);
    rest = rest.consume_front("(") ? rest.take_until([](char c) { return c == ')'; }) : rest.take_front(1);
    for (char c : rest)
      if (isAlpha(c))
        sizes[c] = 0;
  }
}

std::string instantiate(const DispatchCase &dispatch, DispatchForm form, std::mt19937 &random) {
  std::map<char, int64_t> sizes;
  for (StringRef text : {StringRef(dispatch.arguments), StringRef(dispatch.results), StringRef(dispatch.body)})
    collectSizes(text, sizes);
  for (auto &[name, size] : sizes) {
    auto own = dispatch.sizes.find(name);
    ArrayRef<int64_t> pool = own != dispatch.sizes.end() ? ArrayRef(own->second) : usualSizes();
    size = pool[random() % pool.size()];
  }
  return instantiate(dispatch, form, sizes);
}

std::string instantiate(const DispatchCase &dispatch, DispatchForm form, const std::map<char, int64_t> &sizes) {
  static const char *maps = R"(
#i1 = affine_map<(d0) -> (d0)>
#i2 = affine_map<(d0, d1) -> (d0, d1)>
#r2 = affine_map<(d0, d1) -> (d0)>
#c2 = affine_map<(d0, d1) -> (d1)>
#t2 = affine_map<(d0, d1) -> (d1, d0)>
#s2 = affine_map<(d0, d1) -> ()>
#k2 = affine_map<(d0, d1) -> (d0, 0)>
#i3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#ab3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#ac3 = affine_map<(d0, d1, d2) -> (d0, d2)>
#bc3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#cb3 = affine_map<(d0, d1, d2) -> (d2, d1)>
#a3 = affine_map<(d0, d1, d2) -> (d0)>
#c3 = affine_map<(d0, d1, d2) -> (d2)>
#cab3 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#i4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#bacd4 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#d4 = affine_map<(d0, d1, d2, d3) -> (d3)>
#ab4 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#keep4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#ukeep4 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, 0)>
#u4 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
)";
  std::string results = fill(dispatch.results, sizes), returns = dispatch.returns;
  std::string head =
      std::string(maps) + "func.func @dispatch(" + fill(dispatch.arguments, sizes) + ") -> (" + results + ")";
  std::string body = fill(dispatch.body, sizes);
  if (form == DispatchForm::Function)
    return head + " attributes {fuselage.dispatch = 0 : i64} {\n" + body + "\n  return " + returns + " : " + results +
           "\n}\n";
  unsigned count = StringRef(returns).count('%');
  std::string outer;
  for (unsigned i = 0; i < count; ++i)
    outer += (i ? ", %region#" : "%region#") + std::to_string(i);
  return head + " {\n  %region:" + std::to_string(count) + " = flow.dispatch.region -> (" + results + ") {\n" + body +
         "\n  flow.return " + returns + " : " + results + "\n  }\n  return " + outer + " : " + results + "\n}\n";
}

} // namespace fuselage::test
