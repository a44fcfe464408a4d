// The values of buffers/* (core/engine/PROTOCOL.md) and how they come out of JSON.
#pragma once
#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>

namespace fuselage::protocol {

/// What is dynamic counts as the least it can be; -1 bytes: nobody knows.
struct BufferBytes {
  qint64 bytes = 0;
  bool lowerBound = false;
};

/// op -1: there is none.
struct BufferPlace {
  qint64 op = -1;
  int operand = -1;
};

/// Of a write to what is read-only there is no read, and the definition is what must not be written.
struct BufferConflict {
  BufferPlace read, write;
  qint64 definition = -1;
  int result = -1, argument = -1; ///< of the definition; one of them is -1
};

struct BufferOperand {
  BufferPlace place;
  QString value;
  QString type;
  bool inPlace = true, reads = false, writes = false;
  QString reason; ///< a code, empty where nothing was made
  QString sentence;
  BufferConflict conflict;
  int buffer = -1; ///< index into BuffersReport::buffers
};

struct Buffer {
  qint64 op = -1;
  int operand = -1, argument = -1;
  QString kind; ///< "copy", "alloc", "stack", "attribution", "call result", "carried", "argument"
  QString reason;
  QString sentence;
  QString function;
  QString type;
  QString space;
  BufferBytes size;
  qint64 first = -1, last = -1; ///< ops, inclusive, in program order
  bool freed = false, escapes = false;
};

/// Data that an op moves.
struct BufferMove {
  qint64 op = -1;
  QString reason;
  QString sentence;
  BufferBytes size;
  bool remains = true;
};

/// The peak of a function in a memory space.
struct BufferPeak {
  QString function;
  QString space;
  BufferBytes size;
  qint64 at = -1;
};

struct BufferOp {
  QString name;
  QString function;
  int line = 0; ///< from 0
};

struct BufferProblem {
  qint64 op = -1;
  QString message;
};

/// By memory space.
using BufferPeaks = QMap<QString, BufferBytes>;

struct BuffersReport {
  int snapshot = -1;
  bool hasTensors = false;
  bool complete = true;
  QList<BufferOperand> operands;
  QList<Buffer> buffers;
  QList<BufferMove> moves;
  QList<BufferPeak> memory;
  BufferPeaks peaks;
  BufferBytes copied;
  QList<BufferProblem> problems;
  QHash<qint64, BufferOp> ops;
  QHash<QPair<qint64, int>, qint64> arguments; ///< node of the graph by function op and number

  /// The node of the graph that stands for where the conflict's buffer comes from.
  qint64 nodeOf(const BufferConflict &conflict) const;
};

/// The answer with `peaksOnly`.
struct SnapshotPeaks {
  int snapshot = -1;
  BufferPeaks peaks;
};

void decode(const QJsonObject &json, BuffersReport &out);
void decode(const QJsonObject &json, SnapshotPeaks &out);

} // namespace fuselage::protocol
