// Reports of `fuselage explain --format json`, in a few lines of text.
#pragma once
#include "core/protocol/Fusion.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace fuselage::cli {

/// "15 dispatches; 38 edges, 14 of them missed; 34612224 bytes through memory".
std::string totalsText(const message::FusionReport<> &report);
/// A line for each dispatch.
std::string dispatchesText(const message::FusionReport<> &report);
/// A line for each group of missed edges, those that save most first.
std::string missedText(const message::FusionReport<> &report);
/// "12:15" or "12:15:0". Failure: there is no such edge.
llvm::Expected<std::string> edgeText(const message::FusionReport<> &report, llvm::StringRef edge);
/// Changed lines with those around them, as `diff -u` shows them.
std::string diffText(llvm::StringRef before, llvm::StringRef after);

} // namespace fuselage::cli
