// An attribute of a dialect that we only read: its text, in the dialect's own namespace.
#pragma once
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/DialectImplementation.h"

namespace fuselage {

namespace detail {

struct RawAttrStorage : mlir::AttributeStorage {
  using KeyTy = std::pair<llvm::StringRef, mlir::Type>;
  RawAttrStorage(llvm::StringRef text, mlir::Type type) : text(text), type(type) {}
  bool operator==(const KeyTy &key) const { return key.first == text && key.second == type; }
  static llvm::hash_code hashKey(const KeyTy &key);
  static RawAttrStorage *construct(mlir::AttributeStorageAllocator &allocator, const KeyTy &key);

  llvm::StringRef text;
  mlir::Type type;
};

/// What tells raw attributes from all others: each dialect's have a TypeID of their own.
template <typename Concrete> class IsRawAttr : public mlir::AttributeTrait::TraitBase<Concrete, IsRawAttr> {};

} // namespace detail

/// `#hal.descriptor_type<storage_buffer>` with the text "descriptor_type<storage_buffer>". Aliases in
/// the text are spelled out, line breaks are blanks. It serves where MLIR's own ops want an attribute
/// with a meaning: as memory space, as the mapping of an scf.forall, as a constant's value.
class RawAttr : public mlir::Attribute::AttrBase<RawAttr, mlir::Attribute, detail::RawAttrStorage, detail::IsRawAttr,
                                                 mlir::DeviceMappingAttrInterface::Trait, mlir::TypedAttr::Trait> {
public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "fuselage.raw";
  static bool classof(mlir::Attribute attribute);

  llvm::StringRef getText() const;
  /// What stands after the text's colon; NoneType if nothing does.
  mlir::Type getType() const;

  // A guess at which dimension `#ns.thread<x>` or `#ns.workgroup_mapping<x:1>` means: the letter, and
  // after a ':' the number of a dimension that is split into several.
  int64_t getMappingId() const;
  bool isLinearMapping() const { return false; }
  int64_t getRelativeIndex() const { return getMappingId(); }
};

/// The text of the attribute or type that `parser` is at, with aliases in it spelled out, as they are known
/// to this parse only, and line breaks as blanks. Nullopt where an alias stands among what is beyond MLIR's
/// tokens.
std::optional<std::string> selfContained(mlir::DialectAsmParser &parser);

/// A type of a dialect that we only read, as MLIR reads it, but for aliases, which nobody could read back.
mlir::Type parseRawType(mlir::DialectAsmParser &parser, llvm::StringRef dialectNamespace);

/// The raw attributes of one dialect. Owned by the dialect, as the TypeID must live as long.
class RawAttrKind {
public:
  explicit RawAttrKind(llvm::StringRef dialectNamespace);

  mlir::TypeID id() const { return id_.getTypeID(); }
  /// For Dialect::addAttribute (which only the dialect may call); also makes the storage known.
  mlir::AbstractAttribute introduce(mlir::Dialect &dialect) const;
  mlir::Attribute parse(mlir::DialectAsmParser &parser, mlir::Type type) const;
  static void print(mlir::Attribute attribute, mlir::DialectAsmPrinter &printer);

private:
  mlir::SelfOwningTypeID id_;
  std::string name_;
};

} // namespace fuselage
