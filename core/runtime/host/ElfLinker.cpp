#include "core/runtime/host/ElfLinker.h"
#include "core/executable/HostSymbols.h"
#include "core/runtime/host/Align.h"
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#ifdef __x86_64__
// Of the compiler's own library, which is part of this program and no shared one.
extern "C" {
void __multi3(), __divti3(), __modti3(), __udivti3(), __umodti3(), __ashlti3(), __ashrti3(), __lshrti3(), __fixsfti(),
    __fixdfti(), __fixunssfti(), __fixunsdfti(), __floattisf(), __floattidf(), __floatuntisf(), __floatuntidf(),
    __powisf2(), __powidf2();
}
#endif

namespace fuselage {

namespace {

// GCC 10's elf.h may lack them.
constexpr uint32_t kGotPcRelX = 41, kRexGotPcRelX = 42;

struct Section {
  Elf64_Shdr header{};
  std::string name;
  uint64_t offset = UINT64_MAX; ///< in the memory of the code; UINT64_MAX: it is not loaded
};

const std::map<std::string_view, void *> &compilerFunctions() {
  static const std::map<std::string_view, void *> functions = {
#ifdef __x86_64__
#define FUSELAGE_FUNCTION(name) {#name, reinterpret_cast<void *>(name)},
      FUSELAGE_FUNCTION(__multi3) FUSELAGE_FUNCTION(__divti3) FUSELAGE_FUNCTION(__modti3) FUSELAGE_FUNCTION(__udivti3)
          FUSELAGE_FUNCTION(__umodti3) FUSELAGE_FUNCTION(__ashlti3) FUSELAGE_FUNCTION(__ashrti3)
              FUSELAGE_FUNCTION(__lshrti3) FUSELAGE_FUNCTION(__fixsfti) FUSELAGE_FUNCTION(__fixdfti)
                  FUSELAGE_FUNCTION(__fixunssfti) FUSELAGE_FUNCTION(__fixunsdfti) FUSELAGE_FUNCTION(__floattisf)
                      FUSELAGE_FUNCTION(__floattidf) FUSELAGE_FUNCTION(__floatuntisf) FUSELAGE_FUNCTION(__floatuntidf)
                          FUSELAGE_FUNCTION(__powisf2) FUSELAGE_FUNCTION(__powidf2)
#undef FUSELAGE_FUNCTION
#endif
  };
  return functions;
}

/// The address of a function that an object may call; null: there is none here, or it may not.
void *functionOf(const std::string &name) {
  if (auto found = hostRuntimeFunctions().find(name); found != hostRuntimeFunctions().end())
    return found->second;
  if (!isLibraryFunction(name))
    return nullptr;
  if (auto found = compilerFunctions().find(name); found != compilerFunctions().end())
    return found->second;
  return dlsym(RTLD_DEFAULT, name.c_str());
}

class ElfLinker : public HostLinker {
public:
  explicit ElfLinker(std::string_view object) : object_(object) {}
  ~ElfLinker() override {
    if (memory_)
      munmap(memory_, total_);
  }
  Result<void *> lookUp(const std::string &symbol) override {
    auto found = defined_.find(symbol);
    if (found == defined_.end())
      return failWith("the object has no function '" + symbol + "'");
    return static_cast<void *>(memory_ + found->second);
  }

  Status link();

private:
  /// The object is read once more where it is wrong, and never beyond its end.
  template <class T> bool readAt(uint64_t offset, T &out) const {
    if (offset > object_.size() || object_.size() - offset < sizeof(T))
      return false;
    std::memcpy(&out, object_.data() + offset, sizeof(T));
    return true;
  }
  std::optional<std::string> textAt(const Section &strings, uint64_t offset) const;
  Status readSections();
  Status readSymbols();
  Status place();
  Status relocate(const Section &relocations);
  Status protect();
  Result<uint64_t> addressOf(uint64_t symbol, bool isCall);
  uint64_t slotOf(uint64_t symbol, uint64_t address);

