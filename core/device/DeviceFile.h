// Device models in files, for GPUs that are not here.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/support/Error.h"
#include "llvm/Support/JSON.h"

namespace fuselage {

/// {"name": "..", "kind": {"value": "discrete", "source": ".."}, ..}: the known values.
llvm::json::Object encodeDeviceModel(const DeviceModel &model);

/// Reads what encodeDeviceModel writes, with "version": 1. Failure: what is wrong at which key; a key that is not known
/// is refused, and so is a value without its source.
llvm::Expected<DeviceModel> decodeDeviceModel(llvm::StringRef json, llvm::StringRef file);
llvm::Expected<DeviceModel> readDeviceFile(llvm::StringRef path);

/// Why the values cannot be those of one device, as the end of a sentence ("the value of 'subgroup_size' must be a
/// power of two up to 128"); empty if nothing is wrong.
std::string contradictionIn(const DeviceModel &model);

} // namespace fuselage
