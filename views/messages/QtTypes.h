// What messages are made of in the window. Qt6::Core only.
#pragma once
#include <QList>
#include <QMap>
#include <QString>

namespace fuselage::protocol {

struct QtTypes {
  using Text = QString;
  using Int64 = qint64;
  template <class T> using List = QList<T>;
  template <class T> using Map = QMap<QString, T>;
  using Element = QString; ///< as people read it: "nan", "0.1234568", "1 + 2i"
};

} // namespace fuselage::protocol
