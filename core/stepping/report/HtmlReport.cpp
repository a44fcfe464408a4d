#include "core/stepping/report/HtmlReport.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/graph/scene/Scene.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/stepping/diff/TextDiff.h"
#include "core/stepping/report/NoteSteps.h"
#include "core/text/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

namespace fuselage {

extern const char *const reportPage;

namespace {

/// What the page may hold; beyond it, unchanged lines and graphs are left out.
constexpr size_t maxFullText = 8 << 20;  // bytes of IR with every line of every snapshot
constexpr size_t maxRowsOfStep = 20'000; // parts of a diff
constexpr size_t maxGraphNodes = 400;    // of a graph with a picture
constexpr size_t maxPictures = 24 << 20; // bytes of all pictures
constexpr size_t maxSteps = 2000;        // with their diffs
constexpr size_t maxDiffs = 4'000'000;   // rows and kept lines of all diffs; then steps are left out
constexpr size_t maxParsed = 200;        // dumps that are parsed for a picture
constexpr OpId maxOpsForGraph = 200'000; // above, the graph is not even built
constexpr int contextLines = 3;          // as the page shows around changes

/// Builds the page's JSON. Snapshots that several steps share are written once.
class PageData {
public:
  PageData(const Recording &recording, StepRange range, const std::vector<message::Note<>> &notes)
      : recording_(recording), notes_(notes) {
    first_ = range.first;
    end_ = std::min<size_t>(recording.steps.size(), range.last + size_t(1));
    leftOut_ = recording.steps.size() - (end_ > first_ ? end_ - first_ : 0);
    // Numbered as the steps come to them; the input always.
    numberOf(*recording.snapshots.front());
    for (unsigned i = first_; i < end_; ++i) {
      const Step &step = recording.steps[i];
      for (const Snapshot *snapshot : {recording.before(step), recording.after(step)})
        if (snapshot)
          numberOf(*snapshot);
      if (i - first_ + 1 >= maxSteps) {
        leftOut_ += end_ - (i + 1);
        end_ = i + 1;
      }
    }
    size_t bytes = 0;
    for (const Snapshot *snapshot : unique_) {
      bytes += snapshot->lines().text().size();
      forget(*snapshot);
      full_ = bytes <= maxFullText;
      if (!full_)
        break;
    }
    needed_.resize(unique_.size());
  }

  llvm::json::Value build(llvm::StringRef inputName, llvm::StringRef what) {
    llvm::json::Array steps, snapshots, notes;
    for (unsigned i = first_; i < end_; ++i) {
      if (size_ > maxDiffs) {
        leftOut_ += end_ - i;
        break;
      }
      steps.push_back(step(i));
    }
    NoteFinder finder(recording_);
    for (const message::Note<> &note : notes_)
      notes.push_back(noteOf(note, finder.find(note)));
    for (unsigned i = 0; i < unique_.size(); ++i)
      snapshots.push_back(used_.count(i) ? snapshot(i) : llvm::json::Value(nullptr));
    return llvm::json::Object{{"version", 1},
                              {"name", llvm::json::fixUTF8(llvm::sys::path::filename(inputName))},
                              {"input", llvm::json::fixUTF8(inputName)},
                              {"what", llvm::json::fixUTF8(what)},
                              {"stepsLeftOut", int64_t(leftOut_)},
                              {"steps", std::move(steps)},
                              {"snapshots", std::move(snapshots)},
                              {"notes", std::move(notes)}};
  }

private:
  unsigned numberOf(const Snapshot &snapshot) {
    auto [known, isNew] = numbers_.try_emplace(&snapshot, unsigned(unique_.size()));
    if (isNew)
      unique_.push_back(&snapshot);
    return known->second;
  }

  /// Dumps are read again when they are needed again: a page looks at all of them.
  static void forget(const Snapshot &snapshot) {
    if (snapshot.isDump())
      snapshot.release();
  }

