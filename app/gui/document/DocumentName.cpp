#include "app/gui/document/DocumentName.h"
#include <QDir>
#include <QFileInfo>

namespace fuselage {

QString nameOf(const protocol::Document &document) {
  return document.name.isEmpty() ? QFileInfo(document.path).fileName() : document.name;
}

QString besideDocument(const protocol::Document &document, const QString &ending) {
  const QFileInfo file(document.path);
  return file.dir().filePath(file.completeBaseName() + ending);
}

} // namespace fuselage
