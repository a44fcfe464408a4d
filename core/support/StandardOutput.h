// The standard output: results go there, and nothing else.
#pragma once
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

namespace fuselage {

/// From here on results go to a copy of the standard output, and what anybody else prints there, such as
/// transform.print or a driver, goes to the standard error. To be called before there are results.
void reserveStandardOutput();

/// The descriptor that results go to.
int standardOutput();

/// Is called each time before results are written, so that what was said earlier is read earlier.
void callBeforeResults(std::function<void()> call);

/// Takes results that are text; characters that a terminal obeys are spelled out (PrintableText.h).
llvm::raw_ostream &results();

/// Writes bytes after the text as they are: pictures, bytecode.
void writeResultBytes(llvm::StringRef bytes);

/// Writes what is left of the text. Failure: not all could be written since the last call, with the system's reason.
llvm::Error finishResults();

} // namespace fuselage
