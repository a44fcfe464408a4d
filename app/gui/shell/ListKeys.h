// Letters mean commands in lists, and nothing else: Qt would jump to rows that begin with them as well.
#pragma once
#include <QObject>

namespace fuselage {

/// Filters the events of the application.
class ListKeys : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace fuselage
