// What tuning found for dispatches, in a file that runs read.
#pragma once
#include "core/run/DispatchTuning.h"
#include "core/support/Error.h"
#include "core/tuning/dispatch/DispatchSpace.h"

namespace fuselage::tune {

/// Sizes that made a dispatch faster on a device.
struct TunedEntry {
  std::string device, driver; ///< the device's name, not its number
  std::string dispatch;       ///< fingerprint, see fingerprintOfDispatch
  std::string op;             ///< for people, see describeShapingOp
  AskedSizes sizes;
  double ratio = 1;      ///< so many times as fast as what the pipeline chooses
  std::string when{};    ///< "2026-11-23T11:50:00Z"
  std::string version{}; ///< of the program that tuned
  bool operator==(const TunedEntry &) const = default;
};

/// The same for functions that are equal but for their name and places.
std::string fingerprintOfDispatch(mlir::func::FuncOp dispatch);

/// A file of JSON with an entry on each line, sorted by device, driver and op: {"fuselage_tuned": 1, "entries": [..]}.
class TunedLibrary {
public:
  /// $XDG_DATA_HOME/fuselage/tuned.json, else in ~/.local/share. Empty: there is no home.
  static std::string defaultPath();
  /// A file that is not there has no entries. Failure: it cannot be read, is damaged, or is of a later version.
  static llvm::Expected<TunedLibrary> read(llvm::StringRef path);
  /// Adds entries to the file, each in the place of an older one of its device, driver and dispatch. Processes that do
  /// so at once wait for each other (flock of a file beside it). Failure: as of read, with the file left as it was, or
  /// it cannot be written.
  static llvm::Error add(llvm::StringRef path, llvm::ArrayRef<TunedEntry> entries);
  /// Takes an entry out of the file. False: it has none such, as another process may have put another one in its place.
  /// Failure: as of add.
  static llvm::Expected<bool> remove(llvm::StringRef path, const TunedEntry &entry);
  /// All entries of several files: of those for one device, driver and dispatch the one that is faster. Failure: as of
  /// read, or one is not there.
  static llvm::Expected<TunedLibrary> merged(llvm::ArrayRef<std::string> paths);

  const std::vector<TunedEntry> &entries() const { return entries_; }
  /// Null: there is none.
  const TunedEntry *find(llvm::StringRef device, llvm::StringRef driver, llvm::StringRef dispatch) const;
  bool knows(const DeviceInfo &device) const;
  std::string text() const;

private:
  static llvm::Error change(llvm::StringRef path, llvm::function_ref<bool(TunedLibrary &library)> edit);
  void put(const TunedEntry &entry);
  bool take(llvm::StringRef device, llvm::StringRef driver, llvm::StringRef dispatch);
  std::vector<TunedEntry> entries_;
};

/// Asks for what a library has.
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

/// What the library at `path` has; null for "none" and "". Failure: it is damaged; of the user's own one, only
/// `warning` says so.
llvm::Expected<std::unique_ptr<TunedDispatches>> openTuned(const std::string &path, std::string &warning);

} // namespace fuselage::tune
