#include "core/remote/files/PipelineFiles.h"
#include "core/support/Error.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage::remote {

using llvm::StringRef;

/// Upstream's options for files that are read (transform-preload-library) and written (snapshot-op-locations).
static constexpr StringRef readingOptions[] = {"transform-library-paths="};
static constexpr StringRef writingOptions[] = {"filename="};

/// Where an option's value begins, from `from` on; npos: the pipeline does not have it there.
static size_t findValue(StringRef pipeline, StringRef option, size_t from) {
  for (size_t found; (found = pipeline.find(option, from)) != StringRef::npos; from = found + 1)
    if (found == 0 || StringRef(" {\t").contains(pipeline[found - 1]))
      return found + option.size();
  return StringRef::npos;
}

llvm::Error mapPipelineFiles(std::string &pipeline, llvm::function_ref<llvm::Error(std::string &path)> map) {
  for (StringRef option : writingOptions)
    if (findValue(pipeline, option, 0) != StringRef::npos)
      return fail("the option '" + option.str() +
                  "' of a pass writes a file, which would be written on the other machine; leave it out, or run the "
                  "pipeline on this one");
  for (StringRef option : readingOptions) {
    for (size_t begin = 0; (begin = findValue(pipeline, option, begin)) != StringRef::npos;) {
      StringRef list = StringRef(pipeline).drop_front(begin);
      list = list.take_front(list.find_first_of(" \t}"));
      llvm::SmallVector<StringRef> paths;
      list.split(paths, ',');
      std::string mapped;
      for (StringRef each : paths) {
        std::string path = each.str();
        if (llvm::Error error = path.empty() ? llvm::Error::success() : map(path))
          return error;
        mapped += (mapped.empty() ? "" : ",") + path;
      }
      pipeline.replace(begin, list.size(), mapped);
      begin += mapped.size();
    }
  }
  return llvm::Error::success();
}

} // namespace fuselage::remote