  /// A note with the step that shows it, the side there, and its line; without a step where it is on none of this page.
  llvm::json::Value noteOf(const message::Note<> &note, const message::NotePlace<> &place) {
    llvm::json::Object json{{"kind", message::noteKindNames[static_cast<int>(note.kind)]},
                            {"label", llvm::json::fixUTF8(note.label)},
                            {"text", llvm::json::fixUTF8(note.text)},
                            {"state", message::noteStateNames[static_cast<int>(place.state)]},
                            {"how", llvm::json::fixUTF8(place.how)},
                            {"step", nullptr}};
    if (place.snapshot < 0)
      return json;
    std::optional<unsigned> step = stepTo(recording_, place.snapshot);
    if (!step && !recording_.steps.empty() && recording_.steps.front().before == place.snapshot)
      json["side"] = "before";
    unsigned shown = step.value_or(0);
    if ((!step && json.get("side") == nullptr) || shown < first_ || shown >= end_)
      return json;
    json["step"] = shown;
    if (note.kind != message::NoteKind::Step && place.line >= 0) {
      json["line"] = place.line;
      need(numberOf(*recording_.snapshots[place.snapshot]), place.line);
    }
    return json;
  }

  static llvm::json::Array spans(const std::vector<Span> &spans, llvm::StringRef line) {
    llvm::json::Array array;
    for (const Span &span : spans) {
      array.push_back(utf16Length(line, span.begin));
      array.push_back(utf16Length(line, span.end));
    }
    return array;
  }

  /// Keeps a line that the page shows without a click.
  void need(unsigned snapshot, int line) {
    if (!full_ && line >= 0)
      needed_[snapshot].insert(line);
  }

  /// The diff of a step in the protocol's form.
  void addRows(llvm::json::Object &json, unsigned before, unsigned after) {
    const PrintedModule &left = unique_[before]->lines(), &right = unique_[after]->lines();
    TextDiff diff;
    if (before != after)
      diff = diffTexts(left.text(), right.text());
    else
      diff.rows.resize(left.lineCount());
    llvm::json::Array rows;
    size_t at = 0;
    while (at < diff.rows.size() && rows.size() < maxRowsOfStep) {
      DiffRow row = diff.rows[at];
      size_t end = at + 1;
      if (before == after)
        row.left = row.right = at;
      if (row.kind == DiffRow::Kind::Same) {
        while (end < diff.rows.size() && diff.rows[end].kind == DiffRow::Kind::Same)
          ++end;
        int count = end - at;
        rows.push_back(llvm::json::Array{4, row.left, row.right, count});
        for (int i = 0; i < count; ++i)
          if (before != after && (i < contextLines || i >= count - contextLines)) {
            need(before, row.left + i);
            need(after, row.right + i);
          }
      } else {
        rows.push_back(
            llvm::json::Array{int(row.kind), row.left, row.right,
                              row.left < 0 ? llvm::json::Array() : spans(row.leftWords, left.line(row.left)),
                              row.right < 0 ? llvm::json::Array() : spans(row.rightWords, right.line(row.right))});
        need(before, row.left);
        need(after, row.right);
      }
      at = end;
    }
    size_ += rows.size() + (before == after ? 0 : left.lineCount() / 64);
    json["rows"] = std::move(rows);
    json["rowsLeftOut"] = int64_t(diff.rows.size() - at);
    json["added"] = diff.added;
    json["removed"] = diff.removed;
    json["modified"] = diff.changed;
  }

  llvm::json::Value step(unsigned index) {
    llvm::json::Object json = message::encode(messageOf(recording_.steps[index], index));
    // Of a dumped step that has one side only, that one is shown on both.
    const Step &recorded = recording_.steps[index];
    const Snapshot *first = recording_.before(recorded), *last = recording_.after(recorded);
    if (!first || !last)
      json["missing"] = first ? "after" : "before";
    const Snapshot &shown = *recording_.snapshots[recording_.shown(recorded)];
    unsigned before = numberOf(first && last ? *first : shown), after = numberOf(first && last ? *last : shown);
    json["before"] = before;
    json["after"] = after;
    used_.insert({before, after});
    addRows(json, before, after);
    forget(*unique_[before]);
    forget(*unique_[after]);
    return json;
  }

