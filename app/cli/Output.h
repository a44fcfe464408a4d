// What commands say beside their results, and how they end.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "core/support/Error.h"
#include <functional>
#include <vector>

namespace fuselage::cli {

/// Prints a failure and its diagnostics, with carets, on stderr, and what was held back; returns ExitInputError.
int reportFailure(llvm::Error error);

/// Prints the errors of what reading said, and holds back what else it said, so that an error that comes yet is read
/// first. True if there is an Error.
bool sayErrors(std::vector<Diagnostic> diagnostics);
/// Holds back one thing more.
void hold(Diagnostic diagnostic);
/// Prints what was held back: at the latest before results, and when a command ends.
void sayHeld();

/// Has a function called when the command ends, before the process does; a Failure of it makes the command fail.
void callAtEnd(std::function<llvm::Error()> act);

/// Writes what is left of the results: the exit code of a command that ends with `code`, or, where they could not all
/// be written, ExitInputError, with a sentence.
int endOfResults(int code);

} // namespace fuselage::cli
