// Which steps introduced, changed or removed something.
#pragma once
#include "core/engine/Document.h"
#include "core/protocol/Search.h"

namespace fuselage {

/// What is followed over the steps.
struct HistorySubject {
  enum class Kind {
    Text,     ///< lines with it in them
    Name,     ///< as Text, but no part of a longer name; of values (`%q`) the lines that define it
    Op,       ///< by where it comes from; of a log that tells no locations, by its line
    Dispatch, ///< all ops of the dispatches with `text` in their names, by where they come from
  } kind = Kind::Text;
  std::string text;
  /// Lists the rewrites of a step, to fill HistoryEvent::rewrites of an op; null: they are not asked for.
  std::function<llvm::Expected<std::shared_ptr<const RewriteLog>>(unsigned step)> logOf{};
  unsigned snapshot = 0; ///< of the op; where the dispatch is looked for, and in the input and the last
  OpId op = 0;
};

/// Looks at the two sides of every step that changed something. Lines count as the same where the diff says so: when
/// they differ in indentation and SSA numbers only. `progress`: after each step. Failure: cancelled, or the snapshot of
/// the op does not parse.
llvm::Expected<message::History<>> historyOf(Document &document, const HistorySubject &subject,
                                             const std::atomic<bool> &cancelled,
                                             llvm::function_ref<void(unsigned done, unsigned total)> progress);

} // namespace fuselage