  std::string_view object_;
  std::vector<Section> sections_;
  std::vector<Elf64_Sym> symbols_;
  std::vector<std::string> names_; ///< of the symbols
  std::map<std::string, uint64_t> defined_;
  std::map<uint64_t, uint64_t> stubs_, slots_; ///< offsets by symbol
  uint8_t *memory_ = nullptr;
  uint64_t total_ = 0;
  uint64_t codeEnd_ = 0, constantEnd_ = 0; ///< stubs are at the end of the code, slots at the end of the constants
  uint64_t nextStub_ = 0, nextSlot_ = 0;
};

Status damaged(const std::string &what) {
  return failWith("the host's kernel is no object that can be linked: " + what);
}

constexpr uint64_t kStubBytes = 16, kSlotBytes = 8, kPage = 4096, kMostBytes = uint64_t(1) << 30;

} // namespace

std::optional<std::string> ElfLinker::textAt(const Section &strings, uint64_t offset) const {
  const Elf64_Shdr &header = strings.header;
  if (header.sh_type != SHT_STRTAB || offset >= header.sh_size)
    return std::nullopt;
  std::string_view rest = object_.substr(header.sh_offset + offset, header.sh_size - offset);
  size_t end = rest.find('\0');
  return end == rest.npos ? std::nullopt : std::optional<std::string>(rest.substr(0, end));
}

Status ElfLinker::readSections() {
  Elf64_Ehdr header{};
  if (!readAt(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return damaged("it is no ELF file");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL ||
      header.e_machine != EM_X86_64)
    return damaged("it is no relocatable object of x86-64");
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0 || header.e_shstrndx >= header.e_shnum)
    return damaged("its table of sections is not as ELF has it");
  sections_.resize(header.e_shnum);
  for (size_t i = 0; i < sections_.size(); ++i) {
    Elf64_Shdr &section = sections_[i].header;
    if (header.e_shoff > object_.size() || !readAt(header.e_shoff + i * sizeof(Elf64_Shdr), section))
      return damaged("its table of sections ends early");
    if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL &&
        (section.sh_offset > object_.size() || section.sh_size > object_.size() - section.sh_offset))
      return damaged("section " + std::to_string(i) + " lies outside of the file");
  }
  for (Section &section : sections_)
    section.name = textAt(sections_[header.e_shstrndx], section.header.sh_name).value_or("");
  return Status::success();
}

Status ElfLinker::readSymbols() {
  for (const Section &section : sections_) {
    if (section.header.sh_type != SHT_SYMTAB)
      continue;
    if (!symbols_.empty())
      return damaged("it has more than one table of symbols");
    if (section.header.sh_link >= sections_.size() || section.header.sh_entsize != sizeof(Elf64_Sym))
      return damaged("its table of symbols is not as ELF has it");
    symbols_.resize(section.header.sh_size / sizeof(Elf64_Sym));
    for (size_t i = 0; i < symbols_.size(); ++i) {
      readAt(section.header.sh_offset + i * sizeof(Elf64_Sym), symbols_[i]);
      auto name = textAt(sections_[section.header.sh_link], symbols_[i].st_name);
      if (!name)
        return damaged("symbol " + std::to_string(i) + " has no name");
      names_.push_back(std::move(*name));
      if (ELF64_ST_TYPE(symbols_[i].st_info) == STT_TLS || ELF64_ST_TYPE(symbols_[i].st_info) == STT_GNU_IFUNC)
        return damaged("symbol '" + names_.back() + "' is of a kind that our objects do not have");
      if (symbols_[i].st_shndx == SHN_COMMON)
        return damaged("symbol '" + names_.back() + "' is common, which our objects do not have");
    }
  }
  return Status::success();
}

