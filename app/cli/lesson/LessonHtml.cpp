#include "app/cli/lesson/LessonHtml.h"
#include "core/engine/lessons/LessonPlayer.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/graph/export/Picture.h"
#include "core/graph/scene/JudgeEdges.h"
#include "core/lessons/BuiltInLessons.h"
#include "core/lessons/LessonPicture.h"
#include "core/lessons/MarkdownHtml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace fuselage::cli {

static constexpr llvm::StringLiteral head = R"(<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>
:root { color-scheme: light dark; --text: #1f2328; --muted: #59636e; --ground: #ffffff; --box: #f6f8fa; --line: #d1d9e0; --link: #0969da; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --muted: #9198a1; --ground: #1b1e23; --box: #262a31; --line: #3d444d; --link: #6cb2ff; }
}
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.55 system-ui, sans-serif; color: var(--text); background: var(--ground); }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1.2rem; }
.leads, .facts { color: var(--muted); }
pre, code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9em; }
code { background: var(--box); padding: .1em .25em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .8rem; overflow-x: auto; }
pre code { background: none; padding: 0; }
a { color: var(--link); } a.term { color: inherit; text-decoration: underline dotted; }
img { max-width: 100%; height: auto; } figure { margin: 1rem 0; text-align: center; } figure img { max-height: 44rem; }
figure.leads img { width: 20rem; border: 1px solid var(--line); border-radius: 6px; }
@media (prefers-color-scheme: dark) { figure.leads img { filter: invert(.9) hue-rotate(180deg); } }
details { border: 1px solid var(--line); border-radius: 6px; padding: .4rem .8rem; margin: .5rem 0; } summary { cursor: pointer; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
@media print {
  body { margin: 0; max-width: none; font-size: 11pt; } h2 { break-after: avoid; } figure, details, pre { break-inside: avoid; }
  pre { white-space: pre-wrap; }
}
</style>
)";

static std::string dataUri(llvm::StringRef type, llvm::StringRef bytes) {
  return ("data:" + type + ";base64," + llvm::encodeBase64(bytes)).str();
}

/// SVG in an <img> runs no scripts and loads nothing.
static std::string pictureUri(const Lesson &lesson, llvm::StringRef name) {
  auto picture = readLessonPicture(lesson, name);
  if (picture)
    return dataUri(picture->type, picture->bytes);
  llvm::consumeError(picture.takeError()); // `fuselage lesson check` says why
  return "";
}

namespace {
class LessonPage {
public:
  explicit LessonPage(const Lesson &lesson)
      : lesson_(lesson), picture_([&lesson](llvm::StringRef name) { return pictureUri(lesson, name); }),
        markdown_(builtInGlossary(), picture_), os_(html_) {}
  llvm::Expected<std::string> write();

private:
  void writePicture();
  void writeFigure(const char *caption);
  void writeModule();
  llvm::Error writeTask(const LessonTask &task, size_t number);
  void writeTerms();

  const Lesson &lesson_;
  std::function<std::string(llvm::StringRef)> picture_;
  MarkdownHtml markdown_;
  LessonPlayer player_;
  std::string html_;
  llvm::raw_string_ostream os_;
};
} // namespace

/// Of where the lesson leads; its ground is white, or dark where the page is.
void LessonPage::writePicture() {
  const std::string uri = lesson_.picture.empty() ? std::string() : pictureUri(lesson_, lesson_.picture);
  if (!uri.empty())
    os_ << "<figure class=\"leads\"><img alt=\"Where the lesson leads\" src=\"" << uri << "\"></figure>\n";
}

