// What `fuselage graph`, `step` and `run` are given: a module, or a log of passes.
#pragma once
#include "app/cli/Options.h"
#include "core/ir/Session.h"
#include "core/stepping/record/Recording.h"

namespace fuselage {
struct RunOptions;
}

namespace fuselage::cli {

/// Either is set.
struct Input {
  std::optional<Recording> log; ///< of a pass-by-pass log or a directory of dumps
  ReadResult module;
  mlir::OwningOpRef<mlir::ModuleOp> written{}; ///< the module as its author wrote it, if `module` is normalized
};

/// Whether a module is normalized when it is opened (NormalizeForeign.h), or stays as its author wrote it.
enum class Form { Normalized, AsWritten };

/// Opens a path ('-': standard input) by its content. What reading a module said goes to stderr, with
/// carets; an Error among it makes `exitCode` ExitInputError. Of a module that is not in linalg, it says which compiler
/// lowers it; AsWritten is for who says so by himself (see advise()), and transforms it: a dump of XLA is then refused.
/// Failure: nothing of it could be read.
llvm::Expected<Input> openInput(Session &session, llvm::StringRef path, int &exitCode, Form form = Form::Normalized);
/// Says on stderr which compiler lowers a module that is in StableHLO, Torch or ONNX.
void advise(mlir::ModuleOp module, llvm::StringRef path);

/// The same for commands that take no log; where the module is normalized, `written` becomes what
/// its author wrote. Failure also: it is a log, or says what another compiler did.
llvm::Expected<ReadResult> openModule(Session &session, llvm::StringRef path, int &exitCode,
                                      mlir::OwningOpRef<mlir::ModuleOp> *written = nullptr);

/// Failure, with the path: the module says what another compiler did, and nothing here transforms or runs it.
llvm::Error refuseReadOnly(mlir::ModuleOp module, llvm::StringRef path);

/// The IR at a step of a recording, or the last that it holds if no step is named. Failure: there is no such
/// step, or the recording lacks that side of it.
llvm::Expected<const Snapshot *> snapshotAt(const Recording &recording, std::optional<unsigned> at, bool before);

/// The module of a snapshot. Prints what reading it said; an Error among that sets `exitCode`.
llvm::Expected<mlir::ModuleOp> moduleOf(const Snapshot &snapshot, int &exitCode);

/// `--input`, `--inputs`, `--parameters` and `--seed`: what a program is run on.
void declareRunInputs(Options &options, RunOptions &run);

/// Reads a step's number for an option; returns a complaint, or an empty string.
std::string parseStepNumber(llvm::StringRef value, std::optional<unsigned> &number);

} // namespace fuselage::cli
