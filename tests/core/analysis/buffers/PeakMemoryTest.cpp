// The peak that is found is the one that running the program shows, on random programs with buffers.
#include "core/analysis/buffers/BufferLifetimes.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tests/support/Draws.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;

namespace fuselage::test {
namespace {

/// Loops run so often: what one iteration leaves to the next but one shows, too.
constexpr int tripCount = 4;

/// Branches and loops whose ways are all tried.
constexpr unsigned maskBits = 8;

/// Allocations, uses, views and deallocs, in loops that may carry buffers and in branches.
class Writer {
public:
  /// Without `branches`, a loop yields what it got or what it made: which buffer a value is, is known.
  Writer(std::mt19937 &random, bool branches) : random_(random), branches_(branches) {}

  std::string write() {
    std::string body;
    types_["%arg"] = 8;
    values_ = {"%arg"};
    for (int k = 0; k < 7; ++k)
      body += op("  ", 2);
    return "func.func @main(%arg: memref<8xf32>, %x: f32, %p0: i1, %p1: i1, %p2: i1) {\n  %c0 = arith.constant 0 : "
           "index\n"
           "  %c1 = arith.constant 1 : index\n  %n = arith.constant " +
           std::to_string(tripCount) + " : index\n" + body + "  return\n}\n";
  }

private:
  unsigned pick(size_t count) { return random_() % count; }
  std::string next() { return "%v" + std::to_string(count_++); }
  static std::string type(int size) { return "memref<" + std::to_string(size) + "xf32>"; }
  const std::string &any() { return values_[pick(values_.size())]; }

  /// A value of this size: one that is there, or a new one.
  std::string valueOf(int size, const std::string &indent, std::string &text, bool isNew = false) {
    std::vector<std::string> fitting;
    for (const std::string &value : values_)
      if (types_[value] == size && !isNew)
        fitting.push_back(value);
    if (!fitting.empty() && pick(3))
      return fitting[pick(fitting.size())];
    std::string name = next();
    text += indent + name + " = memref.alloc() : " + type(size) + "\n";
    types_[name] = size;
    return name;
  }

  std::string region(const std::string &indent, int depth, int ops) {
    std::string text;
    for (int k = 0; k < ops; ++k)
      text += op(indent, depth);
    return text;
  }

  std::string use(const std::string &indent) {
    const std::string &value = any();
    return indent + "memref.store %x, " + value + "[%c0] : " + type(types_[value]) + "\n";
  }

  std::string op(const std::string &indent, int depth) {
    switch (pick(depth == 0 ? 5 : branches_ ? 9 : 7)) {
    case 0:
    case 1: {
      std::string name = next();
      int size = 4 << pick(3);
      types_[name] = size;
      values_.push_back(name);
      return indent + name + " = memref.alloc() : " + type(size) + "\n" + (pick(2) ? use(indent) : "");
    }
    case 2:
      return indent + [&] {
        std::string name = next(), source = any();
        types_[name] = types_[source];
        std::string text =
            name + " = arith.select %p2, " + source + ", " + source + " : " + type(types_[source]) + "\n";
        values_.push_back(name);
        return text;
      }();
    case 3:
    case 4:
      return use(indent);
    case 5:
    case 6: {
      std::string text, argument = next(), name = next(), init;
      bool carries = pick(2);
      int size = 4 << pick(3);
      if (carries)
        init = valueOf(size, indent, text);
      auto outer = values_;
      if (carries) {
        types_[argument] = size;
        values_.push_back(argument);
      }
      std::string inner = region(indent + "  ", depth - 1, 1 + pick(3)), yielded;
      if (carries)
        yielded = !branches_ && pick(2) ? argument : valueOf(size, indent + "  ", inner, /*isNew=*/!branches_);
      values_ = outer;
      text += indent + (carries ? name + " = " : "") + "scf.for %k" + name.substr(1) + " = %c0 to %n step %c1" +
              (carries ? " iter_args(" + argument + " = " + init + ") -> (" + type(size) + ")" : "") + " {\n" + inner +
              (carries ? indent + "  scf.yield " + yielded + " : " + type(size) + "\n" : "") + indent + "}\n";
      if (carries) {
        types_[name] = size;
        values_.push_back(name);
      }
      return text;
    }
    default: {
      std::string name = next(), text = indent + name + " = scf.if %p" + std::to_string(ifs_++ % 2) + " -> (";
      int size = 4 << pick(3);
      text += type(size) + ") {\n";
      for (int side = 0; side < 2; ++side) {
        auto outer = values_;
        std::string inner = region(indent + "  ", depth - 1, 1 + pick(2)),
                    yielded = valueOf(size, indent + "  ", inner);
        values_ = outer;
        text += inner + indent + "  scf.yield " + yielded + " : " + type(size) + "\n" + indent +
                (side ? "}\n" : "} else {\n");
      }
      types_[name] = size;
      values_.push_back(name);
      return text;
    }
    }
  }

  std::mt19937 &random_;
  bool branches_;
  std::vector<std::string> values_;
  std::map<std::string, int> types_;
  int count_ = 0, ifs_ = 0;
};

/// Runs a function, notes when each buffer was made and used last, and adds up what lived at once.
class Simulator {
public:
  /// `mask`: which way each scf.if goes, and whether a loop runs at all, by a bit each; none: branches toss a
  /// coin whenever they run.
  Simulator(std::mt19937 &random, std::optional<unsigned> mask) : random_(random), mask_(mask) {}

