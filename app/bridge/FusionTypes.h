// The values of the protocol's fusion/* methods.
#pragma once
#include "app/bridge/ProtocolTypes.h"

namespace fuselage::protocol {

/// What makes one clause fail for one edge.
struct FusionEvidence {
  QString producerMap, consumerMap; ///< "(d0, d1) -> (d1, d0)"
  int clash = -1;                   ///< result of consumerMap (else of producerMap) that is at fault
  qint64 culprit = -1;              ///< op in the way
  QString culpritOp;
  QList<qint64> users; ///< other users of the value
  qint64 count = -1, limit = -1;
};

struct FusionReason {
  QString code, kind; ///< kind: what sort of NON_FUSABLE_OP
  QString sentence, detail;
  bool legal = false;
  FusionEvidence evidence;
};

/// Ids as in the graph.
struct FusionEdge {
  QString function;
  qint64 from = 0, to = 0;
  int operand = 0;
  QString fromOp, toOp, fromLoc, toLoc, type;
  QString verdict; ///< "FUSED_INTO_OP", "SAME_DISPATCH", "CLONED" or "SEPARATE"
  bool separate = false; ///< missed: it is not fused, and moves bytes, or nobody knows how many
  bool legal = false;
  QList<FusionReason> reasons; ///< the deciding one first
  QStringList unlocks;
  qint64 bytes = -1;        ///< that fusing saves; -1: unknown
  double microseconds = -1; ///< -1: unknown
  double share = -1;        ///< of all bytes that the dispatches move, 0 to 1; -1: unknown
};

struct FusionReport {
  int snapshot = -1;
  QString policy;
  double gbps = 0;
  qint64 dispatches = 0;
  qint64 fused = 0, separate = 0; ///< edges; separate as of an edge
  qint64 bytes = -1, missedBytes = 0;
  double missedMicroseconds = -1;
  QStringList unproven; ///< functions whose edges have no unlocks, because none were tried
  QList<FusionEdge> edges;
};

/// The recording as fusions and undo leave it.
struct FusionHistory {
  QList<Step> steps;
  int kept = 0; ///< steps that stay when something is recorded
  int undo = 0, redo = 0;
};

struct FuseResult {
  FusionHistory history;
  bool fused = false;
  QString pipeline;
  QStringList reasons;
  QStringList dropped; ///< parts of all that pays that did not, with why
  int tries = 0;
  bool gaveUp = false;
  int dispatchesBefore = 0, dispatchesAfter = 0;
  int first = 0; ///< number of the first new step
};

struct Bandwidth {
  QString device;
  double gbps = 0;
};

struct FuseProgress {
  QString phase; ///< "search", "apply" or "check"
  QString what;  ///< the pass that is next
  int done = 0, total = 0;
};

struct ReasonHelp {
  QString code, kindOf, sentence, page;
  bool legal = false;
  QStringList unlocks;
};
struct ReasonHelps {
  QList<ReasonHelp> reasons;
};

void decode(const QJsonObject &json, FusionReport &out);
void decode(const QJsonObject &json, FusionHistory &out);
void decode(const QJsonObject &json, FuseResult &out);
void decode(const QJsonObject &json, Bandwidth &out);
void decode(const QJsonObject &json, FuseProgress &out);
void decode(const QJsonObject &json, ReasonHelps &out);

} // namespace fuselage::protocol

Q_DECLARE_METATYPE(fuselage::protocol::FuseResult)
