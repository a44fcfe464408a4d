#include "core/deploy/ElfFacts.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ELFObjectFile.h"
#include <sys/utsname.h>

namespace fuselage {

void NeededVersions::add(llvm::StringRef version) {
  Version *target = version.consume_front("GLIBC_")     ? &glibc
                    : version.consume_front("GLIBCXX_") ? &glibcxx
                    : version.consume_front("CXXABI_")  ? &cxxabi
                                                        : nullptr;
  if (!target)
    return;
  Version numbers{};
  for (unsigned &number : numbers) {
    auto [part, rest] = version.split('.');
    if (part.getAsInteger(10, number)) // GLIBC_PRIVATE, CXXABI_FLOAT128
      break;
    version = rest;
  }
  *target = std::max(*target, numbers);
}

std::string versionText(const NeededVersions::Version &version) {
  std::string text = llvm::utostr(version[0]) + "." + llvm::utostr(version[1]);
  return version[2] ? text + "." + llvm::utostr(version[2]) : text;
}

static llvm::Error notOurs(llvm::StringRef path, const std::string &why) {
  return fail("'" + path.str() + "' cannot be packed: " + why);
}

llvm::Error addNeededVersions(llvm::StringRef content, llvm::StringRef path, NeededVersions &needed) {
  auto file = llvm::object::ELFFile<llvm::object::ELF64LE>::create(content);
  if (!file)
    return notOurs(path, llvm::toString(file.takeError()));
  auto sections = file->sections();
  if (!sections)
    return notOurs(path, llvm::toString(sections.takeError()));
  for (const auto &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_GNU_verneed)
      continue;
    auto dependencies = file->getVersionDependencies(section);
    if (!dependencies)
      return notOurs(path, llvm::toString(dependencies.takeError()));
    for (const llvm::object::VerNeed &library : *dependencies)
      for (const llvm::object::VernAux &version : library.AuxV)
        needed.add(version.Name.c_str()); // LLVM's reader does not end the name
  }
  return llvm::Error::success();
}

llvm::Expected<std::string> stripped(llvm::StringRef content, llvm::StringRef path) {
  auto file = llvm::object::createBinary(llvm::MemoryBufferRef(content, path));
  if (!file)
    return notOurs(path, llvm::toString(file.takeError()));
  llvm::objcopy::ConfigManager config;
  config.Common.StripAll = true;
  llvm::SmallVector<char, 0> result;
  llvm::raw_svector_ostream os(result);
  if (llvm::Error error = llvm::objcopy::executeObjcopyOnBinary(config, **file, os))
    return notOurs(path, llvm::toString(std::move(error)));
  return std::string(result.data(), result.size());
}

std::string machineName() {
  utsname names{};
  uname(&names);
  return names.machine;
}

} // namespace fuselage
