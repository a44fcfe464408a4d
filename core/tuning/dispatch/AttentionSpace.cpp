#include "core/tuning/dispatch/AttentionSpace.h"
#include "core/codegen/Targets.h"
#include "core/device/HostProcessor.h"
#include "core/support/Error.h"
#include "core/transforms/workgroups/TileInstances.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "core/tuning/dispatch/Sizes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage::tune {

/// Both are set, or none is.
static void tie(Space &space) {
  Expression e;
  int zero = e.constant(0);
  space.add(e, e.make(ExprOp::Equal, e.make(ExprOp::Equal, e.knob(0), zero), e.make(ExprOp::Equal, e.knob(1), zero)),
            Origin::Op, {}, "keys is set where queries is");
}

/// Loops over so few keys are unrolled over the rows of lanes, and lavapipe compiles the 10,000 instructions for
/// minutes.
static void keepCodeShort(Space &space) {
  constexpr int64_t leastKeys = 3, mostQueries = 128;
  Expression e;
  int fewQueries = e.make(ExprOp::AtMost, e.knob(0), e.constant(mostQueries)),
      isLong = e.make(ExprOp::AtMost, e.constant(leastKeys), e.knob(1));
  space.add(e, e.make(ExprOp::Or, fewQueries, isLong), Origin::Device, {},
            "steps of fewer than " + std::to_string(leastKeys) + " keys are for at most " +
                std::to_string(mostQueries) + " queries: the code of more takes minutes to compile");
}

/// Of a workgroup: scores, probabilities, the context, four numbers of each row, and the context again where the last
/// tile has less to store. What is over that lies in the device's memory.
static void boundWorkgroupBytes(Space &space, const AttentionSizes &attention, int64_t most) {
  Expression e;
  int queries = e.knob(0), keys = e.knob(1), width = e.constant(attention.width),
      contextBytes = e.constant(elementBytes(attention.contextType));
  int isUneven = e.make(
      ExprOp::Not, e.make(ExprOp::Equal, e.make(ExprOp::Mod, e.constant(attention.queries), queries), e.constant(0)));
  int twice = e.make(ExprOp::Choose, isUneven, e.constant(2 * attention.width), width);
  int ofRow = e.make(ExprOp::Mul, contextBytes, e.make(ExprOp::Add, twice, e.constant(4)));
  int scores = e.make(ExprOp::Mul, keys, e.constant(2 * elementBytes(attention.scoreType)));
  int bytes = e.make(ExprOp::Mul, queries, e.make(ExprOp::Add, ofRow, scores));
  int fits = e.make(ExprOp::AtMost, bytes, e.constant(most));
  space.addBound(e, e.make(ExprOp::Or, e.make(ExprOp::Equal, queries, e.constant(0)), fits), Origin::Device, {},
                 "scores and context of a workgroup have at most " + std::to_string(most) +
                     " bytes of workgroup memory");
}

llvm::Expected<Space> attentionSpace(const AttentionSizes &attention, const DeviceModel &device) {
  Space space;
  for (auto [role, range] :
       {std::pair(KnobRole::Queries, attention.queries), std::pair(KnobRole::Keys, attention.keys)})
    space.knobs.push_back({.name = nameOf(KnobTarget{role}),
                           .domain = sizesFor(range, mostTile, /*onlyDivisors=*/false),
                           .selected = 0,
                           .sets = KnobTarget{role}});
  tie(space);
  if (isHost(device))
    return space;
  auto target = targetFor(device);
  if (!target)
    return target.takeError();
  const std::unique_ptr<TargetStrategy> strategy = strategyFor(*target);
  if (!strategy->choosesAttentionTiles())
    return fail("on this device the pipeline has one tile for attention");
  // A processor's workgroup memory is memory as any other.
  if (strategy->promotesOperands())
    boundWorkgroupBytes(space, attention, strategy->workgroupBytes());
  else
    keepCodeShort(space);
  return space;
}

