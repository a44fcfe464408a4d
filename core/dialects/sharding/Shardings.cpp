#include "core/dialects/sharding/Shardings.h"
#include "core/dialects/sharding/OpWords.h"
#include "core/dialects/sharding/ReadCollective.h"
#include "core/dialects/sharding/ShardDialect.h"
#include "core/support/Error.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace fuselage {

const DeviceMesh *ModuleShardings::mesh(StringRef name) const {
  auto found = llvm::find_if(meshes, [&](const DeviceMesh &each) { return each.name == name; });
  return found == meshes.end() ? nullptr : &*found;
}

const DeviceMesh *ModuleShardings::meshOf(const ShardingAnnotation &annotation) const {
  if (auto *sdy = std::get_if<SdySharding>(&annotation.sharding))
    return sdy->mesh ? &*sdy->mesh : mesh(sdy->meshName);
  return std::holds_alternative<GspmdSharding>(annotation.sharding) && derived ? &*derived : nullptr;
}

llvm::Expected<TensorLayout> ModuleShardings::layout(const ShardingAnnotation &annotation) const {
  if (!annotation.problem.empty())
    return fail(annotation.problem);
  auto type = dyn_cast_or_null<ShapedType>(annotation.type);
  if (!type || !type.hasRank())
    return fail("the value is no tensor with a rank");
  const DeviceMesh *mesh = meshOf(annotation);
  auto *sdy = std::get_if<SdySharding>(&annotation.sharding);
  if (!mesh)
    return fail(sdy ? "there is no mesh @" + sdy->meshName
                    : "no sharding of the module says how many devices there are");
  std::vector<int64_t> shape;
  for (int64_t size : type.getShape())
    shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
  return sdy ? layoutOf(*mesh, sdy->sharding, shape)
             : layoutOf(*mesh, std::get<GspmdSharding>(annotation.sharding), shape);
}

namespace {

class ShardingReader {
public:
  explicit ShardingReader(ModuleShardings &read) : read_(read) {}

  void visit(Operation *op) {
    std::string name = writtenName(op);
    if (name == "sdy.mesh")
      addMesh(op, sdyMesh(op));
    else if (name == "shard.grid" || name == "mesh.mesh")
      addMesh(op, readGrid(op));
    else if (auto function = dyn_cast<FunctionOpInterface>(op))
      visitFunction(function);
    else if (name == "sdy.manual_computation")
      visitManual(op);
    else if (std::optional<Collective> collective = isShardingNamespace(name) ? readCollective(op) : std::nullopt)
      visitCollective(op, *collective);
    else
      visitResults(op);
  }

  void deriveMesh() {
    std::vector<GspmdSharding> all;
    for (const ShardingAnnotation &annotation : read_.annotations)
      if (auto *gspmd = std::get_if<GspmdSharding>(&annotation.sharding))
        all.push_back(*gspmd);
    read_.derived = findGspmdMesh(all);
  }

private:
  static bool isShardingNamespace(StringRef name) {
    return name.starts_with("sdy.") || name.starts_with("shard.") || name.starts_with("mesh.");
  }

  static llvm::Expected<DeviceMesh> sdyMesh(Operation *op) {
    std::string text = attributeText(op, "mesh");
    if (!ownForm(op).empty())
      text = ownForm(op).split('=').second.trim().str();
    auto mesh = readSdyMesh(text);
    if (!mesh)
      return mesh;
    for (StringRef name : {"sym_name", "symbol"}) {
      if (auto symbol = dyn_cast_or_null<SymbolRefAttr>(attributeOf(op, name)))
        mesh->name = symbol.getRootReference().str();
      else if (auto string = dyn_cast_or_null<StringAttr>(attributeOf(op, name)))
        mesh->name = string.str();
    }
    return mesh;
  }

  void addMesh(Operation *op, llvm::Expected<DeviceMesh> mesh) {
    if (mesh)
      read_.meshes.push_back(std::move(*mesh));
    else
      read_.problems.push_back({op, takeFailure(mesh.takeError()).message});
  }

  void add(ShardingAnnotation annotation, llvm::Expected<SdySharding> sharding) {
    if (sharding) {
      annotation.text = formatSharding(sharding->sharding, sharding->meshName);
      annotation.sharding = std::move(*sharding);
    } else {
      annotation.problem = takeFailure(sharding.takeError()).message;
    }
    read_.annotations.push_back(std::move(annotation));
  }

