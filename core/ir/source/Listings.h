// IR inside of a document: a bug report, a page of notes, a mail.
#pragma once
#include "core/ir/source/SourceText.h"

namespace fuselage {

/// The listings of IR in a text that is mostly prose, each as a split; empty if the text is none. A text
/// is a document where several of its lines, outside of all brackets, are sentences: some words of
/// letters with nothing of IR between them, or where IR stands in a fenced block of Markdown (```). A listing starts at
/// a line that looks like an op or an alias and goes on while brackets are open, or lines look like IR; a sentence ends
/// it in any case. Fenced blocks of a document in Markdown (```) are listings if they hold such a line.
std::vector<SourceSplit> findListings(llvm::StringRef text);

} // namespace fuselage
