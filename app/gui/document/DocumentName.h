// What a document is called.
#pragma once
#include "app/bridge/EngineSession.h"

namespace fuselage {

/// Its file's or folder's name.
QString nameOf(const protocol::Document &document);
/// Where what is exported goes by default: beside the document, with this ending.
QString besideDocument(const protocol::Document &document, const QString &ending);

} // namespace fuselage
