// Numbers as people read them, in one place for every panel.
#pragma once
#include <QString>

namespace fuselage {

/// "384 KiB"; "unknown" for a negative number.
QString formatBytes(qint64 bytes);
/// "1.21 GFLOP"; "unknown" for a negative number.
QString formatFlops(qint64 flops);
/// "12.4 µs", "3.10 ms", "1.20 s"; an em dash for what is unknown (negative).
QString formatMicroseconds(double us);
/// "0.42 ms", "1.20 s".
QString formatMilliseconds(double ms);
/// "+3", "−2" (with a minus sign, not a hyphen).
QString formatSigned(qint64 number);
/// Three significant digits, or an em dash for what is unknown (negative).
QString formatRate(double rate);
/// "model.mlir:3:4" of "/home/me/model.mlir:3:4".
QString withoutDirectories(const QString &location);
/// "1.2e-07", "0", "infinite"; "unknown" for NaN.
QString formatError(double error);

} // namespace fuselage
