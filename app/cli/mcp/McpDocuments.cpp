#include "app/cli/mcp/McpDocuments.h"
#include "core/support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fuselage::cli {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

llvm::Expected<McpDocuments> McpDocuments::create(std::vector<std::string> folders) {
  McpDocuments made;
  for (const std::string &folder : folders) {
    llvm::SmallString<256> real;
    if (fs::real_path(folder, real) || !fs::is_directory(real))
      return fail("'" + folder + "' is no folder");
    made.folders_.push_back(std::string(real));
  }
  llvm::SmallString<256> scratch;
  if (std::error_code error = fs::createUniqueDirectory("fuselage-mcp", scratch))
    return fail("no folder can be made for copies: " + error.message());
  made.scratch_ = std::string(scratch);
  return made;
}

McpDocuments::~McpDocuments() {
  if (!scratch_.empty())
    fs::remove_directories(scratch_);
}

bool McpDocuments::isInside(llvm::StringRef realPath) const {
  return llvm::any_of(folders_, [&](llvm::StringRef folder) {
    llvm::StringRef rest = realPath;
    return rest.consume_front(folder) && (rest.empty() || rest.front() == '/' || folder.ends_with("/"));
  });
}

static llvm::Error elsewhere(llvm::StringRef path) {
  return fail("'" + path.str() + "' is in none of the folders that this server was started with (--folder)");
}

llvm::Expected<std::string> McpDocuments::readable(llvm::StringRef name) const {
  std::vector<std::string> candidates;
  if (path::is_absolute(name))
    candidates.push_back(name.str());
  else
    for (const std::string &folder : folders_)
      candidates.push_back(folder + "/" + name.str());
  for (const std::string &candidate : candidates) {
    llvm::SmallString<256> real;
    if (fs::real_path(candidate, real))
      continue;
    if (!isInside(real))
      return elsewhere(name);
    if (!fs::is_regular_file(real))
      return fail("'" + name.str() + "' is no regular file");
    return std::string(real);
  }
  return path::is_absolute(name) && !isInside(name) ? elsewhere(name)
                                                    : fail("there is no file '" + name.str() + "' in the folders");
}

llvm::Expected<std::string> McpDocuments::writable(llvm::StringRef name, bool replaces) const {
  if (folders_.empty())
    return fail("this server was started without a folder (--folder), and writes nothing");
  std::string whole = path::is_absolute(name) ? name.str() : folders_.front() + "/" + name.str();
  llvm::StringRef file = path::filename(whole);
  llvm::SmallString<256> parent;
  if (file.empty() || file == "." || file == ".." || fs::real_path(path::parent_path(whole), parent))
    return fail("'" + name.str() + "' is in no folder that is there");
  if (!isInside(parent))
    return elsewhere(name);
  std::string real = std::string(parent) + "/" + file.str();
  fs::file_status status;
  if (!fs::status(real, status, /*follow=*/false)) {
    if (status.type() != fs::file_type::regular_file)
      return fail("'" + name.str() + "' is there, and no regular file");
    if (!replaces)
      return fail("'" + name.str() + "' is there already; 'replace' overwrites it");
  }
  return real;
}

llvm::Expected<std::string> McpDocuments::scratchFile(llvm::StringRef name, llvm::StringRef text) const {
  std::string file = scratch_ + "/" + name.str();
  if (llvm::Error error = writeOutputFile(file, text))
    return std::move(error);
  return file;
}

llvm::Expected<McpDocument> McpDocuments::add(llvm::StringRef text, llvm::StringRef name, llvm::StringRef origin) {
  constexpr size_t mostDocuments = 200;
  if (documents_.size() >= mostDocuments)
    return fail("200 documents are open, which is the most that one server keeps");
  McpDocument made{.id = "d" + std::to_string(documents_.size() + 1), .path = "", .origin = origin.str()};
  // Places in messages are in a file that is called as the one that was opened.
  std::string folder = scratch_ + "/" + made.id;
  if (std::error_code error = fs::create_directory(folder))
    return fail("no copy can be made: " + error.message());
  auto file = scratchFile(made.id + "/" + path::filename(name).str(), text);
  if (!file)
    return file.takeError();
  made.path = *file;
  documents_[made.id] = made;
  return made;
}

llvm::Expected<McpDocument> McpDocuments::find(llvm::StringRef id) const {
  auto found = documents_.find(id.str());
  if (found == documents_.end())
    return fail("no document is called '" + id.str() + "'; 'open' makes one");
  return found->second;
}

} // namespace fuselage::cli
