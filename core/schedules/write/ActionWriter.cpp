#include "core/schedules/write/ActionWriter.h"

namespace fuselage {

llvm::Expected<ActionWriter::Handle> ActionWriter::handleOf(mlir::Operation *op) {
  if (auto known = handles_.find(op); known != handles_.end())
    return known->second;
  auto found = findOp(op, position_, names_);
  if (!found)
    return found.takeError();
  lines_.insert(lines_.end(), found->lines.begin(), found->lines.end());
  return handles_[op] = {.name = found->handle, .type = found->type};
}

llvm::StringRef ActionWriter::text(llvm::StringRef option) const {
  auto given = options_.find(option.str());
  return given == options_.end() ? llvm::StringRef() : llvm::StringRef(given->second).trim();
}

llvm::Expected<llvm::SmallVector<int64_t>> ActionWriter::numbers(llvm::StringRef option, int64_t least) const {
  llvm::SmallVector<int64_t> numbers;
  llvm::SmallVector<llvm::StringRef> parts;
  text(option).split(parts, ',');
  for (llvm::StringRef part : parts) {
    int64_t number = 0;
    if (text(option).empty())
      break;
    if (part.trim().getAsInteger(10, number) || number < least)
      return fail("'" + option.str() + "' is a list of whole numbers from " + std::to_string(least) +
                  " on, such as 8, 16; it has '" + part.trim().str() + "'");
    numbers.push_back(number);
  }
  return numbers;
}

} // namespace fuselage
