#include "core/meshes/SdyText.h"
#include "core/meshes/MeshCursor.h"

namespace fuselage {

namespace {

/// `"x"` or `"x":(1)2`
llvm::Expected<AxisRef> readAxis(MeshCursor &cursor) {
  std::optional<std::string> name = cursor.string();
  if (!name)
    return cursor.expected("the name of an axis");
  AxisRef ref{.axis = *name};
  if (!cursor.isAt(":("))
    return ref;
  cursor.take(":");
  cursor.take("(");
  std::optional<int64_t> before = cursor.number();
  if (!before || !cursor.take(")"))
    return cursor.expected("the size before a part of an axis");
  std::optional<int64_t> size = cursor.number();
  if (!size || *size < 1)
    return cursor.expected("the size of a part of an axis");
  ref.before = *before;
  ref.size = *size;
  return ref;
}

/// `{"x", "y"}`; `isOpen` null: `?` is not taken.
llvm::Expected<std::vector<AxisRef>> readAxes(MeshCursor &cursor, bool *isOpen = nullptr) {
  std::vector<AxisRef> axes;
  if (!cursor.take("{"))
    return cursor.expected("'{'");
  bool isFirst = true;
  while (!cursor.take("}")) {
    if (!std::exchange(isFirst, false) && !cursor.take(","))
      return cursor.expected("',' or '}'");
    if (isOpen && cursor.take("?")) {
      *isOpen = true;
      continue;
    }
    auto axis = readAxis(cursor);
    if (!axis)
      return axis.takeError();
    axes.push_back(std::move(*axis));
  }
  return axes;
}

/// `[{"x"}, {"y", ?}p1]`
llvm::Expected<std::vector<DimSharding>> readDims(MeshCursor &cursor) {
  std::vector<DimSharding> dims;
  if (!cursor.take("["))
    return cursor.expected("'['");
  while (!cursor.take("]")) {
    if (!dims.empty() && !cursor.take(","))
      return cursor.expected("',' or ']'");
    DimSharding dim;
    auto axes = readAxes(cursor, &dim.isOpen);
    if (!axes)
      return axes.takeError();
    dim.axes = std::move(*axes);
    if (cursor.take("p") && !cursor.number())
      return cursor.expected("a priority");
    dims.push_back(std::move(dim));
  }
  return dims;
}

/// `<["x"=2], device_ids=[..]>`
llvm::Expected<DeviceMesh> readMesh(MeshCursor &cursor) {
  DeviceMesh mesh;
  if (!cursor.take("<") || !cursor.take("["))
    return cursor.expected("'<[', with the axes of a mesh");
  while (!cursor.take("]")) {
    if (!mesh.axes.empty() && !cursor.take(","))
      return cursor.expected("',' or ']'");
    std::optional<std::string> name = cursor.string();
    if (!name || !cursor.take("="))
      return cursor.expected("\"axis\"=size");
    std::optional<int64_t> size = cursor.number();
    if (!size)
      return cursor.expected("the size of an axis");
    mesh.axes.push_back({*name, *size});
  }
  if (cursor.take(",")) {
    if (!cursor.take("device_ids") || !cursor.take("=") || !cursor.take("["))
      return cursor.expected("device_ids=[");
    auto ids = cursor.numbersTo("]");
    if (!ids)
      return ids.takeError();
    mesh.deviceIds = std::move(*ids);
  }
  if (!cursor.take(">"))
    return cursor.expected("'>'");
  if (std::string why = checkMesh(mesh); !why.empty())
    return fail("the mesh makes no sense: " + why);
  return mesh;
}

llvm::Expected<SdySharding> readSharding(MeshCursor &cursor) {
  SdySharding result;
  if (!cursor.take("<"))
    return cursor.expected("'<', with a sharding");
  if (cursor.take("mesh")) {
    auto mesh = readMesh(cursor);
    if (!mesh)
      return mesh.takeError();
    result.mesh = std::move(*mesh);
  } else if (std::optional<std::string> name = cursor.isAt("@") ? cursor.word() : std::nullopt) {
    result.meshName = *name;
  } else {
    return cursor.expected("the name of a mesh");
  }
  if (!cursor.take(","))
    return cursor.expected("','");
  auto dims = readDims(cursor);
  if (!dims)
    return dims.takeError();
  result.sharding.dims = std::move(*dims);
  while (cursor.take(",")) {
    bool isReplicated = cursor.take("replicated");
    if ((!isReplicated && !cursor.take("unreduced")) || !cursor.take("="))
      return cursor.expected("replicated={..} or unreduced={..}");
    auto axes = readAxes(cursor);
    if (!axes)
      return axes.takeError();
    (isReplicated ? result.sharding.replicated : result.sharding.unreduced) = std::move(*axes);
  }
  if (!cursor.take(">"))
    return cursor.expected("'>'");
  return result;
}

/// What stands before an attribute's own text: `#sdy.sharding`, `#sdy<sharding ..>`.
llvm::StringRef withoutName(llvm::StringRef text, llvm::StringRef name) {
  text = text.trim();
  text.consume_front("#");
  text.consume_front("sdy.");
  if (text.consume_front("sdy<"))
    text.consume_back(">");
  text.consume_front(name);
  return text;
}

} // namespace

llvm::Expected<DeviceMesh> readSdyMesh(llvm::StringRef text) {
  MeshCursor cursor(withoutName(text, "mesh"));
  return readMesh(cursor);
}

llvm::Expected<SdySharding> readSdySharding(llvm::StringRef text) {
  MeshCursor cursor(withoutName(text, "sharding"));
  return readSharding(cursor);
}

llvm::Expected<std::vector<SdySharding>> readSdyShardings(llvm::StringRef text) {
  MeshCursor cursor(withoutName(text, "sharding_per_value"));
  cursor.take("<");
  std::vector<SdySharding> shardings;
  if (!cursor.take("["))
    return cursor.expected("'[', with shardings");
  while (!cursor.take("]")) {
    if (!shardings.empty() && !cursor.take(","))
      return cursor.expected("',' or ']'");
    auto sharding = readSharding(cursor);
    if (!sharding)
      return sharding.takeError();
    shardings.push_back(std::move(*sharding));
  }
  return shardings;
}

llvm::Expected<std::vector<std::vector<AxisRef>>> readSdyAxisLists(llvm::StringRef text) {
  MeshCursor cursor(text);
  auto dims = readDims(cursor);
  if (!dims)
    return dims.takeError();
  std::vector<std::vector<AxisRef>> lists;
  for (DimSharding &dim : *dims)
    lists.push_back(std::move(dim.axes));
  return lists;
}

llvm::Expected<std::vector<AxisRef>> readSdyAxes(llvm::StringRef text) {
  MeshCursor cursor(text);
  return readAxes(cursor);
}

llvm::Expected<std::vector<SdyMove>> readSdyMoves(llvm::StringRef text) {
  MeshCursor cursor(text);
  std::vector<SdyMove> moves;
  if (!cursor.take("["))
    return cursor.expected("'['");
  while (!cursor.take("]")) {
    if (!moves.empty() && !cursor.take(","))
      return cursor.expected("',' or ']'");
    auto axes = readAxes(cursor);
    if (!axes)
      return axes.takeError();
    std::optional<int64_t> from = cursor.take(":") ? cursor.number() : std::nullopt;
    std::optional<int64_t> to = from && cursor.take("->") ? cursor.number() : std::nullopt;
    if (!to)
      return cursor.expected("the dimensions, as in 0->1");
    moves.push_back({.axes = std::move(*axes), .from = *from, .to = *to});
  }
  return moves;
}

static std::string formatAxes(llvm::ArrayRef<AxisRef> axes, bool isOpen = false) {
  std::string text = "{";
  for (const AxisRef &axis : axes)
    text += (text.size() > 1 ? ", " : "") + axis.str();
  if (isOpen)
    text += text.size() > 1 ? ", ?" : "?";
  return text + "}";
}

std::string formatSharding(const Sharding &sharding, llvm::StringRef meshName) {
  std::string text = (meshName.empty() ? "" : "@" + meshName.str() + " ") + "[";
  for (const DimSharding &dim : sharding.dims)
    text += (text.back() == '[' ? "" : ", ") + formatAxes(dim.axes, dim.isOpen);
  text += "]";
  if (!sharding.replicated.empty())
    text += " replicated " + formatAxes(sharding.replicated);
  if (!sharding.unreduced.empty())
    text += " unreduced " + formatAxes(sharding.unreduced);
  return text;
}

} // namespace fuselage
