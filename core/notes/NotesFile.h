// Notes beside a file: `<file>.fuselage`, or in the user's own folder where that cannot be written.
#pragma once
#include "core/protocol/Notes.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace fuselage {

/// "model.mlir.fuselage" beside a file or a folder.
std::string notesPathFor(llvm::StringRef document);
/// For documents in folders that cannot be written: below XDG_DATA_HOME, else ~/.local/share. Empty: there is no home.
std::string ownNotesPathFor(llvm::StringRef document);

/// Reads one file, which may be anybody's: it is bounded, fields are checked, texts lose everything but letters.
/// Failure: it is no file of notes, or one of a later version.
llvm::Expected<message::Notes<>> readNotes(llvm::StringRef path);

/// The notes of a document from both places. What is there and cannot be read is a `problem`.
message::Notes<> loadNotes(llvm::StringRef document);
/// Writes them beside the document, or in the user's folder, and says why; without any, removes the file. A file that
/// readNotes() refuses is left alone. Failure: neither place can be written.
llvm::Expected<message::NotesSaved<>> saveNotes(llvm::StringRef document, std::vector<message::Note<>> notes);

/// Cut to what a note may hold, and plain.
void tidy(message::Note<> &note);

} // namespace fuselage