  int64_t peak(func::FuncOp function) {
    run(function.getBody().front());
    std::map<int64_t, int64_t> changes;
    for (const Instance &instance : instances_) {
      changes[instance.made] += instance.bytes;
      changes[instance.used + 1] -= instance.bytes;
    }
    int64_t now = 0, most = 0;
    for (auto [time, bytes] : changes)
      most = std::max(most, now += bytes);
    return most;
  }

private:
  struct Instance {
    int64_t made = 0, used = 0, bytes = 0;
  };

  void assign(Value to, Value from) {
    if (isa<MemRefType>(to.getType()))
      held_[to] = held_.contains(from) ? held_[from] : -1;
  }

  void run(Block &block) {
    for (Operation &op : block) {
      ++time_;
      for (Value operand : op.getOperands())
        touch(operand);
      if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
        held_[alloc] = instances_.size();
        instances_.push_back({.made = time_, .used = time_, .bytes = 4 * alloc.getType().getNumElements()});
      } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
        assign(select, select.getTrueValue());
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        Block &taken = (mask_ ? isSet(branch) : random_() % 2) ? *branch.thenBlock() : *branch.elseBlock();
        run(taken);
        for (auto [result, yielded] : llvm::zip(branch.getResults(), taken.getTerminator()->getOperands()))
          assign(result, yielded);
      } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
        runLoop(loop);
      }
      // What a dealloc after the loop or branch would free is in use until then.
      if (op.getNumRegions() > 0)
        op.walk([&](Operation *inner) {
          for (Value operand : inner->getOperands())
            if (inner != &op && !op.isAncestor(operand.getParentRegion()->getParentOp()))
              touch(operand);
        });
    }
  }

  /// The bit of an op; they are numbered as they run first.
  bool isSet(Operation *op) {
    return *mask_ >> (numbers_.try_emplace(op, numbers_.size()).first->second % maskBits) & 1;
  }

  void touch(Value value) {
    if (auto held = held_.find(value); held != held_.end() && held->second >= 0)
      instances_[held->second].used = time_;
  }

  void runLoop(scf::ForOp loop) {
    for (auto [argument, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
      assign(argument, init);
    int trips = !mask_ || isSet(loop) ? tripCount : 0;
    for (auto [result, init] : llvm::zip(loop.getResults(), loop.getInitArgs()))
      assign(result, init);
    for (int k = 0; k < trips; ++k) {
      run(*loop.getBody());
      llvm::SmallVector<int64_t> yielded;
      for (Value value : loop.getYieldedValues())
        yielded.push_back(held_.contains(value) ? held_[value] : -1);
      for (auto [argument, instance] : llvm::zip(loop.getRegionIterArgs(), yielded))
        held_[argument] = instance;
      for (auto [result, instance] : llvm::zip(loop.getResults(), yielded))
        held_[result] = instance;
    }
  }

  std::mt19937 &random_;
  std::optional<unsigned> mask_;
  llvm::DenseMap<Operation *, unsigned> numbers_;
  llvm::DenseMap<Value, int64_t> held_; ///< by value, the instance it holds; -1: the caller's
  std::vector<Instance> instances_;
  int64_t time_ = 0;
};

int64_t peakFound(ModuleOp module) {
  for (const MemoryPeak &peak : findMemoryUse(module).peaks)
    if (peak.space == "global")
      return peak.size.bytes;
  return 0;
}

OwningOpRef<ModuleOp> parse(Session &session, llvm::StringRef source) {
  auto module = session.parse(source, "random.mlir");
  EXPECT_TRUE(static_cast<bool>(module));
  if (!module) {
    llvm::consumeError(module.takeError());
    return {};
  }
  return std::move(*module);
}

/// The most that any of many runs uses, and what is found without running.
void compare(unsigned seed, bool branches, int64_t &shown, int64_t &found) {
  std::mt19937 random = randomOf(seed, branches);
  std::string source = Writer(random, branches).write();
  SCOPED_TRACE(source);
  Session session(allDialects());
  OwningOpRef<ModuleOp> module = parse(session, source);
  ASSERT_TRUE(module);
  auto main = *module->getOps<func::FuncOp>().begin();
  for (unsigned mask = 0; mask < 1u << maskBits; ++mask)
    shown = std::max(shown, Simulator(random, mask).peak(main));
  for (int run = 0; run < (branches ? 16 : 0); ++run)
    shown = std::max(shown, Simulator(random, std::nullopt).peak(main));
  found = peakFound(*module);
  EXPECT_LE(shown, found);
  if (!branches) {
    EXPECT_EQ(shown, found);
  }
}

TEST(PeakMemory, IsWhatARunShows) {
  int64_t largest = 0;
  for (unsigned seed = 0; seed < 80 && !testing::Test::HasFailure(); ++seed) {
    int64_t shown = 0, found = 0;
    compare(seed, /*branches=*/false, shown, found);
    largest = std::max(largest, found);
  }
  EXPECT_GT(largest, 150);
}

// Where a program only decides when it runs which of two buffers a value is, the dearer one counts, and
// maybe both.
TEST(PeakMemory, IsNeverTooSmall) {
  for (unsigned seed = 0; seed < 40 && !testing::Test::HasFailure(); ++seed) {
    int64_t shown = 0, found = 0;
    compare(seed, /*branches=*/true, shown, found);
  }
}

} // namespace
} // namespace fuselage::test