/// The graph of what is on screen, for light and dark; nothing if it would be too large to read.
void LessonPage::writeFigure(const char *caption) {
  constexpr size_t mostNodes = 120;
  auto module = player_.module();
  if (!module)
    return llvm::consumeError(module.takeError());
  const Graph graph = buildGraph(*module);
  auto scene = buildScene(graph, {});
  if (!scene)
    return llvm::consumeError(scene.takeError());
  if (scene->nodes.empty() || scene->nodes.size() > mostNodes)
    return;
  if (auto judged = judgeEdges(*module, {}))
    applyVerdicts(*scene, *judged);
  else
    llvm::consumeError(judged.takeError());
  const auto uri = [&](Ground ground) {
    return dataUri("image/svg+xml", toSVG(*scene, {.region = std::nullopt, .ground = ground}));
  };
  os_ << "<figure><picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"" << uri(Ground::Dark)
      << "\"><img alt=\"Dispatch graph\" src=\"" << uri(Ground::Light) << "\"></picture><figcaption>" << caption
      << "</figcaption></figure>\n";
}

void LessonPage::writeModule() {
  llvm::SmallString<128> path(lesson_.folder);
  llvm::sys::path::append(path, lesson_.module);
  writeFigure("The module as a graph of dispatches");
  if (auto text = llvm::MemoryBuffer::getFile(path); text && (*text)->getBufferSize() < (64 << 10))
    os_ << "<details><summary>" << escapeHtml(lesson_.module) << "</summary><pre><code>"
        << escapeHtml((*text)->getBuffer()) << "</code></pre></details>\n";
}

llvm::Error LessonPage::writeTask(const LessonTask &task, size_t number) {
  os_ << "<h2>" << number << ". " << markdown_.inlines(task.title) << "</h2>\n" << markdown_.blocks(task.text);
  std::string goals;
  for (const Goal &goal : task.goals)
    if (goal.fact != "answer" && goal.fact != "choice") // which is not for everybody to read
      goals += (goals.empty() ? "<code>" : ", <code>") + escapeHtml(goal.text) + "</code>";
  if (!goals.empty())
    os_ << "<p class=\"facts\">Goal: " << goals << "</p>\n";
  for (size_t i = 0; i < task.hints.size(); ++i)
    os_ << "<details><summary>Hint " << i + 1 << "</summary>" << markdown_.blocks(task.hints[i]) << "</details>\n";
  const unsigned before = player_.snapshot();
  std::string actions;
  for (const std::string &action : task.show) {
    if (llvm::Error error = player_.act(action))
      return error;
    actions += "<li><code>" + escapeHtml(action) + "</code></li>";
  }
  if (actions.empty())
    return llvm::Error::success();
  os_ << "<details><summary>Show me</summary><ol>" << actions << "</ol>\n";
  if (player_.snapshot() != before)
    writeFigure("The graph afterwards");
  os_ << "</details>\n";
  return llvm::Error::success();
}

void LessonPage::writeTerms() {
  const std::vector<const GlossaryEntry *> terms = markdown_.usedTerms();
  if (terms.empty())
    return;
  os_ << "<h2>Terms</h2>\n<dl>\n";
  for (const GlossaryEntry *term : terms)
    os_ << "<dt id=\"term-" << termAnchor(*term) << "\"><strong>" << escapeHtml(term->name) << "</strong></dt><dd>"
        << escapeHtml(term->meaning) << "</dd>\n";
  os_ << "</dl>\n";
}

llvm::Expected<std::string> LessonPage::write() {
  if (llvm::Error error = player_.open(lesson_))
    return error;
  const std::string title = std::to_string(lesson_.number) + ". " + escapeHtml(lesson_.title);
  os_ << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" << title << "</title>\n"
      << head << "</head>\n<body>\n<h1>" << title << "</h1>\n<p class=\"leads\">" << markdown_.inlines(lesson_.leads);
  if (lesson_.minutes)
    os_ << " (" << lesson_.minutes << " minutes)";
  os_ << "</p>\n";
  writePicture();
  os_ << markdown_.blocks(lesson_.intro);
  writeModule();
  for (size_t i = 0; i < lesson_.tasks.size(); ++i)
    if (llvm::Error error = writeTask(lesson_.tasks[i], i + 1))
      return error;
  writeTerms();
  os_ << "</body>\n</html>\n";
  return html_;
}

llvm::Expected<std::string> lessonHtml(const Lesson &lesson) { return LessonPage(lesson).write(); }

} // namespace fuselage::cli