/// Gives loaded sections, stubs and slots their places: code, then constants, then what is written.
Status ElfLinker::place() {
  uint64_t at = 0;
  auto add = [&](bool wantsCode, bool wantsWritable) -> Status {
    for (Section &section : sections_) {
      const Elf64_Shdr &header = section.header;
      bool isCode = header.sh_flags & SHF_EXECINSTR, isWritable = header.sh_flags & SHF_WRITE;
      // Nobody unwinds through compiled code.
      if (!(header.sh_flags & SHF_ALLOC) || section.name == ".eh_frame" || isCode != wantsCode ||
          (!isCode && isWritable != wantsWritable))
        continue;
      if (header.sh_flags & SHF_TLS || (isCode && isWritable))
        return damaged("section '" + section.name + "' is of a kind that our objects do not have");
      if (header.sh_type != SHT_PROGBITS && header.sh_type != SHT_NOBITS && header.sh_type != SHT_INIT_ARRAY)
        return damaged("section '" + section.name + "' is of a type that our objects do not have");
      if (header.sh_type == SHT_INIT_ARRAY)
        return damaged("it wants to run something when it is loaded");
      uint64_t alignment = std::max<uint64_t>(header.sh_addralign, 1);
      if (alignment > kPage || (alignment & (alignment - 1)) != 0 || header.sh_size > kMostBytes)
        return damaged("section '" + section.name + "' is too large, or aligned otherwise than to a page");
      at = alignedTo(at, alignment);
      section.offset = at;
      at += header.sh_size;
      if (at > kMostBytes)
        return damaged("it is larger than 1 GiB");
    }
    return Status::success();
  };
  if (Status error = add(true, false))
    return error;
  nextStub_ = at = alignedTo(at, kStubBytes);
  codeEnd_ = at = alignedTo(at + symbols_.size() * kStubBytes, kPage);
  if (Status error = add(false, false))
    return error;
  nextSlot_ = at = alignedTo(at, kSlotBytes);
  constantEnd_ = at = alignedTo(at + symbols_.size() * kSlotBytes, kPage);
  if (Status error = add(false, true))
    return error;
  total_ = alignedTo(at + 1, kPage);
  void *memory = mmap(nullptr, total_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return failWith("there is no memory for the code of a kernel");
  memory_ = static_cast<uint8_t *>(memory);
  for (const Section &section : sections_)
    if (section.offset != UINT64_MAX && section.header.sh_type == SHT_PROGBITS)
      std::memcpy(memory_ + section.offset, object_.data() + section.header.sh_offset, section.header.sh_size);
  for (size_t i = 0; i < symbols_.size(); ++i) {
    const Elf64_Sym &symbol = symbols_[i];
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= sections_.size())
      continue;
    const Section &section = sections_[symbol.st_shndx];
    if (section.offset != UINT64_MAX && symbol.st_value <= section.header.sh_size &&
        ELF64_ST_BIND(symbol.st_info) != STB_LOCAL && section.header.sh_flags & SHF_EXECINSTR)
      defined_[names_[i]] = section.offset + symbol.st_value;
  }
  return Status::success();
}

/// Where a symbol lies. What is called and lies elsewhere in the process, further away than a call reaches, is called
/// through a stub.
Result<uint64_t> ElfLinker::addressOf(uint64_t number, bool isCall) {
  if (number >= symbols_.size())
    return damaged("a relocation is of a symbol that it does not have");
  const Elf64_Sym &symbol = symbols_[number];
  if (symbol.st_shndx == SHN_ABS)
    return uint64_t(symbol.st_value);
  if (symbol.st_shndx != SHN_UNDEF) {
    if (symbol.st_shndx >= sections_.size() || sections_[symbol.st_shndx].offset == UINT64_MAX ||
        symbol.st_value > sections_[symbol.st_shndx].header.sh_size)
      return damaged("symbol '" + names_[number] + "' lies outside of what is loaded");
    return reinterpret_cast<uint64_t>(memory_) + sections_[symbol.st_shndx].offset + symbol.st_value;
  }
  void *function = functionOf(names_[number]);
  if (!function) {
    bool isAllowed = isHostRuntimeFunction(names_[number]) || isLibraryFunction(names_[number]);
    return failWith("the host's kernel calls '" + names_[number] + "', which " +
                    (isAllowed ? "the libraries of this machine lack" : "kernels may not call"));
  }
  uint64_t address = reinterpret_cast<uint64_t>(function);
  if (!isCall)
    return address;
  auto [stub, isNew] = stubs_.try_emplace(number, nextStub_);
  if (isNew) {
    nextStub_ += kStubBytes;
    // jmp *0(%rip), and the address.
    uint8_t code[kStubBytes] = {0xff, 0x25, 0, 0, 0, 0};
    std::memcpy(code + 6, &address, sizeof address);
    std::memcpy(memory_ + stub->second, code, sizeof code);
  }
  return reinterpret_cast<uint64_t>(memory_) + stub->second;
}

