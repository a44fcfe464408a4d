// What a schedule leaves open, as numbers: knobs, and conditions over them.
#pragma once
#include "core/support/Error.h"
#include "core/tuning/space/Domain.h"
#include "core/tuning/space/Expression.h"
#include "core/tuning/space/KnobTarget.h"
#include <map>
#include <string>

namespace fuselage::tune {

/// Where something stands in the script, from 1; line 0: nowhere.
struct Place {
  std::string file{};
  unsigned line = 0, column = 0;
};

/// A choice. Numbers are what they are; other options (strings, lists, the regions of alternatives) are numbered from
/// 0, and `labels` say what they are.
struct Knob {
  std::string name;
  Domain domain;
  std::vector<std::string> labels{};
  std::optional<int64_t> selected{}; ///< in the script
  bool isRegion = false;             ///< it picks a region of transform.tune.alternatives
  Place place{};
  std::optional<KnobTarget> sets{}; ///< of a dispatch; a schedule's knobs set what the schedule says
  std::optional<int64_t> absent{};  ///< the value that sizes without this knob mean, such as those of older libraries

  /// The value as the script spells it.
  std::string textOf(int64_t value) const;
  /// The reverse; nullopt: it takes no such value.
  std::optional<int64_t> valueOf(llvm::StringRef text) const;
};

/// Who asks for a condition.
enum class Origin { Schedule, Op, Device, User };
/// "the schedule", "the op", "the device", "the command line".
llvm::StringRef nameOf(Origin origin);

struct Condition {
  Expression holds; ///< over the numbers of knobs
  Origin origin = Origin::Schedule;
  std::string text; ///< "tile_m * tile_n <= 1024"
  Place place{};
  std::vector<unsigned> knobs{}; ///< that it reads, ascending; set by Space::add
};

/// A value for each knob, by number.
using Point = std::vector<int64_t>;
/// The same by the knobs' names, as the script spells values.
using Parameters = std::map<std::string, std::string>;

struct Space {
  std::vector<Knob> knobs;
  std::vector<Condition> conditions;
  std::vector<Condition> bounds{}; ///< that points may break: such points are not likely to be good, and are tried last

  std::optional<unsigned> find(llvm::StringRef name) const;
  /// The knob that sets that.
  std::optional<unsigned> find(KnobTarget target) const;
  /// Adds `node` of `expression` as a condition. Without a text it is what the expression spells.
  void add(const Expression &expression, int node, Origin origin, Place place = {}, std::string text = "");
  /// The same as a bound.
  void addBound(const Expression &expression, int node, Origin origin, Place place = {}, std::string text = "");
  /// Texts of the bounds that a point breaks.
  std::vector<std::string> over(llvm::ArrayRef<int64_t> point) const;
  /// Whether each value is in its knob's domain and all conditions hold.
  bool contains(llvm::ArrayRef<int64_t> point) const;
  /// What a point breaks: "rows is not in its options", or texts of conditions; empty: nothing.
  std::vector<std::string> broken(llvm::ArrayRef<int64_t> point) const;
  /// "rows=16 columns=32".
  std::string textOf(llvm::ArrayRef<int64_t> point) const;
  Parameters parametersOf(llvm::ArrayRef<int64_t> point) const;
  /// The reverse, whatever the conditions say; nullopt: a knob is missing, or takes no such value.
  std::optional<Point> pointOf(const Parameters &parameters) const;
  /// The user wants a knob to have a value: it is selected, and a condition. Failure: `owner`, "the schedule 's.mlir'",
  /// has no such knob, or that takes no such value.
  llvm::Error fix(llvm::StringRef name, llvm::StringRef text, const std::string &owner);
};

} // namespace fuselage::tune