  void addGspmd(ShardingAnnotation annotation, StringRef text, unsigned number, unsigned count) {
    annotation.text = text.str();
    auto shardings = readGspmdShardings(text);
    if (!shardings)
      annotation.problem = takeFailure(shardings.takeError()).message;
    else if (shardings->size() != 1 && shardings->size() != count)
      annotation.problem = "the sharding is of " + std::to_string(shardings->size()) + " values";
    else
      annotation.sharding = (*shardings)[shardings->size() == 1 ? 0 : number];
    read_.annotations.push_back(std::move(annotation));
  }

  /// The sharding in a dictionary of a function's argument or result, if it has one.
  void addFrom(DictionaryAttr attributes, const ShardingAnnotation &annotation) {
    if (!attributes)
      return;
    if (Attribute sdy = attributes.get("sdy.sharding"))
      add(annotation, readSdySharding(textOf(sdy)));
    else if (auto gspmd = attributes.getAs<StringAttr>("mhlo.sharding"))
      addGspmd(annotation, gspmd.getValue(), 0, 1);
  }

  void visitFunction(FunctionOpInterface function) {
    auto types = function.getArgumentTypes();
    for (unsigned number = 0; number < types.size(); ++number)
      addFrom(function.getArgAttrDict(number),
              {.op = function,
               .place = ShardingPlace::Argument,
               .number = number,
               .value = function.isExternal() ? Value() : Value(function.getArgument(number)),
               .type = types[number]});
    auto results = function.getResultTypes();
    for (unsigned number = 0; number < results.size(); ++number)
      addFrom(function.getResultAttrDict(number),
              {.op = function, .place = ShardingPlace::FunctionResult, .number = number, .type = results[number]});
  }

  /// Its arguments are the parts of what it reads; its results are whole.
  void visitManual(Operation *op) {
    auto in = readSdyShardings(wordsAfter(op, "in_shardings"));
    auto out = readSdyShardings(wordsAfter(op, "out_shardings"));
    if (!in || !out) {
      std::string why = in ? std::string() : takeFailure(in.takeError()).message;
      read_.problems.push_back({op, out ? why : why + takeFailure(out.takeError()).message});
      return;
    }
    Block *body = op->getNumRegions() == 0 || op->getRegion(0).empty() ? nullptr : &op->getRegion(0).front();
    for (unsigned number = 0; number < in->size() && number < op->getNumOperands(); ++number)
      if (body && number < body->getNumArguments())
        add({.op = op,
             .place = ShardingPlace::Argument,
             .number = number,
             .value = body->getArgument(number),
             .type = op->getOperand(number).getType(),
             .isLocal = true},
            (*in)[number]);
    for (unsigned number = 0; number < out->size() && number < op->getNumResults(); ++number)
      add({.op = op, .number = number, .value = op->getResult(number), .type = op->getResult(number).getType()},
          (*out)[number]);
  }

  void visitCollective(Operation *op, Collective &collective) {
    if (op->getNumResults() == 0 || (!collective.outSharding && collective.problem.empty()))
      return;
    ShardingAnnotation annotation{.op = op, .value = op->getResult(0), .type = op->getResult(0).getType()};
    if (collective.outSharding)
      add(std::move(annotation), std::move(*collective.outSharding));
    else
      read_.problems.push_back({op, collective.problem});
  }

  /// Of any other op: `sdy.sharding` has a sharding for each result, `mhlo.sharding` one or a tuple.
  void visitResults(Operation *op) {
    Attribute sdy = op->getDiscardableAttr("sdy.sharding");
    auto gspmd = op->getAttrOfType<StringAttr>("mhlo.sharding");
    if (!sdy && !gspmd)
      return;
    auto shardings = sdy ? readSdyShardings(textOf(sdy)) : std::vector<SdySharding>();
    if (!shardings) {
      read_.problems.push_back({op, takeFailure(shardings.takeError()).message});
      return;
    }
    for (unsigned number = 0; number < op->getNumResults(); ++number) {
      ShardingAnnotation annotation{
          .op = op, .number = number, .value = op->getResult(number), .type = op->getResult(number).getType()};
      if (number < shardings->size())
        add(std::move(annotation), (*shardings)[number]);
      else if (gspmd)
        addGspmd(std::move(annotation), gspmd.getValue(), number, op->getNumResults());
    }
  }

  ModuleShardings &read_;
};

} // namespace

ModuleShardings readShardings(ModuleOp module) {
  ModuleShardings read;
  ShardingReader reader(read);
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { reader.visit(op); });
  reader.deriveMesh();
  return read;
}

} // namespace fuselage
