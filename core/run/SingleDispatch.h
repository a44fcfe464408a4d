// One dispatch of a program, to be run alone.
#pragma once
#include "core/run/RunProgram.h"

namespace fuselage {

/// The dispatch that `wanted` names: its number, its name or its place, as below. Failure: none or several.
llvm::Expected<mlir::func::FuncOp> findDispatch(const RunProgram &program, llvm::StringRef wanted);

/// Why the dispatch cannot be run without the program around it, of which it is a function: it takes or makes a dynamic
/// size, or takes an index. Empty: it can.
std::string whyNotAlone(mlir::func::FuncOp dispatch);

/// Makes a function that calls one dispatch, and nothing else, the program's: `wanted` is the dispatch's number, its
/// name, or where its root op comes from ("file:line:col", "file:line"). Returns what it computes, op by op, in
/// `unfused`. Failure: there is no such dispatch (lists those that there are), several come from that place, or or
/// whyNotAlone().
llvm::Expected<mlir::func::FuncOp> keepDispatch(RunProgram &program, llvm::StringRef wanted);

} // namespace fuselage
