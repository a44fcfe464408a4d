#include "core/deploy/EngineId.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SHA256.h"
#include <elf.h>
#include <link.h>

namespace fuselage {

/// Adds the build id in the notes of a loaded file, which the linker made from its content.
static void addBuildId(const dl_phdr_info &info, llvm::SHA256 &hash) {
  for (int at = 0; at < info.dlpi_phnum; ++at) {
    const ElfW(Phdr) &header = info.dlpi_phdr[at];
    if (header.p_type != PT_NOTE)
      continue;
    llvm::StringRef notes(reinterpret_cast<const char *>(info.dlpi_addr + header.p_vaddr), header.p_memsz);
    while (notes.size() > sizeof(ElfW(Nhdr))) {
      const auto &note = *reinterpret_cast<const ElfW(Nhdr) *>(notes.data());
      const size_t name = llvm::alignTo(note.n_namesz, 4), content = llvm::alignTo(note.n_descsz, 4);
      notes = notes.drop_front(sizeof(ElfW(Nhdr)));
      if (note.n_type == NT_GNU_BUILD_ID && notes.take_front(note.n_namesz) == llvm::StringRef("GNU\0", 4))
        hash.update(notes.drop_front(name).take_front(note.n_descsz));
      notes = notes.drop_front(std::min(name + content, notes.size()));
    }
  }
}

static int addOurs(dl_phdr_info *info, size_t, void *hash) {
  const llvm::StringRef path = info->dlpi_name;
  if (path.empty() || path.contains("/libMLIR") || path.contains("/libLLVM"))
    addBuildId(*info, *static_cast<llvm::SHA256 *>(hash));
  return 0;
}

const std::string &engineId() {
  static const std::string id = [] {
    llvm::SHA256 hash;
    dl_iterate_phdr(addOurs, &hash);
    return FUSELAGE_VERSION "-" + llvm::toHex(hash.final(), /*LowerCase=*/true).substr(0, 12);
  }();
  return id;
}

} // namespace fuselage
