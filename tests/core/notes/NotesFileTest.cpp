// Notes are kept beside a file, in the user's folder where that goes not, and other people's files do no harm.
#include "core/notes/NotesFile.h"
#include "core/support/Error.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fuselage {
namespace {

namespace fs = std::filesystem;

class NotesFile : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "notesXXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    setenv("XDG_DATA_HOME", (folder_ / "data").c_str(), 1);
    document_ = (folder_ / "model.mlir").string();
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  static message::Note<> note(const std::string &id, const std::string &text) {
    message::Note<> note;
    note.id = id;
    note.text = text;
    note.op.op = "linalg.matmul";
    return note;
  }
  void write(const std::string &path, const std::string &text) { std::ofstream(path) << text; }
  std::string textOf(const std::string &path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string problemOf(const std::string &text) {
    write(document_ + ".fuselage", text);
    auto notes = readNotes(document_ + ".fuselage");
    return notes ? "" : takeFailure(notes.takeError()).message;
  }

  fs::path folder_;
  std::string document_;
};

TEST_F(NotesFile, StandsBesideTheDocument) {
  auto saved = saveNotes(document_, {note("a", "why is this slow?\nsecond line"), note("b", "")});
  ASSERT_TRUE(bool(saved)) << llvm::toString(saved.takeError());
  EXPECT_EQ(saved->path, document_ + ".fuselage");
  EXPECT_EQ(saved->problem, "");
  message::Notes<> back = loadNotes(document_);
  ASSERT_EQ(back.notes.size(), 2u);
  EXPECT_EQ(back.notes[0].text, "why is this slow?\nsecond line");
  EXPECT_EQ(back.notes[0].op.op, "linalg.matmul");
  EXPECT_EQ(back.problem, "");
  // Without notes there is no file.
  ASSERT_TRUE(bool(saveNotes(document_, {})));
  EXPECT_FALSE(fs::exists(document_ + ".fuselage"));
  EXPECT_EQ(loadNotes(document_).notes.size(), 0u);
}

TEST_F(NotesFile, GoesToTheUsersFolderWhereItMust) {
  // A folder in its place cannot be written, by root neither.
  fs::create_directory(document_ + ".fuselage");
  auto saved = saveNotes(document_, {note("a", "kept")});
  ASSERT_TRUE(bool(saved)) << llvm::toString(saved.takeError());
  EXPECT_EQ(saved->path.find((folder_ / "data").string()), 0u) << saved->path;
  EXPECT_NE(saved->problem.find("is no file"), std::string::npos) << saved->problem;
  message::Notes<> back = loadNotes(document_);
  ASSERT_EQ(back.notes.size(), 1u);
  EXPECT_EQ(back.path, saved->path);
  // Once it can be written, they are beside it again, and in one place.
  fs::remove(document_ + ".fuselage");
  auto again = saveNotes(document_, back.notes);
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(again->path, document_ + ".fuselage");
  EXPECT_FALSE(fs::exists(saved->path));
}

TEST_F(NotesFile, BracketsInWordsAreNoNesting) {
  std::vector<message::Note<>> notes;
  for (int i = 0; i < 250; ++i)
    notes.push_back(note(std::to_string(i), "range [0, 10) of \\\"{[ \\"));
  ASSERT_TRUE(bool(saveNotes(document_, notes)));
  message::Notes<> back = loadNotes(document_);
  EXPECT_EQ(back.problem, "");
  ASSERT_EQ(back.notes.size(), 250u);
  EXPECT_EQ(back.notes[7].text, notes[7].text);
  EXPECT_EQ(saveNotes(document_, notes)->path, document_ + ".fuselage");
}

TEST_F(NotesFile, WhatIsKeptElsewhereIsTheLaterOne) {
  ASSERT_TRUE(bool(saveNotes(document_, {note("a", "old"), note("b", "old")})));
  fs::permissions(document_ + ".fuselage", fs::perms::owner_read | fs::perms::group_read);
  auto saved = saveNotes(document_, {note("a", "new")});
  ASSERT_TRUE(bool(saved));
  EXPECT_NE(saved->problem.find("read-only"), std::string::npos) << saved->problem;
  message::Notes<> back = loadNotes(document_);
  ASSERT_EQ(back.notes.size(), 1u); // what was removed stays so
  EXPECT_EQ(back.notes[0].text, "new");
  EXPECT_EQ(back.path, saved->path);
  // The last one goes, too, and the file that nobody may write stays.
  auto none = saveNotes(document_, {});
  ASSERT_TRUE(bool(none));
  EXPECT_NE(none->problem.find("read-only"), std::string::npos) << none->problem;
  EXPECT_TRUE(fs::exists(document_ + ".fuselage"));
  EXPECT_EQ(loadNotes(document_).notes.size(), 0u);
  // Once it can be written again it is the only one.
  fs::permissions(document_ + ".fuselage", fs::perms::owner_all);
  ASSERT_TRUE(bool(saveNotes(document_, {note("c", "newest")})));
  EXPECT_FALSE(fs::exists(saved->path));
  ASSERT_EQ(loadNotes(document_).notes.size(), 1u);
  EXPECT_EQ(loadNotes(document_).notes[0].id, "c");
}

TEST_F(NotesFile, LeavesWhatIsNotItsOwn) {
  for (const char *text :
       {"not JSON", "[]", "{}", "{\"version\": 2, \"notes\": []}", "{\"version\": 1}", "{\"notes\": []}"}) {
    EXPECT_NE(problemOf(text), "") << text;
    auto saved = saveNotes(document_, {note("a", "kept elsewhere")});
    ASSERT_TRUE(bool(saved));
    EXPECT_NE(saved->path, document_ + ".fuselage") << text;
    EXPECT_EQ(textOf(document_ + ".fuselage"), text);
    EXPECT_EQ(loadNotes(document_).notes.size(), 1u) << text;
    EXPECT_NE(loadNotes(document_).problem, "") << text;
  }
}

TEST_F(NotesFile, OfStrangers) {
  EXPECT_NE(problemOf(std::string(100'000, '[')).find("nested"), std::string::npos);
  EXPECT_NE(problemOf(std::string(9 << 20, ' ')).find("MiB"), std::string::npos);
  std::string many = "{\"version\": 1, \"notes\": [";
  for (int i = 0; i < 5001; ++i)
    many += (i ? "," : "") + std::string("{\"id\": \"") + std::to_string(i) + "\"}";
  EXPECT_NE(problemOf(many + "]}").find("5000"), std::string::npos);
  // Fields of other types, control characters, numbers out of range, ids that are there twice.
  EXPECT_EQ(
      problemOf(
          R"({"version": 1, "notes": [7, null, "x", {"id": "a", "text": "bell \u0007 esc \u001b[31m tab\t<b>", "kind": "?",
    "operand": -9, "label": "two\nlines", "op": {"line": -3, "operands": 5, "ordinal": 1e99}, "step": []}, {"id": "a", "text": "twice"}]})"),
      "");
  auto notes = readNotes(document_ + ".fuselage");
  ASSERT_TRUE(bool(notes));
  ASSERT_EQ(notes->notes.size(), 2u); // one without an id, and "a"
  const message::Note<> &odd = notes->notes[1];
  EXPECT_EQ(odd.text, "bell  esc [31m tab\t<b>");
  EXPECT_EQ(odd.label, "two lines");
  EXPECT_EQ(odd.operand, -1);
  EXPECT_EQ(odd.op.line, 0);
  EXPECT_EQ(odd.op.ordinal, 0);
  // A text is cut between letters.
  message::Note<> longOne = note("l", "");
  for (int i = 0; i < 15'000; ++i)
    longOne.text += "\u00e9";
  tidy(longOne);
  EXPECT_EQ(longOne.text.size(), 20'000u);
}

TEST_F(NotesFile, NeverWaitsForAPipe) {
  ASSERT_EQ(::mkfifo((document_ + ".fuselage").c_str(), 0600), 0);
  EXPECT_NE(loadNotes(document_).problem.find("is no file"), std::string::npos);
}

TEST_F(NotesFile, OfAFolder) { EXPECT_EQ(notesPathFor("/a/dumps/"), "/a/dumps.fuselage"); }

} // namespace
} // namespace fuselage
