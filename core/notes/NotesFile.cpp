#include "core/notes/NotesFile.h"
#include "core/protocol/json/JsonReader.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/support/Error.h"
#include "core/support/JsonDepth.h"
#include "core/support/OutputFile.h"
#include "core/support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <set>
#include <utility>

namespace fuselage {
namespace {

constexpr int kVersion = 1;
constexpr uint64_t mostBytes = 8 << 20;
constexpr size_t mostNotes = 5000, mostText = 20'000, mostLabel = 400, mostName = 1000, mostNeighbours = 16;

/// Valid UTF-8 of at most so many bytes, without control characters; line breaks stay where `isText`.
void tidy(std::string &text, size_t most, bool isText = false) {
  std::string plain;
  for (char c : llvm::json::fixUTF8(text)) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
      if (c != '\n' && c != '\t')
        continue;
      c = isText ? c : ' ';
    }
    plain += c;
  }
  if (plain.size() > most) {
    while (most > 0 && (static_cast<unsigned char>(plain[most]) & 0xC0) == 0x80)
      --most; // not within a letter
    plain.resize(most);
  }
  text = std::move(plain);
}

void tidy(message::OpAnchor<> &anchor) {
  for (std::string *text : {&anchor.function, &anchor.op, &anchor.name, &anchor.types, &anchor.above, &anchor.below})
    tidy(*text, mostName);
  for (std::vector<std::string> *list : {&anchor.operands, &anchor.users}) {
    list->resize(std::min(list->size(), mostNeighbours));
    for (std::string &text : *list)
      tidy(text, mostName);
  }
  for (int *number : {&anchor.line, &anchor.column, &anchor.ordinal, &anchor.alike})
    *number = std::max(*number, 0);
}

/// Why a path cannot be used as a file of notes; nullopt: it can, or nothing is there.
llvm::Expected<bool> isThere(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status)) {
    if (error == std::errc::no_such_file_or_directory)
      return false;
    return fail("'" + shortPath(path) + "' cannot be read: " + error.message());
  }
  if (!llvm::sys::fs::is_regular_file(status))
    return fail("'" + shortPath(path) + "' is no file");
  if (status.getSize() > mostBytes)
    return fail(
        llvm::formatv("'{0}' has more than {1} MiB, which are no notes", shortPath(path), mostBytes >> 20).str());
  return true;
}

std::string withoutSlash(llvm::StringRef document) {
  return (document.size() > 1 ? document.rtrim('/') : document).str();
}

/// Adds those with other ids.
void merge(std::vector<message::Note<>> &notes, const std::vector<message::Note<>> &more) {
  std::set<std::string> ids;
  for (const message::Note<> &note : notes)
    ids.insert(note.id);
  for (const message::Note<> &note : more)
    if (ids.insert(note.id).second)
      notes.push_back(note);
}

bool isReadOnly(llvm::StringRef path) {
  auto permissions = llvm::sys::fs::getPermissions(path);
  return permissions && !(*permissions & llvm::sys::fs::perms::all_write);
}

/// `keepsFile`: without notes there is a file, too, which says that there are none.
llvm::Error write(llvm::StringRef path, const std::vector<message::Note<>> &notes, bool keepsFile = false) {
  auto there = isThere(path);
  if (!there)
    return there.takeError();
  bool isRemoved = notes.empty() && !keepsFile;
  if (*there) {
    auto readable = readNotes(path);
    if (!readable)
      return readable.takeError();
    if (isRemoved) {
      if (isReadOnly(path))
        return fail("'" + shortPath(path) + "' cannot be removed: it is read-only");
      if (std::error_code error = llvm::sys::fs::remove(path))
        return fail("'" + shortPath(path) + "' cannot be removed: " + error.message());
      return llvm::Error::success();
    }
  }
  if (isRemoved)
    return llvm::Error::success();
  message::Notes<> file;
  file.notes = notes;
  return writeOutputFile(path, message::jsonText(file));
}

} // namespace

void tidy(message::Note<> &note) {
  tidy(note.id, 100);
  tidy(note.text, mostText, /*isText=*/true);
  tidy(note.label, mostLabel);
  tidy(note.created, 40);
  for (std::string *text : {&note.step.pass, &note.step.name, &note.step.scope})
    tidy(*text, mostName);
  note.step.ordinal = std::max(note.step.ordinal, 0);
  note.operand = std::max(note.operand, -1);
  tidy(note.op);
  if (note.producer)
    tidy(*note.producer);
}

std::string notesPathFor(llvm::StringRef document) { return withoutSlash(document) + ".fuselage"; }

