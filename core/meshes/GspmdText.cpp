#include "core/meshes/GspmdText.h"
#include "core/meshes/MeshCursor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <numeric>
#include <set>

namespace fuselage {

using Kind = GspmdSharding::Kind;

namespace {

/// Their product; nullopt: there are more than a mesh may have.
std::optional<int64_t> countOf(llvm::ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) {
    if (size < 1 || size > DeviceMesh::maxDevices)
      return std::nullopt;
    if ((count *= size) > DeviceMesh::maxDevices)
      return std::nullopt;
  }
  return count;
}

std::optional<Kind> kindNamed(llvm::StringRef word) {
  constexpr std::pair<llvm::StringLiteral, Kind> kinds[] = {{"replicated", Kind::Replicated},
                                                            {"manual", Kind::Manual},
                                                            {"unknown", Kind::Unknown},
                                                            {"unreduced", Kind::Unreduced}};
  for (const auto &[name, kind] : kinds)
    if (word == name)
      return kind;
  return std::nullopt;
}

/// The devices of `<=[2,4]T(1,0)`: those of an array of this shape, counted row-major, then transposed.
std::vector<int64_t> transposedDevices(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> order, int64_t count) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  std::vector<int64_t> devices(count);
  for (int64_t place = 0; place < count; ++place) {
    int64_t rest = place, device = 0;
    for (int64_t dim : llvm::reverse(order)) {
      device += rest % shape[dim] * strides[dim];
      rest /= shape[dim];
    }
    devices[place] = device;
  }
  return devices;
}

class GspmdReader {
public:
  explicit GspmdReader(llvm::StringRef text) : cursor_(text) {}

  llvm::Expected<std::vector<GspmdSharding>> run() {
    std::vector<GspmdSharding> shardings;
    if (!cursor_.take("{"))
      return cursor_.expected("'{'");
    bool isTuple = cursor_.isAt("{");
    do {
      if (isTuple && !cursor_.take("{"))
        return cursor_.expected("'{'");
      auto sharding = readOne();
      if (!sharding)
        return sharding.takeError();
      shardings.push_back(std::move(*sharding));
    } while (isTuple && cursor_.take(","));
    if (isTuple && !cursor_.take("}"))
      return cursor_.expected("'}'");
    return shardings;
  }

private:
  /// Up to and with its closing brace.
  llvm::Expected<GspmdSharding> readOne() {
    GspmdSharding sharding;
    while (!cursor_.take("}")) {
      if (llvm::Error error = readWord(sharding))
        return error;
      cursor_.take(",");
    }
    if (sharding.kind == Kind::Tiled && sharding.last.size() > sharding.tiles.size())
      return cursor_.expected("a dimension for each of last_tile_dims");
    return sharding;
  }

  llvm::Error readWord(GspmdSharding &sharding) {
    std::optional<std::string> word = cursor_.word();
    if (!word)
      return cursor_.expected("a sharding, such as devices=[2,4]<=[8]");
    if (*word == "devices")
      return readDevices(sharding);
    if (*word == "maximal") {
      sharding.kind = Kind::Maximal;
      return llvm::Error::success();
    }
    if (*word == "device" && cursor_.take("=")) {
      std::optional<int64_t> device = cursor_.number();
      sharding.device = device.value_or(-1);
      return device ? llvm::Error::success() : cursor_.expected("the number of a device");
    }
    if (*word == "last_tile_dim_replicate") {
      sharding.last = {Kind::Replicated};
      return llvm::Error::success();
    }
    if (*word == "last_tile_dims")
      return readLast(sharding);
    if (*word == "metadata")
      return skipBraces();
    if (*word == "shard_as" || *word == "shard_like") // which tensors are to be alike
      return cursor_.number() ? llvm::Error::success() : cursor_.expected("the number of a group");
    std::optional<Kind> kind = kindNamed(*word);
    if (!kind)
      return fail("the sharding has the word '" + *word + "', which is not known here");
    sharding.kind = *kind;
    return llvm::Error::success();
  }

