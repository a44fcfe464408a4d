#include "core/run/parameters/InputFiles.h"
#include "core/ir/ops/Parameters.h"
#include "core/ir/ops/WrittenTypes.h"
#include "core/run/parameters/ParameterArchive.h"
#include "core/run/values/NpyFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace fuselage {

namespace {

struct ScopedArchive {
  std::string scope; ///< empty: of any
  ParameterArchive archive;
};

/// Finds parameters in archives.
class ParameterFinder {
public:
  llvm::Error open(ArrayRef<std::string> files);
  /// Sets how names are changed so that the archives know them, if they know none as it is.
  void matchNames(ArrayRef<std::string> addresses);
  /// The archive that has a parameter, and its name there; null: none has.
  const ParameterArchive *find(StringRef address, std::string &key) const;
  const std::vector<ScopedArchive> &archives() const { return archives_; }

private:
  bool knowsAll(ArrayRef<std::string> addresses) const;
  std::vector<ScopedArchive> archives_;
  std::string dropped_, added_; ///< prefixes of names
};

} // namespace

/// {"model", "encoder.weight"} of "model::encoder.weight".
static std::pair<StringRef, StringRef> splitAddress(StringRef address) {
  size_t at = address.find("::");
  return at == StringRef::npos ? std::pair<StringRef, StringRef>("", address)
                               : std::pair(address.take_front(at), address.drop_front(at + 2));
}

llvm::Error ParameterFinder::open(ArrayRef<std::string> files) {
  for (StringRef file : files) {
    auto [scope, path] = file.split('=');
    bool hasScope = !path.empty() && !scope.contains('/') && !llvm::sys::fs::exists(file);
    auto archive = ParameterArchive::open(hasScope ? path : file);
    if (!archive)
      return archive.takeError();
    archives_.push_back({hasScope ? scope.str() : "", std::move(*archive)});
  }
  return llvm::Error::success();
}

const ParameterArchive *ParameterFinder::find(StringRef address, std::string &key) const {
  auto [scope, name] = splitAddress(address);
  if (!name.consume_front(dropped_))
    return nullptr;
  key = added_ + name.str();
  for (const ScopedArchive &candidate : archives_)
    if ((candidate.scope.empty() || candidate.scope == scope) && candidate.archive.find(key))
      return &candidate.archive;
  return nullptr;
}

bool ParameterFinder::knowsAll(ArrayRef<std::string> addresses) const {
  std::string key;
  return llvm::all_of(addresses, [&](StringRef address) { return find(address, key) != nullptr; });
}

void ParameterFinder::matchNames(ArrayRef<std::string> addresses) {
  std::string key;
  if (addresses.empty() || llvm::any_of(addresses, [&](StringRef address) { return find(address, key) != nullptr; }))
    return;
  // What wraps a model puts its own name in front: "model.encoder.weight" for "encoder.weight".
  StringRef first = splitAddress(addresses.front()).second;
  for (size_t dot = first.find('.'); dot != StringRef::npos; dot = first.find('.', dot + 1)) {
    dropped_ = first.take_front(dot + 1).str();
    if (knowsAll(addresses))
      return;
  }
  dropped_.clear();
  for (const ScopedArchive &candidate : archives_)
    for (const std::string &known : candidate.archive.keys()) {
      StringRef prefix = known;
      if (!prefix.consume_back(first) || !prefix.ends_with("."))
        continue;
      added_ = prefix.str();
      if (knowsAll(addresses))
        return;
    }
  added_.clear();
}

/// "'a', 'b', .."
static std::string firstFew(ArrayRef<std::string> names) {
  constexpr size_t few = 3;
  std::string text;
  for (StringRef name : names.take_front(few))
    text += (text.empty() ? "'" : ", '") + name.str() + "'";
  return names.size() > few ? text + ", .." : text;
}

static llvm::Error missing(func::FuncOp function, const ParameterFinder &finder, ArrayRef<std::string> absent,
                           size_t count) {
  std::vector<std::string> have;
  std::string files;
  for (const ScopedArchive &archive : finder.archives()) {
    llvm::append_range(have, archive.archive.keys());
    files += (files.empty() ? "" : ", ") + archive.archive.path();
  }
  return fail(files + (finder.archives().size() == 1 ? " lacks " : " lack ") + std::to_string(absent.size()) +
              " of the " + std::to_string(count) + " parameters of @" + function.getName().str() + ": " +
              firstFew(absent) + "; " + (have.empty() ? "there is none" : "there are " + firstFew(have)) +
              ". Give the file that has them with another --parameters, or leave --parameters out for random ones");
}

