#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "core/analysis/tiles/FindTileOp.h"
#include "core/analysis/tiles/TileReport.h"
#include "core/ir/ops/ValueNames.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/registration/Registration.h"
#include "core/run/Specialize.h"
#include "core/runtime/device/Device.h"
#include "core/support/OutputFile.h"
#include "core/support/ResultErrors.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::cli {
namespace {

/// "32,128,32"
std::string parseList(llvm::StringRef text, llvm::SmallVectorImpl<int64_t> &list) {
  list.clear();
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    int64_t number = 0;
    if (part.trim().getAsInteger(10, number) || number < 0)
      return "takes whole numbers with commas between them, such as 32,128,32, not '" + text.str() + "'";
    list.push_back(number);
  }
  return "";
}

/// The workgroup memory of a device; 32 KiB, which every GPU of today has, where none is named.
llvm::Error setLimit(const std::string &device, TileRequest &request) {
  if (device.empty()) {
    request.workgroupLimit = int64_t(TargetOptions().maxSharedBytes());
    request.device = "any GPU";
    return llvm::Error::success();
  }
  request.device = device;
  auto opened = openDevice(device);
  if (!opened)
    return opened.takeError();
  request.workgroupLimit = int64_t((*opened)->info().maxSharedBytes);
  return llvm::Error::success();
}

/// The module with the sizes of dynamic dimensions filled in, of its first function.
llvm::Error specializeInput(mlir::OwningOpRef<mlir::ModuleOp> &module, const std::map<std::string, int64_t> &sizes) {
  if (sizes.empty())
    return llvm::Error::success();
  auto function = pickFunction(*module, "");
  if (!function)
    return function.takeError();
  auto specialized = specialize(*function, sizes);
  if (!specialized)
    return specialized.takeError();
  module = std::move(*specialized);
  return llvm::Error::success();
}

} // namespace

int tilesCommand(Arguments arguments) {
  std::string name, format = "text", device, output = "-";
  TileRequest request;
  ChainOptions chainOptions;
  uint64_t cache = 0;
  std::map<std::string, int64_t> sizes;
  Options options(
      "tiles", "FILE",
      "Shows what a tile of an op touches: its iteration domain, the footprint of the tile in every operand and "
      "through every fused producer, halo, recompute, workgroup memory and arithmetic intensity.");
  auto list = [](llvm::SmallVectorImpl<int64_t> &target) {
    return [&target](llvm::StringRef value) { return parseList(value, target); };
  };
  options.text("op", "NAME",
               "the op: an SSA result (%5, @main/%5), a place (file:line), a dispatch, or the name of an op (default: "
               "the last op that can be tiled)",
               name);
  options.custom("sizes", "N,N,..", "tile sizes by loop; 0 or missing: the whole loop", list(request.sizes));
  options.flag("snap", "round each tile size to the nearest divisor of its loop's range", request.snap);
  options.flag("fuse", "compute the producers inside the tiles, up the chain", chainOptions.fuse);
  options.custom("tile", "I,J,..", "the tile to show, an index per loop (default: 0,0,..)", list(request.tile));
  options.custom("order", "I,J,..", "the loops from outer to inner, such as 1,0,2 (default: the order of the op)",
                 list(request.order));
  options.text("device", "D",
               "the device whose workgroup memory is the limit: host, vulkan:N, cuda:N (default: 32 KiB)", device);
  options.sizes("the size of a dynamic dimension of an argument; may be repeated", sizes);
  options.number("cache",
                 "the bytes of a cache that the traffic is for: what an iteration of a loop touches stays for the next "
                 "one if it fits (default: 0: whole ops move each value once, and nothing stays from one tile to the "
                 "next)",
                 cache, 0, uint64_t(1) << 40);
  options.choice("format", {"text", "json"}, "tables, or one JSON object", format);
  options.text("output", "OUT", "where to write; - is standard output (default)", output, 'o');
  declarePlugins(options);
  options.example("fuselage tiles samples/matmul_transpose_bias.mlir --op mm --sizes 32,128,32 --fuse");
  options.example("fuselage tiles samples/conv_bias_relu.mlir --sizes 1,8,8,32 --fuse --tile 0,1,2,0 --format json");
  if (auto code = options.parse(arguments))
    return *code;

  Session session(allDialects());
  int exitCode = ExitOk;
  auto input = openModule(session, options.positional(), exitCode);
  if (!input)
    return reportFailure(input.takeError());
  if (llvm::Error error = specializeInput(input->module, sizes))
    return reportFailure(std::move(error));
  if (llvm::Error error = setLimit(device, request))
    return reportFailure(std::move(error));
  request.cache = int64_t(cache);
  mlir::AsmState names(*input->module, withValueNames());
  auto found = findTileOp(*input->module, name, names);
  if (!found)
    return reportFailure(found.takeError());
  for (const std::string &other : found->others)
    llvm::errs() << "fuselage tiles: note: '" << name << "' is also " << other << "; name it by its result\n";
  auto chain = TileChain::build(found->op, chainOptions);
  if (!chain)
    return reportFailure(chain.takeError());
  auto report = reportTile(*chain, request);
  if (!report)
    return reportFailure(report.takeError());

  llvm::DenseMap<mlir::Operation *, int64_t> ids;
  input->module.get()->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { ids.try_emplace(op, ids.size()); });
  TileNames tileNames{.value =
                          [&](mlir::Value value) {
                            std::string text;
                            llvm::raw_string_ostream os(text);
                            value.printAsOperand(os, names);
                            return text;
                          },
                      .op = [&](mlir::Operation *op) { return ids.lookup(op); }};
  std::string text =
      format == "json" ? message::jsonText(messageOf(*report, tileNames)) : formatTileReport(*report, tileNames);
  if (llvm::Error error = writeOutputFile(output, text))
    return reportFailure(std::move(error));
  return exitCode;
}

} // namespace fuselage::cli