  llvm::Error readDevices(GspmdSharding &sharding) {
    sharding.kind = Kind::Tiled;
    if (!cursor_.take("=") || !cursor_.take("["))
      return cursor_.expected("=[, with the parts of each dimension");
    auto tiles = cursor_.numbersTo("]");
    if (!tiles)
      return tiles.takeError();
    sharding.tiles = std::move(*tiles);
    std::optional<int64_t> count = countOf(sharding.tiles);
    if (!count)
      return fail("a sharding has no devices, or more than " + std::to_string(DeviceMesh::maxDevices));
    return cursor_.take("<=") ? readIota(sharding, *count) : readList(sharding, *count);
  }

  llvm::Error readIota(GspmdSharding &sharding, int64_t count) {
    if (!cursor_.take("["))
      return cursor_.expected("'['");
    auto shape = cursor_.numbersTo("]");
    if (!shape)
      return shape.takeError();
    std::vector<int64_t> order(shape->size());
    std::iota(order.begin(), order.end(), 0);
    if (cursor_.take("T(")) {
      auto transposed = cursor_.numbersTo(")");
      if (!transposed)
        return transposed.takeError();
      if (!std::is_permutation(order.begin(), order.end(), transposed->begin(), transposed->end()))
        return fail("T(..) in a sharding is no permutation of its dimensions");
      order = std::move(*transposed);
    }
    if (countOf(*shape) != count)
      return fail("a sharding has " + std::to_string(count) + " parts, and not as many devices");
    sharding.devices = transposedDevices(*shape, order, count);
    sharding.reshaped = std::move(*shape);
    sharding.order = std::move(order);
    return llvm::Error::success();
  }

  llvm::Error readList(GspmdSharding &sharding, int64_t count) {
    std::set<int64_t> seen;
    do {
      std::optional<int64_t> device = cursor_.number();
      if (!device || *device >= count || !seen.insert(*device).second)
        return cursor_.expected("each device below " + std::to_string(count) + " once");
      sharding.devices.push_back(*device);
    } while (cursor_.take(","));
    if (int64_t(sharding.devices.size()) != count)
      return fail("a sharding has " + std::to_string(count) + " parts, and " + std::to_string(sharding.devices.size()) +
                  " devices");
    return llvm::Error::success();
  }

  llvm::Error readLast(GspmdSharding &sharding) {
    if (!cursor_.take("=") || !cursor_.take("{"))
      return cursor_.expected("={");
    while (!cursor_.take("}")) {
      if (!sharding.last.empty() && !cursor_.take(","))
        return cursor_.expected("',' or '}'");
      std::optional<std::string> word = cursor_.word();
      std::optional<Kind> kind = word ? kindNamed(*word) : std::nullopt;
      if (!kind)
        return cursor_.expected("replicated, manual or unreduced");
      sharding.last.push_back(*kind);
    }
    return llvm::Error::success();
  }

  /// `={..}`, with strings and braces in it.
  llvm::Error skipBraces() {
    if (!cursor_.take("=") || !cursor_.take("{"))
      return cursor_.expected("={");
    llvm::StringRef text = cursor_.rest();
    size_t depth = 1, end = 0;
    for (bool isQuoted = false; end < text.size() && depth > 0; ++end) {
      isQuoted ^= text[end] == '"';
      if (!isQuoted)
        depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
    }
    if (depth > 0)
      return cursor_.expected("'}'");
    cursor_.take(text.take_front(end));
    return llvm::Error::success();
  }

  MeshCursor cursor_;
};

/// Adds the strides at which a list of sizes, outermost first, is cut.
void addStrides(llvm::ArrayRef<int64_t> sizes, int64_t innermost, std::set<int64_t> &strides) {
  int64_t stride = innermost;
  for (int64_t size : llvm::reverse(sizes))
    strides.insert(stride *= size);
}

