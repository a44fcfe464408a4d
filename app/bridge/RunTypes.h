// The values of run/* (core/engine/PROTOCOL.md) and how they come out of JSON.
#pragma once
#include "app/bridge/ProtocolTypes.h"
#include <limits>

namespace fuselage::protocol {

/// A number that nobody knows.
inline constexpr double unknownNumber = std::numeric_limits<double>::quiet_NaN();

/// What was found: "ok" is shown for `Ok` only.
enum class RunVerdict { Ok, Wrong, NotComparable, NothingToRun };

/// How two results differ, element by element; NaN and negative numbers are unknown.
struct Comparison {
  RunVerdict verdict = RunVerdict::Wrong;
  bool ok = false;
  QString why; ///< a sentence; empty where it is ok
  double maxAbsError = unknownNumber;
  double maxRelError = unknownNumber;
  double absolute = unknownNumber, relative = unknownNumber; ///< the tolerance
  qint64 elements = -1;
  qint64 nonfiniteActual = 0, nonfiniteExpected = 0, nonfiniteDiffer = 0;
};

/// One kernel's figures, or those of the ops between dispatches that run on the host; negative gflops and gbps are
/// unknown.
struct Kernel : Comparison {
  bool onHost = false; ///< between the dispatches; only the function's results are compared
  QString dispatch;
  QString device;
  QString name;
  qint64 dispatchIndex = -1;
  QString loc; ///< where the dispatch's root op comes from
  QList<int> grid;
  QList<int> block;
  qint64 sharedBytes = -1;
  double minUs = -1;
  double medianUs = -1;
  double p95Us = -1;
  qint64 launches = -1;
  QString clock; ///< "device" or "host"
  QString cold;  ///< "flushed", "rotated" or "warm"
  double gflops = -1;
  double gbps = -1;
  bool gbpsAtMost = false; ///< data decides what it reads: it may be less
};

/// The element furthest beyond its tolerance; its place, and what is there.
struct WorstElement {
  QList<qint64> index;
  QString actual, expected;
};

/// A 2-d slice of a result, in at most 64 x 64 cells.
struct HeatSlice {
  QList<qint64> slice; ///< -1 in the dimensions that it shows
  int rowDim = -1, columnDim = -1;
  int rows = 0, columns = 0;
  qint64 rowExtent = 0, columnExtent = 0;
  qint64 rowStep = 1, columnStep = 1;
  QList<double> values, errors; ///< row by row
};

/// A result of the function.
struct Output : Comparison {
  QString type;
  double min = unknownNumber, max = unknownNumber, mean = unknownNumber; ///< of its finite elements
  QStringList values; ///< the first ones
  std::optional<WorstElement> worst;
  std::optional<HeatSlice> heat;
};

/// An argument, what was asked for, and what was made of it.
struct RunInput {
  QString name, type, source, note;
};

struct RunReport {
  QString device;
  QString function;
  RunVerdict verdict = RunVerdict::NothingToRun;
  QString why;
  double sumUs = -1;  ///< the medians of all rows; -1: unknown
  double wallUs = -1; ///< one pass over the whole program
  QString timingNote; ///< what other clocks than the device's mean for the sum
  QList<RunInput> inputs;
  QList<Kernel> kernels;
  QList<Output> outputs;
  QList<Diagnostic> remarks;
  bool ok() const { return verdict == RunVerdict::Ok; }
};
struct RunProgress {
  int done = 0;
  int total = 0;
  QString what;
};

/// What a run would need values for.
struct RunArguments {
  QString function;
  QList<RunInput> arguments;
};

void decode(const QJsonObject &json, RunReport &out);
void decode(const QJsonObject &json, RunArguments &out);
void decode(const QJsonObject &json, RunProgress &out);

} // namespace fuselage::protocol

Q_DECLARE_METATYPE(fuselage::protocol::Kernel)
