// Attributes and types that speak of normal forms. Extensions of the transform dialect may bring ops and types, not
// attributes: hence a dialect.
#ifndef FUSELAGE_FORM_DIALECT
#define FUSELAGE_FORM_DIALECT

include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def FormDialect : Dialect {
  let name = "nf";
  let cppNamespace = "::fuselage";
  let summary = "Normal forms in transform scripts";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

def NormalFormAttrInterface : AttrInterface<"NormalFormAttrInterface"> {
  let cppNamespace = "::fuselage";
  let description = [{
    A normal form of functions, following the design discussed for MLIR: the check returns a silenceable failure with the
    violations.
  }];
  let methods = [
    InterfaceMethod<[{
        Checks the function around the op, or those that are in it.
      }], "::mlir::DiagnosedSilenceableFailure", "checkOperation", (ins "::mlir::Operation *":$op)>
  ];
}

class FormDialectAttr<string name, string mnemonic_> : AttrDef<FormDialect, name,
    [DeclareAttrInterfaceMethods<NormalFormAttrInterface>]> {
  let mnemonic = mnemonic_;
  let genVerifyDecl = 1;
}

def FormAttr : FormDialectAttr<"Form", "form"> {
  let summary = "A built-in normal form, by its name";
  let parameters = (ins StringRefParameter<"name of the form">:$name);
  let assemblyFormat = "`<` $name `>`";
}

def WithoutAttr : FormDialectAttr<"Without", "without"> {
  let summary = "The form of functions without certain ops: `#nf.without<[\"linalg.fill\", \"tosa.*\"]>`";
  let parameters = (ins "::mlir::ArrayAttr":$ops);
  let assemblyFormat = "`<` $ops `>`";
}

def NormalizedOpType : TypeDef<FormDialect, "NormalizedOp", [DeclareTypeInterfaceMethods<TransformHandleTypeInterface>]> {
  let mnemonic = "normalized_op";
  let summary = "A handle to ops in functions that are in a form";
  let description = [{
    `!nf.normalized_op<#nf.form<"LoopForm">>`: the form is checked where the handle is created, such as by
    transform.cast; it is guaranteed there, but not after the payload has changed.
  }];
  let parameters = (ins "::mlir::Attribute":$form);
  let assemblyFormat = "`<` $form `>`";
  let genVerifyDecl = 1;
}

#endif
