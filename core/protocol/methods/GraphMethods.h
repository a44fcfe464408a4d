// graph/*.
#pragma once
#include "core/protocol/Outline.h"
#include "core/protocol/Picture.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

enum class SceneLevel { Ops, Dispatches };
inline constexpr const char *sceneLevels[] = {"ops", "dispatches"};
enum class SceneLayout { Layered, Dot };
inline constexpr const char *sceneLayouts[] = {"layered", "dot"};
enum class SceneRepeats { Auto, Collapse, Expand };
inline constexpr const char *sceneRepeats[] = {"auto", "collapse", "expand"};

/// Which picture of which snapshot: what graph/scene and graph/export share.
template <class Types = StdTypes> struct SceneChoice {
  SnapshotNumber snapshot{};
  SceneLevel level = SceneLevel::Ops;
  SceneLayout layout = SceneLayout::Layered;
  bool foldConstants = true;
  SceneRepeats repeats = SceneRepeats::Auto;
  Numbers<Types> collapsed{};
  Numbers<Types> expanded{};
  Numbers<Types> portsOf{};
  bool openAll = false;
  Text<Types> function{};
  std::optional<Int64<Types>> idsOf{};

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot, required);
    visit.choice("level", level, sceneLevels);
    visit.choice("layout", layout, sceneLayouts);
    visit("foldConstants", foldConstants, optional.doc("default: true"));
    visit.choice("repeats", repeats, sceneRepeats);
    visit("collapsed", collapsed);
    visit("expanded", expanded,
          optional.doc("as `collapsed` ids in snapshot `ids_of`; of another one than `snapshot`, the clusters that are "
                       "called so there are meant, and the reply names them"));
    visit("ports_of", portsOf, optional.doc("ops whose weights and constants are nodes all the same"));
    visit("open", openAll, optional.doc("every box is open"));
    visit("function", function);
    visit("ids_of", idsOf, optional.range(0, INT32_MAX).doc("default: `snapshot`"));
  }
};

struct GraphScene {
  static constexpr const char *name = "graph/scene";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SceneChoice<Types> scene{};
    bool packed = false;

    template <class Visitor> void fields(Visitor &visit) {
      scene.fields(visit);
      visit("packed", packed, optional.doc("see below"));
    }
  };
  template <class Types> using Reply = WrittenByHand;
};

enum class PictureTheme { Light, Dark };
inline constexpr const char *pictureThemes[] = {"light", "dark"};
enum class PicturePages { One, A4, A3 };
inline constexpr const char *picturePages[] = {"one", "a4", "a3"};

struct ExportGraph {
  static constexpr const char *name = "graph/export";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SceneChoice<Types> scene{};
    Text<Types> path{};
    bool verdicts = true;
    Text<Types> policy = textOf<Types>("aggressive");
    bool write = true;
    PictureTheme theme = PictureTheme::Light;
    PicturePages pages = PicturePages::One;
    std::optional<Numbers<Types>> region{};

    template <class Visitor> void fields(Visitor &visit) {
      scene.fields(visit);
      visit("path", path, required.file(FileUse::Writes));
      visit("verdicts", verdicts, optional.doc("edges look by the verdict of `policy` (default: true), with a legend"));
      visit("policy", policy, optional.doc("as of fusion/report"));
      visit("write", write, optional.doc("false: nothing is written"));
      visit.choice("theme", theme, pictureThemes);
      visit.choice("pages", pages, picturePages,
                   optional.doc("of a pdf: \"one\" (default) as large as the picture, \"a4\" or \"a3\" sheets"));
      visit("region", region, optional.doc("`[x, y, w, h]`: what is in there of the scene, in whole px"));
    }
  };
  template <class Types> using Reply = message::WrittenPicture<Types>;
};

struct GraphOutline {
  static constexpr const char *name = "graph/outline";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Text<Types> policy = textOf<Types>("aggressive");
    bool judge = true;

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("policy", policy);
      visit("judge", judge, optional.doc("false: nothing is `missed` (default: true)"));
    }
  };
  template <class Types> using Reply = message::Outline<Types>;
};

} // namespace fuselage::method
