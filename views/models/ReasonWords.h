// Codes of reasons as people say them.
#pragma once
#include <QString>

namespace fuselage {

/// Codes are unique within one.
enum class ReasonFamily { Fusion, Buffers };

/// "Several users" for "MULTI_USE"; of a code that nobody named, its own words.
QString reasonWords(const QString &code, ReasonFamily family = ReasonFamily::Fusion);

} // namespace fuselage
