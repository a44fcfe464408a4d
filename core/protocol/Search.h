// What is found by its name in a snapshot, and over the steps.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"
#include <optional>

namespace fuselage::message {

enum class SearchKind { Symbol, Weight, Op, Value, Location };
inline constexpr const char *searchKinds[] = {"symbol", "weight", "op", "value", "location"};
inline constexpr int searchKindCount = 5;

template <class Types = StdTypes> struct SearchHit {
  static constexpr const char *messageName = "SearchHit";
  SearchKind kind = SearchKind::Op;
  Text<Types> name;               ///< with its sigil: "%q", "@main"; of an op its name, or its label in the graph
  Text<Types> detail;             ///< the line that it stands on, without its indentation, cut where it is long
  int rank = 0;                   ///< a NameRank
  std::optional<Int64<Types>> op; ///< none: the text has no ops, since it does not parse
  int line = -1;

  template <class Visitor> void fields(Visitor &visit) {
    visit.choice("kind", kind, searchKinds);
    visit("name", name);
    visit("detail", detail);
    visit("rank", rank);
    visit("op", op, nullIf(!op));
    visit("line", line);
  }
};
template <class Types = StdTypes> struct SearchHits {
  static constexpr const char *messageName = "search/find";
  int snapshot = 0;
  List<Types, SearchHit<Types>> hits; ///< the best first
  Map<Types, Int64<Types>> totals;    ///< how many there are, by kind

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot);
    visit("hits", hits);
    visit("totals", totals);
  }
};

/// "present": from the start, or since the first dump that shows where it belongs.
enum class HistoryChange { Present, Introduced, Changed, Removed };
inline constexpr const char *historyChanges[] = {"present", "introduced", "changed", "removed"};

enum class RewriteChange { Created, Replaced, Erased, Modified };
inline constexpr const char *rewriteChanges[] = {"created", "replaced", "erased", "modified"};

/// What a rewrite within a step did with what is followed.
template <class Types = StdTypes> struct HistoryRewrite {
  static constexpr const char *messageName = "HistoryRewrite";
  int rewrite = 0; ///< of the step
  RewriteChange change = RewriteChange::Modified;
  Text<Types> kind, pattern; ///< as of StepRewrite
  Text<Types> op;            ///< the name of the op that this happened to
  int count = 1;             ///< of such ops

  template <class Visitor> void fields(Visitor &visit) {
    visit("rewrite", rewrite);
    visit.choice("change", change, rewriteChanges);
    visit("kind", kind);
    visit("pattern", pattern, leftOutIf(pattern.size() == 0));
    visit("op", op);
    visit("count", count);
  }
};

template <class Types = StdTypes> struct HistoryEvent {
  static constexpr const char *messageName = "HistoryEvent";
  int step = -1; ///< -1: the input
  HistoryChange change = HistoryChange::Changed;
  int snapshot = 0; ///< where it can be looked at: after the step, of what was removed before it
  int line = -1;    ///< there
  Text<Types> text; ///< what is there, in a line
  List<Types, HistoryRewrite<Types>> rewrites{}; ///< of the step, if they were asked for and are known

  template <class Visitor> void fields(Visitor &visit) {
    visit("step", step);
    visit.choice("change", change, historyChanges);
    visit("snapshot", snapshot);
    visit("line", line);
    visit("text", text);
    visit("rewrites", rewrites, leftOutIf(rewrites.size() == 0));
  }
};
template <class Types = StdTypes> struct History {
  static constexpr const char *messageName = "search/history";
  Text<Types> subject;  ///< what was followed, as users write it
  Text<Types> followed; ///< "location", "line", "name" or "text": how it was found again
  int steps = 0;        ///< that were looked at
  List<Types, HistoryEvent<Types>> events;

  template <class Visitor> void fields(Visitor &visit) {
    visit("subject", subject);
    visit("followed", followed);
    visit("steps", steps);
    visit("events", events);
  }
};

/// How large a snapshot is.
template <class Types = StdTypes> struct SnapshotCounts {
  static constexpr const char *messageName = "snapshot/counts";
  Int64<Types> ops = -1; ///< -1: a dump that nobody has parsed, or that does not parse
  Int64<Types> lines = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("ops", ops, nullIf(ops < 0));
    visit("lines", lines);
  }
};

/// While search/history is at work.
template <class Types = StdTypes> struct SearchProgress {
  static constexpr const char *messageName = "search/progress";
  int done = 0;
  int total = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("done", done);
    visit("total", total);
  }
};

} // namespace fuselage::message