  llvm::json::Value snapshot(unsigned index) {
    const PrintedModule &printed = unique_[index]->lines();
    int64_t total = printed.lineCount();
    llvm::json::Array chunks;
    if (full_) {
      llvm::json::Array lines;
      for (unsigned i = 0; i < printed.lineCount(); ++i)
        lines.push_back(llvm::json::fixUTF8(printed.line(i)));
      chunks.push_back(llvm::json::Array{0, std::move(lines)});
    } else {
      int expected = -1;
      for (int line : needed_[index]) {
        if (line != expected)
          chunks.push_back(llvm::json::Array{line, llvm::json::Array()});
        chunks.back().getAsArray()->back().getAsArray()->push_back(llvm::json::fixUTF8(printed.line(line)));
        expected = line + 1;
      }
    }
    std::string svg = picture(*unique_[index]);
    forget(*unique_[index]);
    return llvm::json::Object{{"total", total}, {"chunks", std::move(chunks)}, {"svg", std::move(svg)}};
  }

  /// How many boxes a level has at most; laying out too many only to drop them takes long.
  static size_t countNodes(const Graph &graph, SceneOptions::Level level) {
    size_t count = 0;
    for (const FunctionGraph &function : graph.functions) {
      if (level == SceneOptions::Level::Dispatches)
        count += function.dispatches.size();
      for (const GraphNode &node : function.nodes)
        count += level == SceneOptions::Level::Ops || node.dispatch < 0;
    }
    return count;
  }

  /// The graph as SVG; with its dispatches collapsed where it is large, empty where it is huge.
  std::string picture(const Snapshot &snapshot) {
    if (snapshot.isDump() && (++parsed_ > maxParsed || !snapshot.module()))
      return "";
    if (snapshot.printed().opCount() > maxOpsForGraph)
      return "";
    Graph graph = buildGraph(snapshot.module(), snapshot.printed());
    using Level = SceneOptions::Level;
    for (Level level : {Level::Ops, Level::Dispatches}) {
      // Twice, since constants will be folded away.
      if (countNodes(graph, level) > 2 * maxGraphNodes)
        continue;
      SceneOptions options;
      options.level = level;
      auto scene = buildScene(graph, options);
      if (!scene) {
        llvm::consumeError(scene.takeError());
        return "";
      }
      if (scene->nodes.empty() || scene->nodes.size() > maxGraphNodes)
        continue;
      std::string svg = llvm::json::fixUTF8(toSVG(*scene));
      if (pictureBytes_ + svg.size() > maxPictures)
        return "";
      pictureBytes_ += svg.size();
      return svg;
    }
    return "";
  }

  const Recording &recording_;
  const std::vector<message::Note<>> &notes_;
  std::map<const Snapshot *, unsigned> numbers_;
  std::vector<const Snapshot *> unique_;
  std::vector<std::set<int>> needed_; // lines to keep, by snapshot; unused when all are kept
  std::set<unsigned> used_;           // snapshots that the steps on the page refer to
  bool full_ = true;
  unsigned first_ = 0, end_ = 0; // the steps on the page
  size_t leftOut_ = 0;           // steps that are not
  size_t size_ = 0, pictureBytes_ = 0, parsed_ = 0;
};

/// JSON that may stand in a <script>: nothing in it can end the element.
std::string scriptSafe(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  std::string safe;
  safe.reserve(text.size());
  for (char c : printable(text, Spelling::Json)) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

} // namespace

std::string renderHtml(const Recording &recording, llvm::StringRef inputName, llvm::StringRef what, StepRange range,
                       const std::vector<message::Note<>> &notes) {
  auto [head, tail] = llvm::StringRef(reportPage).split("%FUSELAGE_DATA%");
  return head.str() + scriptSafe(PageData(recording, range, notes).build(inputName, what)) + tail.str();
}

} // namespace fuselage