bool requestTiles(const AttentionSizes &attention, const RequestedSizes &sizes) {
  auto queries = sizes.find(nameOf(KnobTarget{KnobRole::Queries})),
       keys = sizes.find(nameOf(KnobTarget{KnobRole::Keys}));
  if (sizes.size() != 2 || queries == sizes.end() || keys == sizes.end())
    return false;
  if (queries->second < 0 || keys->second < 0 || (queries->second == 0) != (keys->second == 0))
    return false;
  TilingConfig config;
  if (queries->second > 0) {
    config.workgroup = {queries->second};
    config.reduction = {keys->second};
  }
  writeTilingConfig(attention.op, config);
  return true;
}

std::string describeAttention(const AttentionSizes &attention) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "attention ";
  if (attention.heads > 1)
    os << attention.heads << " x ";
  os << attention.queries << " queries, " << attention.keys << " keys, " << attention.depth;
  if (attention.width != attention.depth)
    os << " and " << attention.width;
  os << " wide, " << attention.queryType << ", " << attention.keyType << ", " << attention.valueType << " -> ";
  os << flow::AttentionOp(attention.op).getResult().getType();
  return text;
}

namespace {

/// Sizes without IR.
struct AttentionWork {
  int64_t heads, queries, keys, depth, width, readBytes, scoreBytes, contextBytes, units, lanes;

  std::vector<double> featuresOf(int64_t queryTile, int64_t keyTile) const;
};

} // namespace

std::vector<double> AttentionWork::featuresOf(int64_t queryTile, int64_t keyTile) const {
  int64_t steps = llvm::divideCeil(keys, keyTile), workgroups = heads * int64_t(llvm::divideCeil(queries, queryTile));
  int64_t rowBytes = depth * readBytes + width * contextBytes;
  auto rounded = [&](int64_t size, int64_t unit) { return double(llvm::alignTo(size, unit)) / double(size); };
  constexpr int64_t rowsOfThread = 4; // that products compute at once
  return {log2Of(double(steps)),
          log2Of(double(workgroups) / double(units)),
          log2Of(waveWaste(double(workgroups), units)),
          log2Of(double(queryTile * keyTile * scoreBytes)),
          log2Of(double(queryTile * rowBytes)),
          log2Of(double(keyTile * (depth + width) * readBytes)),
          log2Of(waste(queries, queryTile)),
          log2Of(waste(keys, keyTile)),
          log2Of(rounded(keyTile, lanes)),
          log2Of(rounded(queryTile, rowsOfThread)),
          queries % queryTile == 0 ? 0.0 : 1.0,
          keys % keyTile == 0 ? 0.0 : 1.0};
}

std::function<std::vector<double>(const Point &)> attentionFeatures(const AttentionSizes &attention,
                                                                    const DeviceModel &device) {
  bool isHost = fuselage::isHost(device);
  int64_t scoreBytes = elementBytes(attention.scoreType);
  AttentionWork work{.heads = attention.heads,
                     .queries = attention.queries,
                     .keys = attention.keys,
                     .depth = attention.depth,
                     .width = attention.width,
                     .readBytes = elementBytes(attention.keyType),
                     .scoreBytes = scoreBytes,
                     .contextBytes = elementBytes(attention.contextType),
                     .units =
                         std::max<int64_t>(isHost ? int64_t(hostProcessor().threads) : device.computeUnits.value, 1),
                     .lanes = isHost ? std::max<int64_t>(hostProcessor().vectorBytes / scoreBytes, 1)
                                     : std::max<int64_t>(strategyFor(device)->threads().lanes, 16)};
  return [work](const Point &point) -> std::vector<double> {
    if (point[0] == 0)
      return std::vector<double>(work.featuresOf(1, 1).size(), 0);
    return work.featuresOf(point[0], point[1]);
  };
}

} // namespace fuselage::tune
