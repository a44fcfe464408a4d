#include "core/graph/export/RasterExport.h"
#include "core/support/LazyLibrary.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cairo-pdf.h>
#include <cairo.h>
#include <cmath>
#include <librsvg/rsvg.h>
#include <memory>

namespace fuselage {
namespace {

/// cairo's image surfaces end at 32767 px a side; the total keeps memory under 1 GiB.
constexpr double longestSide = 32767, mostPixels = 250e6;
/// PDF 1.x readers show pages up to 14400 units a side.
constexpr double longestPage = 14400;

/// The functions of librsvg, cairo and GLib that are used here.
#define FUSELAGE_RASTER(use)                                                                                           \
  use(cairo_create);                                                                                                   \
  use(cairo_destroy);                                                                                                  \
  use(cairo_image_surface_create);                                                                                     \
  use(cairo_pdf_surface_create_for_stream);                                                                            \
  use(cairo_pdf_surface_restrict_to_version);                                                                          \
  use(cairo_pdf_surface_set_metadata);                                                                                 \
  use(cairo_status);                                                                                                   \
  use(cairo_status_to_string);                                                                                         \
  use(cairo_surface_destroy);                                                                                          \
  use(cairo_surface_finish);                                                                                           \
  use(cairo_surface_show_page);                                                                                        \
  use(cairo_surface_status);                                                                                           \
  use(cairo_surface_write_to_png_stream);                                                                              \
  use(g_error_free);                                                                                                   \
  use(g_memory_input_stream_new_from_data);                                                                            \
  use(g_object_unref);                                                                                                 \
  use(rsvg_handle_get_intrinsic_size_in_pixels);                                                                       \
  use(rsvg_handle_new_from_stream_sync);                                                                               \
  use(rsvg_handle_render_document);

struct Raster {
#define FUSELAGE_MEMBER(name) decltype(&::name) name = nullptr
  FUSELAGE_RASTER(FUSELAGE_MEMBER)
#undef FUSELAGE_MEMBER
  bool isThere = true;

