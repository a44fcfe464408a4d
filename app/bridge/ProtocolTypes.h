// The values of the engine's protocol (core/engine/PROTOCOL.md) and how they come out of JSON.
#pragma once
#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QMetaType>
#include <QString>
#include <QStringList>
#include <optional>

namespace fuselage::protocol {

inline constexpr int version = 1;

/// One message about the user's IR; `line` and `column` count from 1, 0 means unknown.
struct Diagnostic {
  QString severity;
  QString message;
  QString file;
  int line = 0;
  int column = 0;
  qint64 op = -1;  ///< of a step's diagnostics: the op it lies on in the snapshot before the step
  int opLine = -1; ///< that op's line there, from 0
  QList<Diagnostic> notes;
};

/// Why a request failed.
struct Error {
  enum Code {
    Cancelled = -32800, ///< or superseded
    EngineGone = -1,    ///< no answer will come
    Refused = -2,       ///< not sent: it has ended the engine too often
  };
  int code = 0;
  QString message;
  QList<Diagnostic> diagnostics;
};

struct Initialized {
  int version = 0;
  QString engine;
  QString mlir;
  qint64 pid = 0;
};

struct Preset {
  QString name;
  QString pipeline;
  QString description;
};
struct Pass {
  QString argument;
  QString description;
};
struct Catalog {
  QList<Preset> presets;
  QList<Pass> passes;
};

/// What a step of a fusion was for, and how far the host's results are from those before.
struct StepFusion {
  QString reason; ///< the code that the pass is against; may be empty
  int dispatches = 0;
  bool checked = false;
  double maxAbsError = 0, maxRelError = 0;
  bool ok = true;
  QString note; ///< why it was not checked
};

/// Leads from one snapshot to another.
struct Step {
  int index = 0;
  QString name;
  QString pass;
  QString options;
  QString pipeline;
  QString teaches;
  QString scope;            ///< the op that a dumped pass ran on; empty: the whole module
  QString origin;           ///< where a dumped step stands; empty: recorded here
  double milliseconds = -1; ///< negative: nobody measured
  int before = -1;          ///< snapshots; -1: the log does not have it
  int after = -1;
  bool changed = false;
  bool failed = false;
  QMap<QString, qint64> opDelta;
  QList<Diagnostic> diagnostics;
  std::optional<StepFusion> fusion; ///< of steps that fuse
};
struct Document {
  QString path;
  QString name;
  QStringList functions;
  qint64 ops = 0;
  qint64 lines = 0;
  qint64 bytes = 0;
  qint64 gaps = 0;      ///< pieces of text that the reader skipped
  qint64 tolerated = 0; ///< ops that the universal parser read
  bool log = false;     ///< a pass-by-pass log: `steps` came with it
  QList<Step> steps;
  QList<Diagnostic> diagnostics;
};

struct Recording {
  QList<Step> steps;
  bool failed = false;
  int kept = 0, undo = 0, redo = 0; ///< as in FusionHistory
  QList<Diagnostic> notes; ///< why the default pipeline was cut
};
/// Sent before a pass runs, so that a crash can be named.
struct StepStarted {
  int index = 0;
  int total = 0;
  QString name;
  QString pass;
  QString pipeline;
};

/// What parsing a dump said.
struct SnapshotRead {
  bool parsed = false;
  QString problem; ///< why it is not
  qint64 gaps = 0;
  qint64 tolerated = 0;
  QList<Diagnostic> diagnostics;
};

struct TextLines {
  qint64 first = 0;
  qint64 total = 0;
  QStringList lines;
};
struct TextMatch {
  int line = 0;
  int column = 0;
  int length = 0;
};
struct TextMatches {
  QList<TextMatch> matches;
  qint64 total = 0;
};
/// The op that a line belongs to; lines [first, last] are its own.
struct OpAt {
  qint64 id = -1;
  int first = -1;
  int last = -1;
};

struct OpResult {
  QString name;
  QString type;
  qint64 bytes = -1;
};
struct OpOperand {
  QString name;
  QString type;
  qint64 from = 0;
  bool hasFrom = false;
  QString group; ///< the keyword that it is written behind: "ins", "offsets"; or empty
};
struct OpAttribute {
  QString name;
  QString value;
};
/// Where an op came from, an op of the opened document.
struct Origin {
  int snapshot = 0;
  qint64 id = 0;
  int line = -1;
};
struct OpDetails {
  qint64 id = 0;
  QString op;
  QString loc;
  int first = -1;
  int last = -1;
  QList<OpResult> results;
  QList<OpOperand> operands;
  QList<OpAttribute> attributes;
  QStringList maps;
  QString iterators;
  qint64 flops = -1;
  qint64 bytesRead = -1;
  qint64 bytesWritten = -1;
  bool bytesAtMost = false; ///< data decides what is read: it may be less
  int dispatch = -1;
  QList<qint64> users;
  QList<Origin> provenance;
  QString role, detail; ///< "tile load", and a sentence; empty where nothing is known
};

struct GraphDiffNode {
  qint64 id = 0;
  QString change; ///< "same", "added" or "changed"
  QList<qint64> origins;
};
struct GraphDiff {
  QList<GraphDiffNode> after;
  QList<qint64> removed;
};

struct Device {
  QString id;
  QString name;
  QString api;
  qint64 memoryBytes = 0;
  qint64 maxSharedBytes = 0;
  qint64 maxThreads = 0;
  bool software = false;
  QString target;
};
struct Devices {
  QList<Device> devices;
};

/// The file that graph/export, step/export and step/reproducer wrote.
struct WrittenFile {
  QString path;
};
/// A reply without content.
struct Nothing {};

// One overload a type; missing members keep their defaults, so that a newer engine can be read.
void decode(const QJsonObject &json, Diagnostic &out);
void decode(const QJsonObject &json, Initialized &out);
void decode(const QJsonObject &json, Document &out);
void decode(const QJsonObject &json, Catalog &out);
void decode(const QJsonObject &json, Step &out);
void decode(const QJsonObject &json, StepStarted &out);
void decode(const QJsonObject &json, Recording &out);
void decode(const QJsonObject &json, SnapshotRead &out);
void decode(const QJsonObject &json, TextLines &out);
void decode(const QJsonObject &json, TextMatches &out);
void decode(const QJsonObject &json, OpAt &out);
void decode(const QJsonObject &json, OpDetails &out);
void decode(const QJsonObject &json, GraphDiff &out);
void decode(const QJsonObject &json, Devices &out);
void decode(const QJsonObject &json, WrittenFile &out);
void decode(const QJsonObject &json, Nothing &out);
/// The `error` member of a reply.
void decode(const QJsonObject &json, Error &out);

} // namespace fuselage::protocol

Q_DECLARE_METATYPE(fuselage::protocol::Step)
Q_DECLARE_METATYPE(fuselage::protocol::Diagnostic)
