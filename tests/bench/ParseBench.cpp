// How fast text is read: unknown dialects by the universal parser, beside MLIR's parser on what both read.
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/support/LargeStack.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "tests/bench/Inputs.h"
#include "tests/bench/Measure.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::bench {

/// The best of three, in MB/s.
static double speedOf(llvm::StringRef text, llvm::function_ref<void()> read) {
  return text.size() / bestOf(3, read) * 1e-3;
}

/// Ours, as a window opens a file; a context of its own each time, as there.
static double ourSpeed(llvm::StringRef text) {
  unsigned tolerated = 0, gaps = 0;
  double speed = speedOf(text, [&] {
    Session session(allDialects());
    auto read = session.readText(text, "bench.mlir");
    if (!read)
      return llvm::logAllUnhandledErrors(read.takeError(), llvm::errs());
    tolerated = read->tolerated;
    gaps = read->gaps;
    runOnLargeStack([&] { read->module = nullptr; });
  });
  llvm::outs() << llvm::format("  (%.1f MB, %u ops by the universal parser, %u gaps)\n", text.size() * 1e-6, tolerated,
                               gaps);
  return speed;
}

/// What mlir-opt does before its first pass, without the start of its process.
static double upstreamSpeed(llvm::StringRef text) {
  return speedOf(text, [&] {
    Session session(allDialects());
    mlir::ParserConfig config(&session.context());
    (void)mlir::parseSourceString<mlir::ModuleOp>(text, config);
  });
}

static void printSpeed(llvm::StringRef what, double ours, double theirs) {
  llvm::outs() << llvm::format("%-46s %9.1f MB/s", what.str().c_str(), ours);
  if (theirs > 0)
    llvm::outs() << llvm::format("   %-34s %9.1f MB/s   ratio %.2f", "mlir-opt's parser, as upstream ops", theirs,
                                 ours / theirs);
  llvm::outs() << '\n';
  llvm::outs().flush();
}

/// The text with every dialect's name but func's and builtin's spelt "x" + name, as no dialect's is.
static std::string withUnknownNames(std::string text) {
  for (llvm::StringRef dialect : {"arith", "linalg", "tensor", "math"}) {
    std::string from = dialect.str() + ".", to = "x" + from;
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  }
  return text;
}

void benchParse() {
  constexpr unsigned ops = 60000;
  printSpeed("read unknown dialects (IREE, StableHLO, own)", ourSpeed(foreignModule(ops)), 0);
  std::string upstream = layeredModule(ops);
  double theirs = upstreamSpeed(upstream);
  printSpeed("read upstream ops, strictly", ourSpeed(upstream), theirs);
  printSpeed("read upstream ops and one unknown one", ourSpeed("my.op\n" + upstream), theirs);
  printSpeed("read them as ops of unknown dialects", ourSpeed(withUnknownNames(upstream)), theirs);
}

} // namespace fuselage::bench
