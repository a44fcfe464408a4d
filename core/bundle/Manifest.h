// What a bundle holds: kernels for one device, what they read, and what they must give.
#pragma once
#include "core/executable/CompiledDispatch.h"
#include "core/support/Result.h"
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuselage::bundle {

inline constexpr const char *kManifestName = "manifest.json";
inline constexpr const char *kFormat = "fuselage-bundle";
/// The version of manifests that this program writes, and the only one that it reads.
inline constexpr int64_t kVersion = 1;
/// The largest manifest, and the largest file of a bundle, in bytes.
inline constexpr uint64_t kMostManifestBytes = uint64_t(64) << 20, kMostFileBytes = uint64_t(16) << 30;

/// A file beside the manifest. Its name is of letters, digits, '.', '_' and '-', and does not start with a dot.
struct File {
  std::string name;
  uint64_t bytes = 0;
  std::string sha256; ///< of its content

  template <class Visitor> void fields(Visitor &visit) {
    visit("file", name);
    visit("bytes", bytes);
    visit("sha256", sha256);
  }
};

/// A tensor or a scalar as it lies in a buffer of the device, dense and row-major (CompiledDispatch says how).
struct Value {
  std::string type;    ///< as MLIR prints it, for people
  std::string element; ///< "f32", "bf16", "i1", "index", "complex<f32>"
  std::vector<int64_t> shape;
  File content;

  template <class Visitor> void fields(Visitor &visit) {
    visit("type", type);
    visit("element", element);
    visit("shape", shape);
    visit("content", content);
  }
};

/// Which errors count as none: |actual - expected| <= absolute + relative * |expected|.
struct ErrorLimits {
  double absolute = 0, relative = 0, typical = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("absolute", absolute);
    visit("relative", relative);
    visit("typical", typical);
  }
};

/// A result, with what the reference gives. Limits are tried in their order: the first that holds decides, as `fuselage
/// run` takes the size of what was added up only where the plain limit fails.
struct ExpectedValue {
  Value value;
  std::vector<ErrorLimits> limits; ///< of floats; of integers none, which must be equal
  bool infinitiesIntended = false; ///< see IntendedValues
  bool nansIntended = false;

  template <class Visitor> void fields(Visitor &visit) {
    visit("value", value);
    visit("limits", limits);
    visit("infinities_intended", infinitiesIntended);
    visit("nans_intended", nansIntended);
  }
};

/// A value that a host kernel takes or gives (HostValueForm).
struct HostForm {
  std::string kind; ///< "scalar", "complex" or "tensor"
  uint64_t elementBytes = 0;
  std::vector<int64_t> shape; ///< -1: only the call knows

  template <class Visitor> void fields(Visitor &visit) {
    visit("kind", kind);
    visit("element_bytes", elementBytes);
    visit("shape", shape);
  }
};

/// How the host calls its one kernel.
struct HostCall {
  std::vector<HostForm> arguments, results;
  uint64_t threads = 1, limitSeconds = 0, limitBytes = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("arguments", arguments);
    visit("results", results);
    visit("threads", threads);
    visit("limit_seconds", limitSeconds);
    visit("limit_bytes", limitBytes);
  }
};

/// CompiledKernel, with its code in a file.
struct Kernel {
  std::string entry;
  File code;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint64_t sharedBytes = 0, dynamicSharedBytes = 0;
  std::vector<uint64_t> buffers; ///< arguments first, then results, then scratch memory
  std::vector<HostCall> host;    ///< one of a kernel for the host, else none

  template <class Visitor> void fields(Visitor &visit) {
    visit("entry", entry);
    visit("code", code);
    visit("grid", grid);
    visit("block", block);
    visit("shared_bytes", sharedBytes);
    visit("dynamic_shared_bytes", dynamicSharedBytes);
    visit("buffers", buffers);
    visit("host", host);
  }
};

struct Dispatch {
  std::string name;
  int64_t index = -1;                 ///< as in the formed module
  std::string location;               ///< file:line:column of its root op; empty: unknown
  std::vector<std::string> parts;     ///< where its structured ops come from
  std::string arithmetic;             ///< the type that it computes in: "f32"
  double flops = -1, bytesMoved = -1; ///< by its cost; -1: unknown
  bool bytesAtMost = false;           ///< data decides what is read
  uint64_t calls = 1;                 ///< in one pass
  bool isOnce = false;                ///< of weights and constants alone
  std::vector<Kernel> kernels;        ///< in the order of their launches
  std::vector<uint64_t> scratchBytes;
  std::vector<Value> arguments;
  std::vector<ExpectedValue> results;

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("index", index);
    visit("location", location);
    visit("parts", parts);
    visit("arithmetic", arithmetic);
    visit("flops", flops);
    visit("bytes_moved", bytesMoved);
    visit("bytes_at_most", bytesAtMost);
    visit("calls", calls);
    visit("once", isOnce);
    visit("kernels", kernels);
    visit("scratch_bytes", scratchBytes);
    visit("arguments", arguments);
    visit("results", results);
  }
};

/// A dispatch of the program that the bundle lacks.
struct Omission {
  std::string dispatch, why;

  template <class Visitor> void fields(Visitor &visit) {
    visit("dispatch", dispatch);
    visit("why", why);
  }
};

struct Manifest {
  std::string format = kFormat;
  int64_t version = kVersion;
  std::string program;              ///< what wrote it: "fuselage 0.1.0, LLVM 22.1.8"
  std::string language;             ///< "spirv", "ptx" or "host"
  std::string target;               ///< "sm_90", "SPIR-V 1.5", "x86_64-pc-linux-gnu"
  std::string device;               ///< that it was made for, by name
  std::vector<std::string> needs;   ///< of a processor, for kernels of the host: "avx2"
  std::string source, function;     ///< the file and the function
  std::string sourceSha256;         ///< of the file's bytes; empty: unknown, as in bundles that do not have it
  std::vector<Dispatch> dispatches; ///< in the order of a pass over the program
  std::vector<Omission> omissions;

  template <class Visitor> void fields(Visitor &visit) {
    visit("format", format);
    visit("version", version);
    visit("program", program);
    visit("language", language);
    visit("target", target);
    visit("device", device);
    visit("needs", needs);
    visit("source", source);
    visit.ifKnown("source_sha256", sourceSha256);
    visit("function", function);
    visit("dispatches", dispatches);
    visit("omissions", omissions);
  }
};

/// Bits of an element in memory: of i2 and i4, which GPUs pack, 2 and 4, on the host 8; 0: there is no such type.
unsigned elementBits(std::string_view element, bool isHost);

/// Reads and checks a manifest, which is somebody else's text. Failure: names the value that is wrong, where it stands
/// ("dispatches[2].kernels[0].grid") and what it has to be. What passes holds: names of files are plain and no file is
/// as large as to overflow; shapes, elements and bytes agree; kernels use buffers that their dispatch has.
Result<Manifest> readManifest(std::string_view text);
std::string writeManifest(const Manifest &manifest);

} // namespace fuselage::bundle