/// Null: all arguments are wanted.
static bool isWanted(BlockArgument argument, const llvm::BitVector *wanted) {
  return !wanted || wanted->test(argument.getArgNumber());
}

static llvm::Error readParameters(func::FuncOp function, ArrayRef<std::string> files,
                                  std::vector<std::optional<InputValue>> &values, const llvm::BitVector *wanted) {
  std::vector<std::string> addresses, absent;
  for (BlockArgument argument : function.getArguments())
    if (isParameter(argument))
      addresses.push_back(parameterAddress(argument));
  if (addresses.empty())
    return fail("there is nothing to give parameters to: @" + function.getName().str() +
                " has no argument with the attribute '" + kParameterAttr.str() + "'");
  ParameterFinder finder;
  if (llvm::Error error = finder.open(files))
    return error;
  finder.matchNames(addresses);
  for (auto [argument, value] : llvm::zip_equal(function.getArguments(), values)) {
    if (!isParameter(argument) || value || !isWanted(argument, wanted))
      continue;
    std::string key;
    const ParameterArchive *archive = finder.find(parameterAddress(argument), key);
    if (!archive) {
      absent.push_back(parameterAddress(argument));
      continue;
    }
    auto tensor = archive->read(key, argument.getType());
    if (!tensor)
      return tensor.takeError();
    value = InputValue{.tensor = std::move(*tensor),
                       .source = "@" + archive->path(),
                       .note = key == parameterName(argument) ? "" : "there '" + key + "'"};
  }
  return absent.empty() ? llvm::Error::success() : missing(function, finder, absent, addresses.size());
}

/// The file of a folder that is an argument's; empty: there is none.
static std::string fileOf(BlockArgument argument, StringRef folder) {
  for (std::string name :
       {"arg" + std::to_string(argument.getArgNumber()), parameterName(argument), parameterAddress(argument)}) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name + ".npy");
    if (!name.empty() && llvm::sys::fs::is_regular_file(path))
      return path.str().str();
  }
  return "";
}

static llvm::Error readFolder(func::FuncOp function, StringRef folder, std::vector<std::optional<InputValue>> &values,
                              const llvm::BitVector *wanted) {
  if (!llvm::sys::fs::is_directory(folder))
    return fail("cannot read inputs from " + folder.str() + ": it is no folder");
  bool found = false;
  for (auto [index, argument] : llvm::enumerate(function.getArguments())) {
    std::string path = fileOf(argument, folder);
    if (path.empty())
      continue;
    found = true;
    if (!isWanted(argument, wanted))
      continue;
    auto tensor = readNpy(path, writtenType(argument));
    if (!tensor)
      return fail("arg" + std::to_string(index) + " of @" + function.getName().str() + ", a " +
                  textOf(writtenType(argument)) + ", cannot be given: " + takeFailure(tensor.takeError()).message);
    values[index] = InputValue{.tensor = std::move(*tensor), .source = "@" + path, .note = ""};
  }
  return found ? llvm::Error::success()
               : fail("the folder " + folder.str() + " has no input of @" + function.getName().str() +
                      ": arg0.npy and so on, or NAME.npy of a parameter");
}

llvm::Expected<std::vector<std::optional<InputValue>>> readInputFiles(func::FuncOp function, const InputFiles &files,
                                                                      const llvm::BitVector *wanted) {
  std::vector<std::optional<InputValue>> values(function.getNumArguments());
  if (!files.folder.empty())
    if (llvm::Error error = readFolder(function, files.folder, values, wanted))
      return error;
  if (!files.parameters.empty())
    if (llvm::Error error = readParameters(function, files.parameters, values, wanted))
      return error;
  return values;
}

ArgumentSizes sizesInFiles(func::FuncOp function, const std::map<std::string, std::string> &how,
                           const InputFiles &files) {
  ArgumentSizes sizes;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    unsigned index = argument.getArgNumber();
    auto named = how.find("arg" + std::to_string(index));
    std::string path = named == how.end() && !files.folder.empty() ? fileOf(argument, files.folder)
                       : named != how.end() && StringRef(named->second).starts_with("@") ? named->second.substr(1)
                                                                                         : "";
    if (!type || type.hasStaticShape() || path.empty())
      continue;
    auto shape = readNpyShape(path);
    if (!shape)
      llvm::consumeError(shape.takeError());
    else if (int64_t(shape->size()) == type.getRank())
      for (auto [dimension, size] : llvm::enumerate(*shape))
        if (type.isDynamicDim(dimension))
          sizes[sizeName(index, dimension)] = size;
  }
  return sizes;
}

} // namespace fuselage
