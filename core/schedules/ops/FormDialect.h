// Normal forms as attributes and handle types of transform scripts, see FormDialect.td.
#pragma once
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "core/schedules/ops/FormAttrInterfaces.h.inc"
#include "core/schedules/ops/FormDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "core/schedules/ops/FormAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "core/schedules/ops/FormTypes.h.inc"
#pragma GCC diagnostic pop
