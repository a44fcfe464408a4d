// The open module, its recording, and what was derived from its snapshots.
#pragma once
#include "core/engine/LruCache.h"
#include "core/graph/model/Graph.h"
#include "core/graph/model/GraphDiff.h"
#include "core/graph/scene/DispatchHues.h"
#include "core/graph/scene/PlaceMemory.h"
#include "core/graph/scene/Scene.h"
#include "core/ir/Session.h"
#include "core/stepping/diff/TextDiff.h"
#include "core/stepping/dumps/OpenedFile.h"
#include "core/stepping/record/ToolRun.h"
#include "core/support/Extensions.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {

/// Finds ops of one snapshot by id, by value and by place; names values as the text does.
class OpIndex {
public:
  /// `owner` keeps the module in memory for as long as this lives.
  OpIndex(mlir::ModuleOp module, std::shared_ptr<const void> owner);
  OpId count() const { return ops_.size(); }
  mlir::Operation *op(OpId id) const { return ops_[id]; }
  OpId idOf(mlir::Operation *op) const { return ids_.lookup(op); }
  std::string nameOf(mlir::Value value);
  /// Ops that stand at one of the positions in `location`, in order, at most a few.
  std::vector<OpId> opsAt(mlir::Location location) const;

private:
  std::shared_ptr<const void> owner_;
  std::vector<mlir::Operation *> ops_;
  llvm::DenseMap<mlir::Operation *, OpId> ids_;
  llvm::DenseMap<mlir::Attribute, llvm::SmallVector<OpId, 1>> places_; // by FileLineColLoc
  std::optional<mlir::AsmState> names_; // numbering the values takes its time: once they are asked for
};

/// One document: a module, or a log of passes (DumpTimeline.h). Owns its session, so that closing it
/// gives all memory back. Derived data is made on demand and kept within a budget. Snapshots and steps
/// are numbered as in PROTOCOL.md; callers check the ranges.
class Document {
public:
  /// What it is goes by its content. Failure: the file does not open; nothing else is touched.
  static llvm::Expected<std::unique_ptr<Document>> open(llvm::StringRef path,
                                                        const std::atomic<bool> *cancelled = nullptr);

  /// The log of a tool that may still be at work; it is ended with the document. `source`: what it runs on.
  static llvm::Expected<std::unique_ptr<Document>> open(std::shared_ptr<ToolRun> run, std::string source,
                                                        std::string command, const std::atomic<bool> *cancelled);
  /// What came to its log since the last time: the first step that is new, or was replaced. Failure: the log cannot
  /// be read, or the tool has ended without a dump.
  llvm::Expected<unsigned> grow(const std::atomic<bool> *cancelled);
  /// Null where this is no tool's log.
  const std::shared_ptr<ToolRun> &toolRun() const { return toolRun_; }
  const std::string &toolCommand() const { return toolCommand_; }
  const std::string &toolSource() const { return toolSource_; }
  /// The log that this document reads goes with the run, also where it was opened by its path.
  void keep(const Document &other) {
    toolRun_ = other.toolRun_;
    toolCommand_ = other.toolCommand_;
    toolSource_ = other.toolSource_;
  }
  /// Steps of the log as it was opened, whatever was recorded since.
  const Recording &opened() const { return opened_; }

  const std::string &path() const { return path_; }
  uint64_t fileBytes() const { return fileBytes_; }
  const std::vector<Diagnostic> &diagnostics() const { return diagnostics_; }
  /// What the reader skipped of a module, and what the universal parser read.
  unsigned gaps() const { return gaps_; }
  unsigned tolerated() const { return tolerated_; }
  /// Whether this is a log of passes, whose steps are there from the start.
  bool isLog() const { return !opened_.log.empty(); }
  /// The snapshot to show first: a module as normalized, the earliest dump of a log.
  unsigned firstShown() const { return isLog() ? 0 : kept_; }
  Session &session() { return *session_; }
  /// As its author wrote it. Failure: it is a dump that does not parse.
  llvm::Expected<mlir::ModuleOp> input() { return module(0); }
  const Recording &recording() const { return recording_; }
  unsigned snapshotCount() const { return recording_.snapshots.size(); }

  /// Places of the schedule that was traced last are snapshots, too: numbered from here on, and never twice.
  static constexpr unsigned kFirstPlace = 1u << 24;
  /// The number of a payload, the same one whenever it is asked for. Of many, those are forgotten whose numbers nobody
  /// has asked for the longest.
  unsigned addPlace(std::shared_ptr<const mlir::OwningOpRef<mlir::ModuleOp>> payload);
  /// The same for a snapshot that may have no module.
  unsigned addPlace(std::shared_ptr<const Snapshot> snapshot);
  void forgetPlaces();
  bool hasSnapshot(int64_t number) const;
  const std::shared_ptr<const Snapshot> &snapshot(unsigned number) const;

  /// Snapshots that recordings may begin at: those of the log, or the module that was opened.
  unsigned startCount() const { return opened_.snapshots.size(); }
  /// Records from one of these, or after the steps that keptSteps() counts; on a Failure the recording
  /// before stays. `from` also ends the history of fusions.
  llvm::Error record(const RecordOptions &options, std::optional<unsigned> from = std::nullopt);

  /// Steps at the front of the recording that a new recording leaves alone: those up to the last fusion.
  unsigned keptSteps() const { return kept_; }
  /// Records a pipeline after any snapshot, and puts it in place of the steps that stood there. Steps
  /// that change nothing are left out. Returns the number of the first new step; there may be none.
  /// Failure: as of record(), or a pass failed; the recording stays.
  llvm::Expected<unsigned> fuse(const RecordOptions &options, unsigned snapshot);
  /// What is found out about a step of a fusion, once it is recorded.
  void setFusion(unsigned step, StepFusion fusion) { recording_.steps[step].fusion = std::move(fusion); }
  /// To the recording before the last fusion, or back again; false if there is none.
  bool undoFusion();
  bool redoFusion();
  void forgetRedo() { undone_.after.clear(); }
  unsigned undoLevels() const { return undone_.before.size(); }
  unsigned redoLevels() const { return undone_.after.size(); }

