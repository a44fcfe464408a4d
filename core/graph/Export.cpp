#include "core/graph/RasterExport.h"
#include "core/graph/Scene.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

/// Writes beside the place and renames, so that what was there stays whole until all is written.
static llvm::Error writeFile(llvm::StringRef path, llvm::StringRef content) {
  auto problem = [&](const std::string &why) {
    return fail(llvm::formatv("cannot write '{0}': {1}", path, why));
  };
  if (path == "-") {
    llvm::outs() << content;
    llvm::outs().flush();
    if (llvm::outs().has_error()) {
      std::string why = llvm::outs().error().message();
      llvm::outs().clear_error();
      return fail("cannot write to the standard output: " + why);
    }
    return llvm::Error::success();
  }
  // A device or a pipe cannot be renamed over.
  llvm::sys::fs::file_status status;
  bool plain = llvm::sys::fs::status(path, status) ||
               status.type() == llvm::sys::fs::file_type::regular_file;
  if (status.type() == llvm::sys::fs::file_type::directory_file)
    return problem("it is a folder");
  llvm::SmallString<256> temporary(path);
  int descriptor;
  std::error_code error =
      plain ? llvm::sys::fs::createUniqueFile(path + ".%%%%%%%%", descriptor, temporary,
                                              llvm::sys::fs::OF_None, 0666)
            : llvm::sys::fs::openFileForWrite(path, descriptor, llvm::sys::fs::CD_OpenExisting);
  if (error)
    return problem(error.message());
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << content;
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (!error && plain)
    error = llvm::sys::fs::rename(temporary, path);
  if (!error)
    return llvm::Error::success();
  if (plain)
    llvm::sys::fs::remove(temporary);
  return problem(error.message());
}

llvm::Error exportGraph(const Graph &graph, const SceneOptions &options, llvm::StringRef path,
                        llvm::StringRef format) {
  if (format.empty())
    format = llvm::sys::path::extension(path).drop_while([](char c) { return c == '.'; });
  std::string kind = format.lower();
  if (kind == "json") {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << llvm::formatv("{0:2}\n", toJSON(graph));
    return writeFile(path, text);
  }
  if (kind != "svg" && kind != "dot" && kind != "gv" && kind != "png" && kind != "pdf")
    return fail(llvm::formatv("'{0}' is no picture format; there are dot, svg, png, pdf and json",
                              kind.empty() ? path.str() : kind));
  llvm::Expected<Scene> scene = buildScene(graph, options);
  if (!scene)
    return scene.takeError();
  if (kind == "dot" || kind == "gv")
    return writeFile(path, toDOT(*scene));
  std::string svg = toSVG(*scene), note;
  if (kind == "svg")
    return writeFile(path, svg);
  llvm::Expected<std::string> rendered =
      kind == "png" ? renderPNG(svg, 2, note) : renderPDF(svg);
  if (!rendered)
    return rendered.takeError();
  if (!note.empty())
    llvm::errs() << "note: " << note << '\n';
  return writeFile(path, *rendered);
}

} // namespace fuselage
