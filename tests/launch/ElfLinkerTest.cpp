// The launcher's linker runs what compilers make, and survives whatever else it is given.
#include "core/runtime/host/ElfLinker.h"
#include <cmath>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace fuselage {
namespace {

std::string object() {
  std::ifstream file(FUSELAGE_LINKED_OBJECT, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

TEST(ElfLinker, CodeConstantsAndDataWork) {
  std::string bytes = object();
  auto linker = linkElfObject(bytes);
  ASSERT_TRUE(linker) << linker.error().message();
  auto wave = (*linker)->lookUp("fuselage_test_wave");
  ASSERT_TRUE(wave);
  EXPECT_DOUBLE_EQ(reinterpret_cast<double (*)(double, int)>(*wave)(0.1, 3), std::sin(0.8));
  auto count = (*linker)->lookUp("fuselage_test_count");
  ASSERT_TRUE(count);
  EXPECT_EQ(reinterpret_cast<long (*)()>(*count)(), 41);
  EXPECT_EQ(reinterpret_cast<long (*)()>(*count)(), 42);
  auto copy = (*linker)->lookUp("fuselage_test_copy");
  ASSERT_TRUE(copy);
  char to[8] = {};
  reinterpret_cast<void (*)(void *, const void *, unsigned long)> (*copy)(to, "copied", 7);
  EXPECT_STREQ(to, "copied");
  EXPECT_FALSE((*linker)->lookUp("fuselage_test_other"));
}

TEST(ElfLinker, WhatKernelsMayNotCallIsNamed) {
  std::string bytes = object();
  size_t at = bytes.find(std::string("\0sin\0", 5));
  ASSERT_NE(at, bytes.npos);
  bytes.replace(at + 1, 3, "dup");
  auto linker = linkElfObject(bytes);
  ASSERT_FALSE(linker);
  EXPECT_NE(linker.error().message().find("calls 'dup', which kernels may not call"), std::string::npos)
      << linker.error().message();
}

TEST(ElfLinker, OtherFilesAreRefused) {
  for (const std::string &bytes :
       {std::string(), std::string("text"), std::string(64, '\0'), std::string(4096, '\x7f')}) {
    auto linker = linkElfObject(bytes);
    ASSERT_FALSE(linker);
    EXPECT_NE(linker.error().message().find("no object that can be linked"), std::string::npos);
  }
}

TEST(ElfLinker, NoTruncationHurts) {
  std::string bytes = object();
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(linkElfObject(std::string_view(bytes).substr(0, length))) << "of " << length << " bytes";
}

/// Offsets, sizes, indices and kinds are read with no trust: every byte of the tables is changed.
TEST(ElfLinker, NoChangedByteHurts) {
  const std::string whole = object();
  Elf64_Ehdr header;
  ASSERT_GE(whole.size(), sizeof header);
  std::memcpy(&header, whole.data(), sizeof header);
  std::vector<std::pair<size_t, size_t>> tables{{0, sizeof header}, {header.e_shoff, whole.size()}};
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, whole.data() + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type == SHT_SYMTAB || section.sh_type == SHT_RELA)
      tables.emplace_back(section.sh_offset, section.sh_offset + section.sh_size);
  }
  int refused = 0, taken = 0;
  for (auto [begin, end] : tables)
    for (size_t at = begin; at < end; ++at)
      for (uint8_t change : {0x01, 0x80, 0xff}) {
        std::string bytes = whole;
        bytes[at] = char(uint8_t(bytes[at]) ^ change);
        ++(linkElfObject(bytes) ? taken : refused);
      }
  EXPECT_GT(refused, 100);
  EXPECT_GT(taken, 100);
}

} // namespace
} // namespace fuselage
