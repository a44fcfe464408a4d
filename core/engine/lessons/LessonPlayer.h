// Does what lessons ask for, without a window.
#pragma once
#include "core/engine/Engine.h"
#include "core/engine/lessons/LessonFacts.h"
#include "core/lessons/Lesson.h"
#include "core/lessons/LessonCheck.h"
#include "core/protocol/Tiles.h"

namespace fuselage {

/// Runs the actions of "Show me" on an engine of its own:
///   fuse A -> B | fuse all | clean up | pipeline TEXT | record [TEXT] | step NAME | schedule FILE
///   select OP or %VALUE | tile OP SIZES [cache KIB] [order LOOPS] [alone] | answer NUMBER | choice LETTER | view NAME
///   | panel NAME
/// What only a window can do is taken as done; a test of the window holds that it can be.
class LessonPlayer {
public:
  LessonPlayer();
  llvm::Error open(const Lesson &lesson);
  /// Failure: what is wrong with it, or why it did not work.
  llvm::Error act(llvm::StringRef action);
  /// What was answered before is no answer to the next task.
  void beginTask();
  std::vector<GoalState> judge(const LessonTask &task);
  llvm::Expected<mlir::ModuleOp> module() { return engine_.current->module(snapshot()); }
  unsigned snapshot() const { return place_.value_or(snapshot_); }
  /// What the action `tile` shows of its text, "matmul 8,8,0 cache 32", at these indices; empty: of the first tile.
  llvm::Expected<message::TileReport<>> reportTile(llvm::StringRef how, llvm::ArrayRef<int64_t> at = {});
  /// Whether an op is on screen, by its name.
  bool hasOp(llvm::StringRef name);

  /// What is known of a file that was handed in, also where it fails.
  struct Submission {
    bool isSchedule = false;
    bool parses = false;
  };
  /// Puts a module in place of the lesson's, or runs a schedule on that; goals are judged on the result then. The file
  /// may kill the process. Failure: it does not parse, or a transform of the schedule fails.
  llvm::Error submit(llvm::StringRef path, Submission &submission);

private:
  using Reply = llvm::Expected<llvm::json::Object>;
  Reply call(llvm::StringRef method, llvm::json::Object params);
  llvm::Error fuse(llvm::json::Object params);
  llvm::Error fuseEdge(llvm::StringRef from, llvm::StringRef to);
  llvm::Error record(llvm::StringRef pipeline);
  llvm::Error goToStep(llvm::StringRef name);
  llvm::Error runSchedule(llvm::StringRef file);
  llvm::Error showEnd(const llvm::json::Object &trace);
  /// The first op that is called so.
  llvm::Expected<int64_t> find(llvm::StringRef name);
  llvm::Error recordSchedule(llvm::StringRef path);
  llvm::Error select(llvm::StringRef name);
  llvm::Expected<llvm::json::Object> askTile(llvm::StringRef how);
  llvm::Error tile(llvm::StringRef how);
  LessonFacts::Told toldOf(const LessonTask &task);
  std::optional<double> factOfTile(llvm::StringRef fact, llvm::StringRef op);
  std::optional<double> loadsOfTiles();
  void show(unsigned snapshot);

  Engine engine_;
  MethodTable methods_;
  std::string folder_;
  unsigned snapshot_ = 0;         ///< of the step on screen
  std::optional<unsigned> place_; ///< on screen instead: what a schedule made of it
  LessonFacts::Told told_;
  std::string selectedOp_, selectedValue_;
  std::optional<message::TileReport<>> tile_; ///< in the Tile Explorer
  std::string tiled_;                         ///< the action that shows it there
};

/// Replays every "Show me": no task's goals hold before it, nor after any of its wrong ways, all do after it; the ops
/// that it points at are there when it begins, or after it.
std::vector<LessonProblem> checkLesson(const Lesson &lesson);

} // namespace fuselage
