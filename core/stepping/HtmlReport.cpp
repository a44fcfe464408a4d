#include "core/stepping/HtmlReport.h"
#include "core/graph/GraphBuilder.h"
#include "core/graph/Scene.h"
#include "core/stepping/TextDiff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

namespace fuselage {

extern const char *const reportPage;

namespace {

/// What the page may hold; beyond it, unchanged lines and graphs are left out.
constexpr size_t maxFullText = 8 << 20;     // bytes of IR with every line of every snapshot
constexpr size_t maxRowsOfStep = 20'000;    // parts of a diff
constexpr size_t maxGraphNodes = 400;       // of a graph with a picture
constexpr size_t maxPictures = 24 << 20;    // bytes of all pictures
constexpr OpId maxOpsForGraph = 200'000;    // above, the graph is not even built
constexpr int contextLines = 3;             // as the page shows around changes

/// Builds the page's JSON. Snapshots that several steps share are written once.
class PageData {
public:
  explicit PageData(const Recording &recording) : recording_(recording) {
    for (const auto &snapshot : recording.snapshots)
      if (numbers_.try_emplace(snapshot.get(), unsigned(unique_.size())).second)
        unique_.push_back(snapshot.get());
    size_t bytes = 0;
    for (const Snapshot *snapshot : unique_)
      bytes += snapshot->printed().text().size();
    full_ = bytes <= maxFullText;
    needed_.resize(unique_.size());
  }

  llvm::json::Value build(llvm::StringRef inputName, llvm::StringRef what) {
    llvm::json::Array steps, snapshots;
    for (unsigned i = 0; i < recording_.steps.size(); ++i)
      steps.push_back(step(i));
    for (unsigned i = 0; i < unique_.size(); ++i)
      snapshots.push_back(snapshot(i));
    return llvm::json::Object{
        {"version", 1},
        {"name", llvm::json::fixUTF8(llvm::sys::path::filename(inputName))},
        {"input", llvm::json::fixUTF8(inputName)},
        {"what", llvm::json::fixUTF8(what)},
        {"steps", std::move(steps)},
        {"snapshots", std::move(snapshots)}};
  }

private:
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
    const PrintedModule &left = unique_[before]->printed(), &right = unique_[after]->printed();
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
        rows.push_back(llvm::json::Array{
            int(row.kind), row.left, row.right,
            row.left < 0 ? llvm::json::Array() : spans(row.leftWords, left.line(row.left)),
            row.right < 0 ? llvm::json::Array() : spans(row.rightWords, right.line(row.right))});
        need(before, row.left);
        need(after, row.right);
      }
      at = end;
    }
    json["rows"] = std::move(rows);
    json["rowsLeftOut"] = int64_t(diff.rows.size() - at);
    json["added"] = diff.added;
    json["removed"] = diff.removed;
    json["modified"] = diff.changed;
  }

  llvm::json::Value step(unsigned index) {
    llvm::json::Value value = toJSON(recording_.steps[index], index);
    llvm::json::Object &json = *value.getAsObject();
    unsigned before = numbers_.at(recording_.snapshots[index].get());
    unsigned after = numbers_.at(recording_.snapshots[index + 1].get());
    json["before"] = before;
    json["after"] = after;
    addRows(json, before, after);
    return value;
  }

  llvm::json::Value snapshot(unsigned index) {
    const PrintedModule &printed = unique_[index]->printed();
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
        chunks.back().getAsArray()->back().getAsArray()->push_back(
            llvm::json::fixUTF8(printed.line(line)));
        expected = line + 1;
      }
    }
    return llvm::json::Object{{"total", int64_t(printed.lineCount())},
                              {"chunks", std::move(chunks)},
                              {"svg", picture(*unique_[index])}};
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
  std::map<const Snapshot *, unsigned> numbers_;
  std::vector<const Snapshot *> unique_;
  std::vector<std::set<int>> needed_; // lines to keep, by snapshot; unused when all are kept
  bool full_ = true;
  size_t pictureBytes_ = 0;
};

/// JSON that may stand in a <script>: nothing in it can end the element.
std::string scriptSafe(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  std::string safe;
  safe.reserve(text.size());
  for (char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

} // namespace

std::string renderHtml(const Recording &recording, llvm::StringRef inputName,
                       llvm::StringRef what) {
  auto [head, tail] = llvm::StringRef(reportPage).split("%FUSELAGE_DATA%");
  return head.str() + scriptSafe(PageData(recording).build(inputName, what)) + tail.str();
}

} // namespace fuselage