uint64_t ElfLinker::slotOf(uint64_t symbol, uint64_t address) {
  auto [slot, isNew] = slots_.try_emplace(symbol, nextSlot_);
  if (isNew) {
    nextSlot_ += kSlotBytes;
    std::memcpy(memory_ + slot->second, &address, sizeof address);
  }
  return reinterpret_cast<uint64_t>(memory_) + slot->second;
}

Status ElfLinker::relocate(const Section &relocations) {
  const Elf64_Shdr &header = relocations.header;
  if (header.sh_info >= sections_.size() || header.sh_entsize != sizeof(Elf64_Rela))
    return damaged("its relocations are not as ELF has them");
  const Section &target = sections_[header.sh_info];
  if (target.offset == UINT64_MAX)
    return Status::success(); // of what is not loaded
  for (uint64_t i = 0; i < header.sh_size / sizeof(Elf64_Rela); ++i) {
    Elf64_Rela relocation{};
    readAt(header.sh_offset + i * sizeof relocation, relocation);
    uint32_t type = ELF64_R_TYPE(relocation.r_info);
    uint64_t number = ELF64_R_SYM(relocation.r_info);
    if (type == R_X86_64_NONE)
      continue;
    bool isCall = type == R_X86_64_PLT32 || type == R_X86_64_PC32;
    auto symbol = addressOf(number, isCall);
    if (!symbol)
      return symbol.takeError();
    unsigned bytes = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
    if (relocation.r_offset > target.header.sh_size || target.header.sh_size - relocation.r_offset < bytes)
      return damaged("a relocation lies outside of section '" + target.name + "'");
    uint8_t *at = memory_ + target.offset + relocation.r_offset;
    uint64_t place = reinterpret_cast<uint64_t>(at), value = 0;
    switch (type) {
    case R_X86_64_64:
      value = *symbol + uint64_t(relocation.r_addend);
      break;
    case R_X86_64_PC64:
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
      value = *symbol + uint64_t(relocation.r_addend) - place;
      break;
    case R_X86_64_GOTPCREL:
    case kGotPcRelX:
    case kRexGotPcRelX:
      value = slotOf(number, *symbol) + uint64_t(relocation.r_addend) - place;
      break;
    default:
      return damaged("it has relocations of type " + std::to_string(type) + ", which our objects do not have");
    }
    if (bytes == 4 && int64_t(value) != int64_t(int32_t(value)))
      return damaged("a relocation in section '" + target.name + "' does not reach '" + names_[number] + "'");
    std::memcpy(at, &value, bytes);
  }
  return Status::success();
}

/// Nothing is both written and run.
Status ElfLinker::protect() {
  bool done = mprotect(memory_, codeEnd_, PROT_READ | PROT_EXEC) == 0 &&
              mprotect(memory_ + codeEnd_, constantEnd_ - codeEnd_, PROT_READ) == 0;
  return done ? Status::success() : failWith("the system does not let the code of a kernel run");
}

Status ElfLinker::link() {
  if (Status error = readSections())
    return error;
  if (Status error = readSymbols())
    return error;
  if (Status error = place())
    return error;
  for (const Section &section : sections_) {
    if (section.header.sh_type == SHT_REL)
      return damaged("it has relocations without addends, which our objects do not have");
    if (section.header.sh_type == SHT_RELA)
      if (Status error = relocate(section))
        return error;
  }
  object_ = {}; // the caller's
  return protect();
}

Result<std::unique_ptr<HostLinker>> linkElfObject(std::string_view object) {
#ifdef __x86_64__
  auto linker = std::make_unique<ElfLinker>(object);
  if (Status error = linker->link())
    return error;
  return std::unique_ptr<HostLinker>(std::move(linker));
#else
  (void)object;
  return failWith("kernels of the host are linked on x86-64 only; make the bundle for a GPU");
#endif
}

} // namespace fuselage
