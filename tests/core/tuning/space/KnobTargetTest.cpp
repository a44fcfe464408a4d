#include "core/tuning/space/KnobTarget.h"
#include "core/tuning/space/Space.h"
#include "gtest/gtest.h"

using namespace fuselage::tune;

namespace {

/// Libraries and journals of earlier versions have these names.
TEST(KnobTargetTest, NamesStayAsTheyAre) {
  std::pair<KnobTarget, const char *> known[] = {
      {{KnobRole::WorkgroupTile, 0}, "tile_0"},
      {{KnobRole::WorkgroupTile, 12}, "tile_12"},
      {{KnobRole::ReductionStep}, "step"},
      {{KnobRole::Split}, "split"},
      {{KnobRole::Rows}, "rows"},
      {{KnobRole::Vectors}, "vectors"},
      {{KnobRole::TaskRows}, "task_rows"},
      {{KnobRole::TaskColumns}, "task_columns"},
      {{KnobRole::BlockRows}, "block_rows"},
      {{KnobRole::Queries}, "queries"},
      {{KnobRole::Keys}, "keys"},
  };
  for (auto [target, name] : known) {
    EXPECT_EQ(nameOf(target), name);
    EXPECT_EQ(knobTargetOf(name), target) << name;
  }
}

TEST(KnobTargetTest, OtherNamesAreNoKnobs) {
  for (const char *name : {"", "tile", "tile_", "tile_x", "tile_-1", "tile_0x", "columns", "Rows", "rows_"})
    EXPECT_FALSE(knobTargetOf(name)) << name;
}

TEST(KnobTargetTest, SpacesFindKnobsByWhatTheySet) {
  Space space;
  space.knobs.push_back({.name = "split", .domain = {}}); // a schedule's own, whatever it is called
  for (unsigned loop : {1, 3}) {
    KnobTarget tile{KnobRole::WorkgroupTile, loop};
    space.knobs.push_back({.name = nameOf(tile), .domain = {}, .sets = tile});
  }
  EXPECT_EQ(space.find({KnobRole::WorkgroupTile, 3}), 2u);
  EXPECT_FALSE(space.find({KnobRole::WorkgroupTile, 0}));
  EXPECT_FALSE(space.find({KnobRole::Split}));
  EXPECT_EQ(space.find("split"), 0u);
}

} // namespace