  Raster() {
    const LazyLibrary library(FUSELAGE_RSVG_SONAME); // which needs the other two
#define FUSELAGE_FIND(name) isThere &= library.find(#name, name)
    FUSELAGE_RASTER(FUSELAGE_FIND)
#undef FUSELAGE_FIND
  }
};
#undef FUSELAGE_RASTER

const Raster &raster() {
  static const Raster loaded;
  return loaded;
}

/// What each function here begins with.
llvm::Error checkRaster() {
  if (raster().isThere)
    return llvm::Error::success();
  return fail("PNG and PDF are drawn by librsvg, and there is no " FUSELAGE_RSVG_SONAME
              " on this machine; SVG needs none");
}

struct Release {
  void operator()(RsvgHandle *handle) const { raster().g_object_unref(handle); }
  void operator()(cairo_surface_t *surface) const { raster().cairo_surface_destroy(surface); }
  void operator()(cairo_t *cairo) const { raster().cairo_destroy(cairo); }
};
template <typename T> using Owned = std::unique_ptr<T, Release>;

llvm::Error takeError(GError *error, llvm::StringRef what) {
  std::string message = llvm::formatv("{0}: {1}", what, error ? error->message : "unknown reason").str();
  if (error)
    raster().g_error_free(error);
  return fail(std::move(message));
}

llvm::Expected<Owned<RsvgHandle>> load(llvm::StringRef svg, double &width, double &height) {
  GError *error = nullptr;
  GInputStream *stream =
      raster().g_memory_input_stream_new_from_data(svg.data(), static_cast<gssize>(svg.size()), nullptr);
  // UNLIMITED: large graphs are larger than the XML parser's default limits.
  Owned<RsvgHandle> handle(
      raster().rsvg_handle_new_from_stream_sync(stream, nullptr, RSVG_HANDLE_FLAG_UNLIMITED, nullptr, &error));
  raster().g_object_unref(stream);
  if (!handle)
    return takeError(error, "librsvg cannot read the picture");
  if (!raster().rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height))
    return fail("librsvg finds no size in the picture");
  return handle;
}

llvm::Error render(RsvgHandle *handle, cairo_surface_t *surface, double width, double height) {
  if (cairo_status_t status = raster().cairo_surface_status(surface))
    return fail(
        llvm::formatv("cairo has no surface of {0}x{1}: {2}", width, height, raster().cairo_status_to_string(status)));
  Owned<cairo_t> cairo(raster().cairo_create(surface));
  RsvgRectangle page{0, 0, width, height};
  GError *error = nullptr;
  if (!raster().rsvg_handle_render_document(handle, cairo.get(), &page, &error))
    return takeError(error, "librsvg cannot draw the picture");
  if (cairo_status_t status = raster().cairo_status(cairo.get()))
    return fail(llvm::formatv("cairo cannot draw the picture: {0}", raster().cairo_status_to_string(status)));
  return llvm::Error::success();
}

cairo_status_t append(void *to, const unsigned char *data, unsigned length) {
  static_cast<std::string *>(to)->append(reinterpret_cast<const char *>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

} // namespace

llvm::Expected<std::string> renderPNG(llvm::StringRef svg, double scale, std::string &note) {
  if (llvm::Error error = checkRaster())
    return error;
  double width, height;
  auto handle = load(svg, width, height);
  if (!handle)
    return handle.takeError();
  double wanted = scale;
  scale = std::min({scale, longestSide / width, longestSide / height, std::sqrt(mostPixels / (width * height))});
  if (scale < wanted)
    note = llvm::formatv("the picture has {0:f0}x{1:f0} px, more than a PNG can hold at {2}x: it "
                         "was scaled by {3:f3} (SVG and PDF keep every detail)",
                         width, height, wanted, scale);
  double w = std::max(1.0, std::floor(width * scale)), h = std::max(1.0, std::floor(height * scale));
  Owned<cairo_surface_t> surface(
      raster().cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(w), static_cast<int>(h)));
  if (llvm::Error error = render(handle->get(), surface.get(), w, h))
    return error;
  std::string png;
  if (cairo_status_t status = raster().cairo_surface_write_to_png_stream(surface.get(), append, &png))
    return fail(llvm::formatv("cairo cannot write the PNG: {0}", raster().cairo_status_to_string(status)));
  return png;
}

/// A PDF whose same picture has the same bytes (no time stamp), of a version whose pages any tool can find.
static Owned<cairo_surface_t> pdfSurface(std::string &pdf, double width, double height) {
  Owned<cairo_surface_t> surface(raster().cairo_pdf_surface_create_for_stream(append, &pdf, width, height));
  raster().cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
  raster().cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  return surface;
}

llvm::Expected<std::string> renderPDF(llvm::StringRef svg) {
  if (llvm::Error error = checkRaster())
    return error;
  double width, height;
  auto handle = load(svg, width, height);
  if (!handle)
    return handle.takeError();
  // 96 px are 72 pt.
  double scale = std::min({0.75, longestPage / width, longestPage / height});
  std::string pdf;
  Owned<cairo_surface_t> surface = pdfSurface(pdf, width * scale, height * scale);
  if (llvm::Error error = render(handle->get(), surface.get(), width * scale, height * scale))
    return error;
  raster().cairo_surface_finish(surface.get());
  return pdf;
}

llvm::Expected<std::string> renderPages(PageSize size, size_t count, llvm::function_ref<std::string(size_t)> page) {
  if (llvm::Error error = checkRaster())
    return error;
  std::string pdf;
  Owned<cairo_surface_t> surface = pdfSurface(pdf, size.width, size.height);
  for (size_t i = 0; i < count; ++i) {
    double width, height;
    auto handle = load(page(i), width, height);
    if (!handle)
      return handle.takeError();
    if (llvm::Error error = render(handle->get(), surface.get(), size.width, size.height))
      return error;
    raster().cairo_surface_show_page(surface.get());
  }
  raster().cairo_surface_finish(surface.get());
  return pdf;
}

} // namespace fuselage
