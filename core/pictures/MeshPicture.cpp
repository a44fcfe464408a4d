#include "core/pictures/MeshPicture.h"
#include "core/pictures/PictureColors.h"
#include "core/text/PrintableText.h"
#include <cstdio>

namespace fuselage::picture {

static_assert(partColors == accentCount);

unsigned partColor(int64_t part, bool isDark) {
  return (isDark ? darkDispatchAccents : dispatchAccents)[part % accentCount];
}

namespace {

std::string escaped(const std::string &text) {
  std::string result;
  for (char c : printable(text))
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return result;
}

template <class... Values> std::string print(const char *format, Values... values) {
  char buffer[320];
  std::snprintf(buffer, sizeof(buffer), format, values...);
  return buffer;
}

std::string textElement(double x, double y, const std::string &text, unsigned color, bool isCentered, bool isBold) {
  return print("<text x=\"%.1f\" y=\"%.1f\" fill=\"#%06x\"%s%s>", x, y, color,
               isCentered ? " text-anchor=\"middle\"" : "", isBold ? " font-weight=\"bold\"" : "") +
         escaped(text) + "</text>\n";
}

} // namespace

std::string meshSvg(const MeshSubject &subject, bool isDark) {
  const RooflineColours &colors = isDark ? rooflineDark : rooflineLight;
  // DejaVu Sans in 12 px: 7.2 px a character, about.
  const MeshDrawing drawing =
      drawMesh(subject, 1200, [](const std::string &text) { return 7.2 * double(text.size()); });
  std::string svg = print("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                          "width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" font-family=\"DejaVu Sans, "
                          "sans-serif\" font-size=\"12\">\n",
                          drawing.width, drawing.height, drawing.width, drawing.height);
  svg += "<title>" + escaped(subject.title) + "</title>\n";
  svg += print("<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n", colors.ground);
  for (const MeshCell &cell : drawing.cells) {
    const unsigned accent = cell.part < 0 ? colors.grid : partColor(cell.part, isDark);
    svg +=
        print("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\" fill-opacity=\"%.2f\" "
              "stroke=\"#%06x\"/>\n",
              cell.x + 1.5, cell.y + 1.5, cell.width - 3, cell.height - 3, accent, cell.part < 0 ? 0.5 : 0.25, accent);
    const double middle = cell.x + cell.width / 2;
    const double y = cell.y + (cell.range.empty() ? cell.height / 2 + 4 : 18);
    svg += textElement(middle, y, std::to_string(cell.device), colors.text, true, false);
    if (!cell.range.empty())
      svg += textElement(middle, cell.y + cell.height - 10, cell.range, colors.text, true, false);
  }
  for (const MeshLabel &label : drawing.labels)
    svg += textElement(label.x, label.y, label.text, label.isTitle ? colors.text : colors.muted, label.isCentered,
                       label.isTitle);
  return svg + "</svg>\n";
}

} // namespace fuselage::picture
