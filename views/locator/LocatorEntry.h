// Something that one can go to.
#pragma once
#include "core/protocol/NameRank.h"
#include "views/common/SceneData.h"
#include <QPointer>
#include <QString>

class QAction;

namespace fuselage {

/// In the order in which equally good ones are listed. Prefix: what can be typed to narrow the list.
enum class LocatorKind {
  Symbol,
  Part,
  Dispatch,
  Weight,
  Op,
  Value,
  Command,
  Setting,
  Step,
  Pass,
  Help,
  Location,
  Line,
  Text,
  History,
  Prefix
};

struct LocatorEntry {
  LocatorKind kind = LocatorKind::Op;
  QString name;
  QString detail{}; ///< beside it, in a quieter tone
  QString hint{};   ///< at the right: the keys of a command, "line 12"
  bool isEnabled = true;
  NameRank rank = NameRank::NoMatch;
  // Where it is, as far as its kind needs it.
  int snapshot = -1, row = -1, line = -1; ///< `row` of the steps or of the outline
  NodeId op = noNode;
  QPointer<QAction> action{};
  QByteArray lowerName{}, lowerAll{}; ///< name, and name with detail, by makeSearchable()

  /// The same entry has the same, in every list.
  QString key() const;
  void makeSearchable();
};

/// "op", "layer", "command": what it is, in a word.
QString kindWord(LocatorKind kind);
/// The name of its icon.
QString kindIcon(LocatorKind kind);

} // namespace fuselage
