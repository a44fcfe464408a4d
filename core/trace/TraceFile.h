// A trace in the Trace Event Format, read: our own, those of mlir-opt --profile-actions-to, and of any other tool.
#pragma once
#include "core/trace/TraceModel.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace fuselage {

/// Reads the text of a trace: an array of events, or an object with traceEvents. Time and memory are linear in it. A
/// text that ends too early is read up to its last whole event, as viewers do: what writes a trace may have crashed.
/// Failure: it is no trace, or no JSON; the message names line, column and byte.
llvm::Expected<TraceFile> readTrace(llvm::StringRef text);

/// The same of a file. Failure: also where it cannot be read, or holds more than 4 GiB.
llvm::Expected<TraceFile> readTraceFile(llvm::StringRef path);

} // namespace fuselage
