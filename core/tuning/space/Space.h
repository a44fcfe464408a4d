// A tuning space: knobs, and conditions over their values.
#pragma once
#include "core/support/Error.h"
#include "core/tuning/space/Domain.h"
#include "core/tuning/space/Expression.h"
#include "core/tuning/space/KnobTarget.h"
#include <map>
#include <string>

namespace fuselage::tune {

/// A place in the script. Lines and columns count from 1; line 0 means that there is no place.
struct Place {
  std::string file{};
  unsigned line = 0, column = 0;
};

/// A choice. Its values are numbers; options that are not numbers (strings, lists, the regions of alternatives) are
/// numbered from 0, with their texts in `labels`.
struct Knob {
  std::string name;
  Domain domain;
  std::vector<std::string> labels{};
  std::optional<int64_t> selected{}; ///< the value that the script selects
  bool isRegion = false;             ///< it picks a region of transform.tune.alternatives
  Place place{};
  std::optional<KnobTarget> sets{}; ///< the size of a dispatch that it sets; nullopt for knobs of a schedule
  std::optional<int64_t> absent{};  ///< its value if sizes do not contain it, for example those of an older library

  /// The value as the script spells it.
  std::string textOf(int64_t value) const;
  /// The value that the script spells `text`; nullopt if the knob takes no such value.
  std::optional<int64_t> valueOf(llvm::StringRef text) const;
};

/// The source of a condition.
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
  std::vector<Condition> bounds{}; ///< points may break these, but are unlikely to be good then and are tried last

  std::optional<unsigned> find(llvm::StringRef name) const;
  /// The number of the knob that sets `target`.
  std::optional<unsigned> find(KnobTarget target) const;
  /// Adds `node` of `expression` as a condition. An empty text becomes the text of the expression.
  void add(const Expression &expression, int node, Origin origin, Place place = {}, std::string text = "");
  /// Adds a bound in the same way.
  void addBound(const Expression &expression, int node, Origin origin, Place place = {}, std::string text = "");
  /// The texts of the bounds that a point breaks.
  std::vector<std::string> over(llvm::ArrayRef<int64_t> point) const;
  /// Returns true if each value is in the domain of its knob and all conditions hold.
  bool contains(llvm::ArrayRef<int64_t> point) const;
  /// The reasons why a point is not in the space: "rows does not take 7", or the texts and origins of conditions. Empty
  /// if it is.
  std::vector<std::string> broken(llvm::ArrayRef<int64_t> point) const;
  /// "rows=16 columns=32".
  std::string textOf(llvm::ArrayRef<int64_t> point) const;
  Parameters parametersOf(llvm::ArrayRef<int64_t> point) const;
  /// The point with these values, even if it breaks conditions; nullopt if a knob is missing or takes no such value.
  std::optional<Point> pointOf(const Parameters &parameters) const;
  /// Pins a knob to a value: selects it, and adds a condition with the origin User. Fails if there is no such knob, or
  /// it takes no such value. `owner` names the space in the message: "the schedule 's.mlir'".
  llvm::Error fix(llvm::StringRef name, llvm::StringRef text, const std::string &owner);
};

} // namespace fuselage::tune
