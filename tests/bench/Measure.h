// Clocks and scales for the benchmarks.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage::bench {

/// Best of `runs`, in milliseconds: the least disturbed run is the one to compare.
double bestOf(unsigned runs, llvm::function_ref<void()> work);

/// Runs a program with its output thrown away; returns false if it cannot or fails.
bool runQuietly(llvm::ArrayRef<llvm::StringRef> command);

/// MiB that a program had in memory at its peak, mapped files included; 0 if it fails. A process inherits
/// the peak of the one that forked it, so a fresh small one starts the program (printPeakMemory).
double peakMemory(llvm::ArrayRef<llvm::StringRef> command);

/// `fuselage-bench peak PROGRAM ARGUMENT...`: what peakMemory runs. Returns the exit code.
int printPeakMemory(llvm::ArrayRef<const char *> command);

} // namespace fuselage::bench
