// What was typed: words, and in front of them a sign that narrows what they mean.
#pragma once
#include "views/locator/LocatorEntry.h"
#include <QList>
#include <QSet>

namespace fuselage {

struct LocatorPrefix {
  QChar sign;
  QString means; ///< "values, by their names"
  QString example;
  QSet<LocatorKind> kinds;
};
const QList<LocatorPrefix> &locatorPrefixes();

struct LocatorQuery {
  QChar sign{}; ///< null: everything is meant
  QString text{};
  QByteArray lower{}; ///< the text

  static LocatorQuery parse(const QString &typed);
  bool wants(LocatorKind kind) const;
  bool isEmpty() const { return text.isEmpty(); }
  bool operator==(const LocatorQuery &) const = default;

  /// How well an entry fits that was made searchable; one that fits only together with its detail is never better than
  /// "inside".
  NameRank rank(const LocatorEntry &entry) const;
};

} // namespace fuselage
