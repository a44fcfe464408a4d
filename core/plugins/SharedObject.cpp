#include "core/plugins/SharedObject.h"
#include "core/support/Error.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <algorithm>

using namespace llvm;

namespace fuselage {

namespace {
/// The libraries of the dynamic section. Failure: the section is damaged.
template <class Elf> Expected<std::vector<std::string>> neededBy(const object::ELFFile<Elf> &elf) {
  auto entries = elf.dynamicEntries();
  if (!entries)
    return entries.takeError();
  uint64_t strings = 0, size = 0;
  for (const auto &entry : *entries) {
    if (entry.getTag() == ELF::DT_STRTAB)
      strings = entry.getPtr();
    if (entry.getTag() == ELF::DT_STRSZ)
      size = entry.getVal();
  }
  auto table = elf.toMappedAddr(strings);
  if (!table)
    return table.takeError();
  const uint8_t *end = elf.base() + elf.getBufSize();
  StringRef texts(reinterpret_cast<const char *>(*table), std::min<uint64_t>(size, end - *table));
  std::vector<std::string> needed;
  for (const auto &entry : *entries)
    if (entry.getTag() == ELF::DT_NEEDED)
      needed.push_back(texts.drop_front(std::min<uint64_t>(entry.getVal(), texts.size())).split('\0').first.str());
  return needed;
}

template <class Elf> Expected<SharedObject> describe(const object::ELFObjectFile<Elf> &file) {
  const object::ELFFile<Elf> &elf = file.getELFFile();
  if (elf.getHeader().e_type != ELF::ET_DYN)
    return fail("it is no shared object: link it with -shared");
  SharedObject result;
  auto needed = neededBy(elf);
  if (!needed)
    return fail("its dynamic section cannot be read: " + toString(needed.takeError()));
  result.needed = std::move(*needed);
  for (const object::ELFSymbolRef symbol : file.getDynamicSymbolIterators()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name)
      return fail("its symbols cannot be read: " + toString(joinErrors(flags.takeError(), name.takeError())));
    if (*flags & object::SymbolRef::SF_Undefined)
      continue;
    result.hasPasses |= *name == "mlirGetPassPluginInfo";
    result.hasDialects |= *name == "mlirGetDialectPluginInfo";
    result.hasMlir |= name->starts_with("_ZN4mlir11MLIRContextC1E");
  }
  return result;
}
} // namespace

/// describe() of what the file is.
static Expected<SharedObject> describe(const object::ObjectFile &file) {
  if (const auto *little = dyn_cast<object::ELF64LEObjectFile>(&file))
    return describe(*little);
  if (const auto *big = dyn_cast<object::ELF64BEObjectFile>(&file))
    return describe(*big);
  return fail("it is no shared object (an ELF file of 64 bits)");
}

Expected<SharedObject> readSharedObject(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(buffer.getError().message());
  auto file = object::ObjectFile::createObjectFile((*buffer)->getMemBufferRef());
  if (!file) {
    consumeError(file.takeError());
    return fail("it is no shared object (an ELF file)");
  }
  const Triple::ArchType here = Triple(sys::getProcessTriple()).getArch();
  if ((*file)->getArch() != here)
    return fail("it is made for " + Triple::getArchTypeName((*file)->getArch()).str() + ", and this machine is " +
                Triple::getArchTypeName(here).str());
  auto result = describe(**file);
  if (!result)
    return fail(takeFailure(result.takeError()).message);
  return result;
}

} // namespace fuselage
