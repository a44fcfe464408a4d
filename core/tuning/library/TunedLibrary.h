// The library of tuned sizes: a file that tuning writes and runs read.
#pragma once
#include "core/run/DispatchTuning.h"
#include "core/support/Error.h"
#include "core/tuning/dispatch/DispatchSpace.h"

namespace fuselage::tune {

/// Sizes that made a dispatch faster on a device.
struct TunedEntry {
  std::string device, driver; ///< the device's name, not its number
  std::string dispatch;       ///< fingerprint, see fingerprintOfDispatch
  std::string op;             ///< for readers, see describeShapingOp
  RequestedSizes sizes;
  double ratio = 1;      ///< speedup over the pipeline's sizes
  std::string when{};    ///< "2026-11-23T11:50:00Z"
  std::string version{}; ///< of the program that measured
  bool operator==(const TunedEntry &) const = default;
};

/// A hash of the function's IR without its name and locations.
std::string fingerprintOfDispatch(mlir::func::FuncOp dispatch);

/// A JSON file with one entry per line, sorted by device, driver and op: {"fuselage_tuned": 1, "entries": [..]}.
class TunedLibrary {
public:
  /// $XDG_DATA_HOME/fuselage/tuned.json, by default in ~/.local/share. Empty if there is no home folder.
  static std::string defaultPath();
  /// Reads a library; a missing file has no entries. Fails if the file cannot be read, is damaged, or is of a later
  /// version.
  static llvm::Expected<TunedLibrary> read(llvm::StringRef path);
  /// Adds entries to the file; each replaces an older entry of the same device, driver and dispatch. Concurrent
  /// processes wait for each other (flock on a file next to it). Fails as read() does, or if the file cannot be
  /// written; the file is unchanged then.
  static llvm::Error add(llvm::StringRef path, llvm::ArrayRef<TunedEntry> entries);
  /// Removes an entry from the file. Returns false if the file has no such entry, for example because another process
  /// has replaced it. Fails as add() does.
  static llvm::Expected<bool> remove(llvm::StringRef path, const TunedEntry &entry);
  /// Merges several files: of the entries for the same device, driver and dispatch, keeps the one with the largest
  /// speedup. Fails as read() does, or if a file is missing.
  static llvm::Expected<TunedLibrary> merged(llvm::ArrayRef<std::string> paths);

  const std::vector<TunedEntry> &entries() const { return entries_; }
  /// Returns null if there is no such entry.
  const TunedEntry *find(llvm::StringRef device, llvm::StringRef driver, llvm::StringRef dispatch) const;
  bool knows(const DeviceInfo &device) const;
  std::string text() const;

private:
  static llvm::Error change(llvm::StringRef path, llvm::function_ref<bool(TunedLibrary &library)> edit);
  void put(const TunedEntry &entry);
  bool take(llvm::StringRef device, llvm::StringRef driver, llvm::StringRef dispatch);
  std::vector<TunedEntry> entries_;
};

/// Requests the sizes of a library for the dispatches of a run.
class TunedDispatches : public DispatchTuning {
public:
  TunedDispatches(TunedLibrary library, std::string path) : library_(std::move(library)), path_(std::move(path)) {}
  bool apply(mlir::func::FuncOp dispatch, const DeviceInfo &device) const override;
  std::string source() const override { return path_; }
  bool isEmpty() const { return library_.entries().empty(); }
  bool knows(const DeviceInfo &device) const { return library_.knows(device); }

private:
  TunedLibrary library_;
  std::string path_;
};

/// Opens the library at `path`; returns null for "none" and "". Fails if the library is damaged; if that is the user's
/// default library, it returns null and sets `warning` instead.
llvm::Expected<std::unique_ptr<TunedDispatches>> openTuned(const std::string &path, std::string &warning);

} // namespace fuselage::tune