  /// Stays valid as lines() do. Failure: it is a dump that does not parse.
  llvm::Expected<mlir::ModuleOp> module(unsigned snapshot);
  /// The module to compile and run: that of the snapshot, or of the one as written its normalized form. Upstream's
  /// folders crash on some forms that normalization settles.
  llvm::Expected<mlir::ModuleOp> program(unsigned snapshot);
  /// The text, of a dump without parsing it. Stays valid until the next few calls for other snapshots.
  const PrintedModule &lines(unsigned snapshot);
  /// The text with the places of its ops; of a dump that does not parse, without.
  const PrintedModule &printed(unsigned snapshot);
  /// Failure of these: a dump that does not parse.
  llvm::Expected<std::shared_ptr<const Graph>> graph(unsigned snapshot, const std::atomic<bool> *cancelled = nullptr);
  llvm::Expected<std::shared_ptr<OpIndex>> index(unsigned snapshot);
  /// What is different from one snapshot to another, such as the sides of a step.
  std::shared_ptr<const TextDiff> textDiff(unsigned before, unsigned after);
  llvm::Expected<std::shared_ptr<const GraphDiff>> graphDiff(unsigned before, unsigned after);
  /// `key` spells the options. Nodes that were in the picture asked for before keep their order, and dispatches their
  /// colour.
  llvm::Expected<std::shared_ptr<const Scene>> scene(unsigned snapshot, SceneOptions options, const std::string &key,
                                                     const std::atomic<bool> &cancelled);

  /// What a module was read from; nothing of a log.
  const OpenedFile &file() const { return file_; }
  /// What a feature keeps of this document, whose modules it may hold: `document.extension<TracedSchedule>()`. Goes
  /// with the document. Null: the feature has set nothing.
  template <class T> std::shared_ptr<T> &extension() { return extensions_.get<T>(); }

private:
  /// A recording, and how many of its steps stay when something is recorded.
  struct Version {
    Recording recording;
    unsigned kept = 0;
  };

  Document() = default;
  llvm::Error readLog(const std::atomic<bool> *cancelled);
  void show(Version version);
  /// What stays of the recording before a snapshot.
  Recording prefix(unsigned snapshot) const;
  llvm::Error read(llvm::StringRef path, const std::atomic<bool> *cancelled);
  /// Records what brings a module into the form that everything else expects (NormalizeForeign.h), as a step that
  /// stays.
  llvm::Error normalize();
  unsigned normalizationSteps() const;
  void forgetDerived();
  /// Where the ops of `snapshot` stood in the last picture: by id in the same snapshot, else through their locations.
  std::map<OpId, LayoutPoint> hintsFor(unsigned snapshot);
  PlaceMemory &placesOf(unsigned snapshot);
  /// Snapshots shared by steps share what is derived from them.
  const Snapshot *snapshotKey(unsigned number) const { return snapshot(number).get(); }

  std::shared_ptr<ToolRun> toolRun_; // before the recordings, which read its log
  std::string toolCommand_, toolSource_;
  uint64_t readBytes_ = 0; // of its log
  bool readAll_ = false;
  std::string path_;
  uint64_t fileBytes_ = 0;
  std::vector<Diagnostic> diagnostics_;
  unsigned gaps_ = 0, tolerated_ = 0;
  std::unique_ptr<Session> session_;
  // After session_: their modules die before their context.
  Recording opened_;    // the log, or the module alone
  Recording recording_; // the log until something is recorded, then that
  unsigned kept_ = 0;
  bool isNormalized_ = false; ///< the first step of the recording is the normalization
  struct {
    std::vector<Version> before, after;
  } undone_;

  using Key = const Snapshot *;
  LruCache<Key, const Snapshot> texts_{256 << 20};                     // bytes
  LruCache<Key, const Snapshot> modules_{512 << 20};                   // bytes of parsed dumps, as far as texts tell
  LruCache<Key, const Graph> graphs_{2'000'000};                       // nodes and edges
  LruCache<Key, OpIndex> indices_{2'000'000};                          // ops
  LruCache<std::pair<Key, Key>, const TextDiff> textDiffs_{4'000'000}; // rows
  LruCache<std::pair<Key, Key>, const GraphDiff> graphDiffs_{4'000'000};
  /// Found again after a fusion that was undone: pictures go by the snapshot itself, not by its number.
  struct Picture {
    std::weak_ptr<const Snapshot> of;
    Scene scene;
  };
  LruCache<std::string, const Picture> scenes_{2'000'000}; // boxes and bends
  DispatchHues hues_;
  std::shared_ptr<const Scene> shown_; // the last picture
  unsigned shownSnapshot_ = 0;
  bool shownIsLayered_ = false;
  std::map<unsigned, std::pair<std::weak_ptr<const Snapshot>, PlaceMemory>> seen_; // by snapshot
  OpenedFile file_;
  Extensions extensions_;
  struct Place {
    std::shared_ptr<const mlir::OwningOpRef<mlir::ModuleOp>> payload;
    std::shared_ptr<const Snapshot> snapshot;
    uint64_t used = 0; // when it was asked for last
  };
  void forgetOldPlaces();
  std::map<unsigned, Place> places_; // by number
  uint64_t placesAsked_ = 0;
  unsigned nextPlace_ = kFirstPlace;
};

} // namespace fuselage