std::string ownNotesPathFor(llvm::StringRef document) {
  llvm::SmallString<256> folder(userDataFolder());
  if (folder.empty())
    return "";
  llvm::SmallString<256> whole(withoutSlash(document));
  llvm::sys::fs::make_absolute(whole);
  std::string name = llvm::sys::path::filename(whole).str();
  name.resize(std::min<size_t>(name.size(), 150));
  llvm::sys::path::append(folder, "notes",
                          llvm::utohexstr(llvm::xxh3_64bits(whole.str()), true) + "-" + name + ".fuselage");
  return folder.str().str();
}

llvm::Expected<message::Notes<>> readNotes(llvm::StringRef path) {
  auto there = isThere(path);
  if (!there)
    return there.takeError();
  if (!*there)
    return fail("'" + shortPath(path) + "' is not there");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return fail("'" + shortPath(path) + "' cannot be read: " + buffer.getError().message());
  llvm::StringRef text = (*buffer)->getBuffer();
  if (jsonDepth(text) > 200)
    return fail("'" + shortPath(path) + "' is nested too deeply for a file of notes");
  auto json = llvm::json::parse(text);
  if (!json)
    return fail("'" + shortPath(path) + "' is no file of notes: " + llvm::toString(json.takeError()));
  const llvm::json::Object *object = json->getAsObject();
  std::optional<int64_t> version = object ? object->getInteger("version") : std::nullopt;
  if (!version || !object->getArray("notes"))
    return fail("'" + shortPath(path) + "' is no file of notes: it has no 'version' and 'notes'");
  if (*version > kVersion || *version < 1)
    return fail(llvm::formatv("'{0}' is of version {1} of notes, and this Fuselage knows version {2}", shortPath(path),
                              *version, kVersion)
                    .str());
  message::Notes<> notes;
  message::decode(*object, notes);
  notes.path.clear();
  notes.problem.clear();
  if (notes.notes.size() > mostNotes)
    return fail(llvm::formatv("'{0}' has more than {1} notes", shortPath(path), mostNotes).str());
  for (message::Note<> &note : notes.notes)
    tidy(note);
  std::vector<message::Note<>> unique;
  merge(unique, notes.notes);
  notes.notes = std::move(unique);
  return notes;
}

message::Notes<> loadNotes(llvm::StringRef document) {
  message::Notes<> all;
  all.path = notesPathFor(document);
  bool isRead = false;
  // The user's own is there only since the other one could not be written: it is the later one, and all there is.
  for (const std::string &path : {ownNotesPathFor(document), notesPathFor(document)}) {
    auto there = path.empty() ? llvm::Expected<bool>(false) : isThere(path);
    if (there && !*there)
      continue;
    auto notes = there ? readNotes(path) : llvm::Expected<message::Notes<>>(there.takeError());
    if (!notes) {
      all.problem += (all.problem.empty() ? "" : "; ") + takeFailure(notes.takeError()).message;
      continue;
    }
    if (std::exchange(isRead, true))
      continue;
    all.path = path;
    all.notes = std::move(notes->notes);
  }
  return all;
}

llvm::Expected<message::NotesSaved<>> saveNotes(llvm::StringRef document, std::vector<message::Note<>> notes) {
  if (notes.size() > mostNotes)
    return fail(llvm::formatv("a file has at most {0} notes", mostNotes).str());
  for (message::Note<> &note : notes)
    tidy(note);
  std::string beside = notesPathFor(document), own = ownNotesPathFor(document);
  llvm::Error error = write(beside, notes);
  if (!error) {
    // They are in one place again; an older one that stays would be read instead.
    auto older = own.empty() ? llvm::Expected<message::Notes<>>(fail("")) : readNotes(own);
    if (!older)
      llvm::consumeError(older.takeError());
    else if (llvm::Error stays = write(own, {}))
      return stays;
    return message::NotesSaved<>{.path = beside, .problem = ""};
  }
  std::string why = takeFailure(std::move(error)).message;
  if (own.empty())
    return fail(why + "; there is no home folder to keep them in");
  if (std::error_code failed = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(own)))
    return fail(why + "; " + shortPath(llvm::sys::path::parent_path(own)) + " cannot be made: " + failed.message());
  // Those that were removed do not come back from the other file.
  auto others = readNotes(beside);
  bool hasOthers = static_cast<bool>(others);
  if (!hasOthers)
    llvm::consumeError(others.takeError());
  if (llvm::Error second = write(own, notes, hasOthers))
    return fail(why + "; " + takeFailure(std::move(second)).message);
  return message::NotesSaved<>{.path = own, .problem = why};
}

} // namespace fuselage
