// A small bundle for tests.
#pragma once
#include "core/bundle/Manifest.h"
#include "core/bundle/Sha256.h"

namespace fuselage::bundle {

inline File fileOf(const std::string &name, const std::string &content) {
  return {.name = name, .bytes = content.size(), .sha256 = sha256(content)};
}

/// One dispatch with two kernels, an argument of 4 f32 and a result of 4 i32.
inline Manifest smallManifest() {
  Manifest manifest;
  manifest.program = "test";
  manifest.language = "spirv";
  manifest.target = "SPIR-V 1.5";
  manifest.device = "a device";
  manifest.source = "f.mlir";
  manifest.sourceSha256 = sha256("the module");
  manifest.function = "main";
  Dispatch dispatch;
  dispatch.name = "main_dispatch_0";
  dispatch.index = 0;
  dispatch.location = "f.mlir:3:5";
  dispatch.arithmetic = "f32";
  for (const char *entry : {"first", "second"}) {
    Kernel kernel;
    kernel.entry = entry;
    kernel.code = fileOf("code.kernel", "code");
    kernel.grid = {4, 1, 1};
    kernel.block = {32, 1, 1};
    kernel.sharedBytes = 1024;
    kernel.buffers = {0, 1, 2};
    dispatch.kernels.push_back(kernel);
  }
  dispatch.scratchBytes = {64};
  dispatch.arguments.push_back(
      {.type = "tensor<4xf32>", .element = "f32", .shape = {4}, .content = fileOf("in.bin", std::string(16, '\0'))});
  dispatch.results.push_back({.value = {.type = "tensor<4xi32>",
                                        .element = "i32",
                                        .shape = {4},
                                        .content = fileOf("out.bin", std::string(16, '\1'))},
                              .limits = {{.absolute = 1e-6, .relative = 1e-5, .typical = 1}}});
  manifest.dispatches.push_back(dispatch);
  manifest.omissions.push_back({.dispatch = "main_dispatch_1", .why = "it is too large"});
  return manifest;
}

} // namespace fuselage::bundle
