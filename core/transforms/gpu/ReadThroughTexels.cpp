// Buffers that a SPIR-V kernel only reads, as texel buffers.
#include "core/transforms/gpu/Passes.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"

namespace fuselage {
#define GEN_PASS_DEF_READTHROUGHTEXELSPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace {

/// What every Vulkan device takes is less; those that this is for take so many.
constexpr int64_t mostTexels = 1 << 27;

/// The texel's format, for 32-bit elements and two or four of them.
std::optional<spirv::ImageFormat> formatOf(Type element) {
  auto vector = dyn_cast<VectorType>(element);
  Type scalar = vector ? vector.getElementType() : element;
  if (!scalar.isF32() && !scalar.isInteger(32))
    return std::nullopt;
  switch (vector ? vector.getNumElements() : 1) {
  case 1:
    return scalar.isF32() ? spirv::ImageFormat::R32f : spirv::ImageFormat::R32ui;
  case 2:
    return scalar.isF32() ? spirv::ImageFormat::Rg32f : spirv::ImageFormat::Rg32ui;
  case 4:
    return scalar.isF32() ? spirv::ImageFormat::Rgba32f : spirv::ImageFormat::Rgba32ui;
  default:
    return std::nullopt;
  }
}

/// The elements' type of a storage buffer whose elements are texels; null for other variables.
Type texelOf(spirv::GlobalVariableOp variable) {
  auto pointer = dyn_cast<spirv::PointerType>(variable.getType());
  if (!pointer || pointer.getStorageClass() != spirv::StorageClass::StorageBuffer || !variable.getBinding())
    return {};
  auto block = dyn_cast<spirv::StructType>(pointer.getPointeeType());
  auto array =
      block && block.getNumElements() == 1 ? dyn_cast<spirv::ArrayType>(block.getElementType(0)) : spirv::ArrayType();
  if (!array || int64_t(array.getNumElements()) > mostTexels || !formatOf(array.getElementType()))
    return {};
  return array.getElementType();
}

struct ReadThroughTexels : fuselage::impl::ReadThroughTexelsPassBase<ReadThroughTexels> {
  void runOnOperation() override {
    llvm::MapVector<StringRef, SmallVector<spirv::AddressOfOp>> places;
    getOperation().walk([&](spirv::AddressOfOp op) { places[op.getVariable()].push_back(op); });
    for (auto variable : llvm::to_vector(getOperation().getOps<spirv::GlobalVariableOp>()))
      if (Type texel = texelOf(variable); texel && llvm::all_of(places[variable.getSymName()], isRead))
        rewrite(variable, texel, places[variable.getSymName()]);
  }

private:
  /// Nothing but loads of elements, at indices of 32 bits.
  static bool isRead(spirv::AddressOfOp place) {
    return llvm::all_of(place->getUsers(), [](Operation *user) {
      auto access = dyn_cast<spirv::AccessChainOp>(user);
      return access && access.getIndices().size() == 2 && access.getIndices()[1].getType().isInteger(32) &&
             llvm::all_of(access->getUsers(), llvm::IsaPred<spirv::LoadOp>);
    });
  }

  static void rewrite(spirv::GlobalVariableOp variable, Type texel, ArrayRef<spirv::AddressOfOp> places) {
    auto vector = dyn_cast<VectorType>(texel);
    Type scalar = vector ? vector.getElementType() : texel;
    auto image = spirv::ImageType::get(scalar, spirv::Dim::Buffer, spirv::ImageDepthInfo::NoDepth,
                                       spirv::ImageArrayedInfo::NonArrayed, spirv::ImageSamplingInfo::SingleSampled,
                                       spirv::ImageSamplerUseInfo::NoSampler, *formatOf(texel));
    auto pointer = spirv::PointerType::get(image, spirv::StorageClass::UniformConstant);
    variable.setType(pointer);
    for (spirv::AddressOfOp place : places) {
      place.getPointer().setType(pointer);
      for (Operation *user : llvm::make_early_inc_range(place->getUsers())) {
        auto access = cast<spirv::AccessChainOp>(user);
        for (Operation *load : llvm::make_early_inc_range(access->getUsers())) {
          OpBuilder builder(load);
          Location loc = load->getLoc();
          Value view = spirv::LoadOp::create(builder, loc, place.getPointer());
          Value read = spirv::ImageReadOp::create(builder, loc, VectorType::get(4, scalar), view,
                                                  access.getIndices()[1], spirv::ImageOperandsAttr(), ValueRange());
          if (!vector)
            read = spirv::CompositeExtractOp::create(builder, loc, read, ArrayRef<int32_t>{0});
          else if (vector.getNumElements() != 4)
            read = spirv::VectorShuffleOp::create(builder, loc, vector, read, read, builder.getI32ArrayAttr({0, 1}));
          load->getResult(0).replaceAllUsesWith(read);
          load->erase();
        }
        access.erase();
      }
    }
  }
};

} // namespace
