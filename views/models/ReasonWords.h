// Codes of reasons as people say them.
#pragma once
#include <QString>

namespace fuselage {

/// "Several users" for "MULTI_USE"; of a code that nobody named, its own words.
QString reasonWords(const QString &code);

} // namespace fuselage
