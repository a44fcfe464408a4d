// Random schedules for the payload of ScheduleTestSupport.h; they use handles whether they are live or not.
#pragma once
#include "tests/support/Draws.h"
#include <string>
#include <vector>

namespace fuselage::test {

/// A random schedule, line by line.
class RandomSchedule {
public:
  explicit RandomSchedule(unsigned seed) : random_(randomOf(seed, 0)) {
    handles_.push_back({"%root", Kind::Module});
    statements(6 + draw(6), 0);
  }
  std::string body() const { return body_; }

private:
  enum class Kind { Module, Function, Linalg, Loop, Value };
  struct Handle {
    std::string name;
    Kind kind;
  };
  static constexpr const char *kOp = "!transform.any_op";

  unsigned draw(unsigned count) { return std::uniform_int_distribution<unsigned>(0, count - 1)(random_); }
  const Handle *any(Kind kind) {
    std::vector<const Handle *> fitting;
    for (const Handle &handle : handles_)
      if (handle.kind == kind)
        fitting.push_back(&handle);
    return fitting.empty() ? nullptr : fitting[draw(fitting.size())];
  }
  std::string fresh() { return "%h" + std::to_string(count_++); }
  void define(const std::string &name, Kind kind) { handles_.push_back({name, kind}); }

  void match() {
    constexpr std::pair<const char *, Kind> targets[] = {{"ops{[\"func.func\"]}", Kind::Function},
                                                         {"ops{[\"linalg.matmul\"]}", Kind::Linalg},
                                                         {"ops{[\"linalg.add\"]}", Kind::Linalg},
                                                         {"interface{LinalgOp}", Kind::Linalg},
                                                         {"ops{[\"scf.for\"]}", Kind::Loop}};
    auto [what, kind] = targets[draw(5)];
    const Handle *in = draw(3) ? any(Kind::Module) : any(Kind::Function);
    if (!in)
      return;
    std::string name = fresh();
    body_ += name + " = transform.structured.match " + what + " in " + in->name + " : (" + kOp + ") -> " + kOp + "\n";
    define(name, kind);
  }
  void unary(Kind from, const std::string &before, const std::string &after, Kind to) {
    const Handle *operand = any(from);
    if (!operand)
      return;
    std::string name = fresh();
    body_ += name + " = " + before + " " + operand->name + after + "\n";
    define(name, to);
  }
  void tile() {
    const Handle *operand = any(Kind::Linalg);
    if (!operand)
      return;
    std::string tiled = fresh(), loop = fresh();
    body_ += tiled + ", " + loop + " = transform.structured.tile_using_for " + operand->name + " tile_sizes [4] : (" +
             kOp + ") -> (" + kOp + ", " + kOp + ")\n";
    define(tiled, Kind::Linalg);
    define(loop, Kind::Loop);
  }
  void inForeach(unsigned depth) {
    Kind kind = draw(2) ? Kind::Linalg : Kind::Function;
    const Handle *over = any(kind);
    if (!over)
      return;
    std::string argument = fresh();
    body_ += "transform.foreach " + over->name + " : " + kOp + " {\n^bb0(" + argument + ": " + kOp + "):\n";
    size_t visible = handles_.size();
    define(argument, kind);
    statements(1 + draw(3), depth + 1);
    body_ += "transform.yield\n}\n";
    handles_.resize(visible);
  }
  void inSequence(unsigned depth) {
    const Handle *root = any(Kind::Module);
    std::string argument = fresh();
    body_ += "transform.sequence " + root->name + " : " + kOp + " failures(suppress) {\n^bb0(" + argument + ": " + kOp +
             "):\n";
    size_t visible = handles_.size();
    define(argument, Kind::Module);
    statements(1 + draw(4), depth + 1);
    body_ += "transform.yield\n}\n";
    handles_.resize(visible);
  }
  void statements(unsigned count, unsigned depth) {
    const std::string same = std::string(" : (") + kOp + ") -> " + kOp;
    for (unsigned i = 0; i < count; ++i) {
      switch (draw(12)) {
      case 0:
      case 1:
      case 2:
        match();
        break;
      case 3:
        unary(Kind::Linalg, "transform.structured.generalize", same, Kind::Linalg);
        break;
      case 4:
        tile();
        break;
      case 5:
        unary(Kind::Linalg, "transform.get_result", std::string("[0] : (") + kOp + ") -> !transform.any_value",
              Kind::Value);
        break;
      case 6:
        unary(Kind::Value, "transform.get_defining_op", std::string(" : (!transform.any_value) -> ") + kOp,
              Kind::Linalg);
        break;
      case 7:
        unary(Kind::Linalg, "transform.get_parent_op", " {op_name = \"func.func\", deduplicate}" + same,
              Kind::Function);
        break;
      case 8:
        unary(Kind::Function, "transform.apply_registered_pass \"cse\" to", same, Kind::Function);
        break;
      case 9:
        unary(Kind::Linalg, "transform.merge_handles", std::string(" : ") + kOp, Kind::Linalg);
        break;
      case 10:
        depth < 2 ? inForeach(depth) : match();
        break;
      case 11:
        depth < 2 ? inSequence(depth) : match();
        break;
      }
    }
  }

  std::mt19937 random_;
  std::vector<Handle> handles_;
  std::string body_;
  unsigned count_ = 0;
};

} // namespace fuselage::test