/// The strides among devices at which parts of a sharding change. Tiles that cut an axis of the transposed order cut
/// that axis in the order of devices.
void addStrides(const GspmdSharding &sharding, std::set<int64_t> &strides) {
  addStrides(sharding.reshaped, 1, strides);
  std::vector<int64_t> deviceStride(sharding.reshaped.size(), 1);
  for (size_t dim = sharding.reshaped.size(); dim-- > 1;)
    deviceStride[dim - 1] = deviceStride[dim] * sharding.reshaped[dim];
  std::set<int64_t> cuts;
  addStrides(sharding.tiles, 1, cuts);
  int64_t below = 1; // in the transposed order
  for (int64_t dim : llvm::reverse(sharding.order)) {
    int64_t size = sharding.reshaped[dim];
    for (int64_t cut : cuts)
      if (cut > below && cut < below * size && cut % below == 0)
        strides.insert(deviceStride[dim] * (cut / below));
    below *= size;
  }
}

} // namespace

llvm::Expected<std::vector<GspmdSharding>> readGspmdShardings(llvm::StringRef text) { return GspmdReader(text).run(); }

std::optional<DeviceMesh> findGspmdMesh(llvm::ArrayRef<GspmdSharding> shardings) {
  std::set<int64_t> strides;
  int64_t count = 0;
  for (const GspmdSharding &sharding : shardings) {
    if (sharding.kind != Kind::Tiled)
      continue;
    count = std::max(count, int64_t(sharding.devices.size()));
    if (!sharding.reshaped.empty())
      addStrides(sharding, strides);
    else
      addStrides(sharding.tiles, 1, strides);
  }
  if (count == 0)
    return std::nullopt;
  strides.insert(1);
  strides.insert(count);
  std::vector<int64_t> sizes; // innermost first
  int64_t last = 1;
  for (int64_t stride : strides) {
    if (stride == 1)
      continue;
    if (stride % last != 0 || count % stride != 0) {
      sizes = {count};
      break;
    }
    sizes.push_back(stride / last);
    last = stride;
  }
  DeviceMesh mesh;
  for (int64_t size : llvm::reverse(sizes))
    mesh.axes.push_back({"axis" + std::to_string(mesh.axes.size()), size});
  return mesh;
}

/// All devices hold all of it.
static TensorLayout wholeOn(const DeviceMesh &mesh, llvm::ArrayRef<int64_t> shape) {
  TensorLayout layout;
  layout.shape.assign(shape.begin(), shape.end());
  layout.parts.assign(shape.size(), 1);
  layout.axes.resize(shape.size());
  layout.starts.resize(shape.size());
  layout.tiles.assign(mesh.count(), std::vector<int64_t>(shape.size()));
  return layout;
}

llvm::Expected<TensorLayout> layoutOf(const DeviceMesh &mesh, const GspmdSharding &sharding,
                                      llvm::ArrayRef<int64_t> shape) {
  bool isTiled = sharding.kind == Kind::Tiled;
  if (!isTiled && sharding.kind != Kind::Replicated)
    return fail("the sharding does not say which part a device holds");
  bool fits = sharding.rank() == shape.size() && int64_t(sharding.devices.size()) == mesh.count();
  if (isTiled && (!fits || !mesh.deviceIds.empty()))
    return fail("the sharding is of another rank, or of another number of devices");
  TensorLayout layout = wholeOn(mesh, shape);
  if (isTiled) {
    llvm::copy(llvm::ArrayRef(sharding.tiles).take_front(shape.size()), layout.parts.begin());
    std::vector<int64_t> placeOf(mesh.count());
    for (int64_t place = 0; place < mesh.count(); ++place)
      placeOf[mesh.deviceAt(place)] = place;
    for (const auto &[number, device] : llvm::enumerate(sharding.devices)) {
      int64_t rest = number;
      for (size_t dim = sharding.tiles.size(); dim-- > 0; rest /= sharding.tiles[dim])
        if (dim < shape.size())
          layout.tiles[placeOf[device]][dim] = rest % sharding.tiles[dim];
    }
  }
  std::set<std::string> used;
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    layout.axes[dim] = findAxes(mesh, layout, dim);
    for (const AxisRef &axis : layout.axes[dim])
      used.insert(axis.axis);
  }
  for (const MeshAxis &axis : mesh.axes)
    if (axis.size > 1 && !used.contains(axis.name))
      (llvm::is_contained(sharding.last, Kind::Unreduced) ? layout.unreduced : layout.replicated)
          .push_back({.axis = axis.name});
  computeShard(layout);
  return layout;
}

} // namespace fuselage
