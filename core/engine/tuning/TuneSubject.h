// What a client wants to tune: what a schedule leaves open, or the pipeline for a dispatch.
#pragma once
#include "core/engine/Document.h"
#include "core/protocol/Tuning.h"
#include "core/protocol/methods/TuneMethods.h"
#include "core/run/RunProgram.h"
#include "core/schedules/script/Script.h"
#include "core/tuning/dispatch/RequestedDispatch.h"
#include "core/tuning/enumerate/Clash.h"
#include "core/tuning/enumerate/Count.h"
#include "core/tuning/enumerate/Feasible.h"
#include "core/tuning/space/ScheduleTile.h"

namespace fuselage {

/// The parameters that name it, as tune/space and tune/start take them.
struct TuneSubjectParams {
  unsigned snapshot = 0;
  std::string path, text; ///< of a script; `path` empty: the subject is `dispatch`
  bool isText = false;
  bool isAll = false; ///< all dispatches, one after the other; only tune/start
  ScriptOptions script;
  std::string dispatch, device, function;
  std::map<std::string, int64_t> sizes;
  std::map<std::string, std::string> fixed; ///< knobs that are not to be searched

  /// Failure: it is none of script, dispatch and all dispatches, or several of them.
  static llvm::Expected<TuneSubjectParams> of(const method::TuneSubject<> &subject);
  /// Equal where space and count are, as long as files stay as they are.
  std::string key() const;
};

/// The space, with what is asked about it again and again.
class TuneSubject {
public:
  /// Failure: script, dispatch or device are not there, or the script leaves nothing open.
  static llvm::Expected<std::unique_ptr<TuneSubject>> open(Document &document, TuneSubjectParams params);

  const TuneSubjectParams &params() const { return params_; }
  const tune::Space &space() const { return space_; }
  /// Of the same snapshot of the same document.
  bool isOf(const Snapshot *snapshot) const { return snapshot_.get() == snapshot; }
  /// The name of the dispatch; empty: the subject is a script.
  const std::string &dispatch() const { return dispatch_; }

  /// The space at the point next to `values`, which may leave knobs out: what is missing is as
  /// selected. With `moved`, that knob has the value that was given, and others follow. Failure: no
  /// such knob or value, or no point has the value.
  llvm::Expected<message::TuneSpace<>> at(const std::map<std::string, std::string> &values, const std::string &moved,
                                          llvm::ArrayRef<message::TuneTrial<>> trials) const;

  /// What the pipeline makes of the dispatch with these sizes, which are a point of the space. Failure: the subject is
  /// a script, there is no such point, or the pipeline refuses.
  llvm::Expected<tune::RequestedDispatch> run(const std::map<std::string, std::string> &values) const;

private:
  explicit TuneSubject(TuneSubjectParams params) : params_(std::move(params)) {}
  llvm::Error openScript(Document &document);
  llvm::Error openDispatch(Document &document);
  llvm::Error fix();
  void look();
  llvm::Expected<tune::Point> pointNear(const std::map<std::string, std::string> &values,
                                        const std::string &moved) const;
  message::TuneKnob<> knobAt(unsigned number, const std::optional<tune::Point> &point) const;
  message::TunePrediction<> predict(const tune::Point &point, const std::optional<message::TuneTile<>> &tile,
                                    llvm::ArrayRef<message::TuneTrial<>> trials) const;
  /// What the point makes of the op that shapes the tiles; nullopt: the pipeline chooses, or it is not known.
  std::optional<message::TuneTile<>> tileAt(const tune::Point &point) const;
  /// Of a dispatch.
  tune::RequestedSizes sizesAt(const tune::Point &point) const;
  void predictTiles(llvm::ArrayRef<int64_t> sizes, message::TunePrediction<> &prediction) const;

  TuneSubjectParams params_;
  std::shared_ptr<const Snapshot> snapshot_;
  tune::Space space_;
  std::string name_, detail_, dispatch_;
  std::map<std::string, std::string> options_; ///< by knob, as the script has them
  std::optional<RunProgram> program_;
  mlir::func::FuncOp function_;    ///< the dispatch in it
  bool hasHostTiles_ = false;      ///< the dispatch is for the host, whose kernels have tasks and registers
  std::shared_ptr<OpIndex> index_; ///< of the snapshot that a script is of
  std::optional<tune::ScheduleTile> tile_;
  tune::PointCount count_;
  tune::FeasibleValues values_;
  std::optional<tune::Clash> clash_;
};

} // namespace fuselage
