#include "core/trace/TraceFile.h"
#include "core/support/Error.h"
#include "core/support/Paths.h"
#include "core/trace/TraceSpans.h"
#include "core/trace/TraceText.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

namespace fuselage {
namespace {

/// Reads events one after the other.
class TraceReader {
public:
  explicit TraceReader(llvm::StringRef text) : text_(text) {}
  llvm::Expected<TraceFile> read();

private:
  bool readObject();
  bool readEvents();
  bool readEvent();
  bool readMember(RawEvent &event);
  bool readArgs(RawEvent &event);
  /// A number or a text, as a text.
  bool readId(std::string &id);
  bool readTime(std::optional<double> &time);

  TraceText text_;
  TraceSpans spans_;
  std::string key_;
  bool hasEvents_ = false;
};

/// A value that is no number is as if there were none.
bool TraceReader::readTime(std::optional<double> &time) {
  const char next = text_.peek();
  if (next != '-' && (next < '0' || next > '9'))
    return text_.skipValue();
  double value = 0;
  if (!text_.readNumber(value))
    return false;
  if (std::isfinite(value))
    time = value;
  return true;
}

bool TraceReader::readId(std::string &id) {
  if (text_.peek() == '"')
    return text_.readString(id);
  std::optional<double> number;
  if (!readTime(number))
    return false;
  if (number && std::abs(*number) < 1e15)
    id = std::to_string(int64_t(*number));
  return true;
}

bool TraceReader::readArgs(RawEvent &event) {
  if (text_.peek() != '{')
    return text_.skipValue();
  text_.expect('{');
  std::optional<double> step;
  std::string key;
  for (bool isFirst = true; !text_.take('}'); isFirst = false) {
    if ((!isFirst && !text_.expect(',')) || !text_.readString(key) || !text_.expect(':'))
      return false;
    const bool isText = text_.peek() == '"';
    const bool isRead = key == "desc" && isText   ? text_.readString(event.description)
                        : key == "name" && isText ? text_.readString(event.rowName)
                        : key == "step"           ? readTime(step)
                                                  : text_.skipValue();
    if (!isRead)
      return false;
  }
  if (step && *step >= 0 && *step < INT32_MAX)
    event.step = int32_t(*step);
  return true;
}

bool TraceReader::readMember(RawEvent &event) {
  const bool isText = text_.peek() == '"';
  if (key_ == "name" && isText)
    return text_.readString(event.name);
  if (key_ == "cat" && isText)
    return text_.readString(event.category);
  if (key_ == "ph" && isText)
    return text_.readString(event.phase);
  if (key_ == "ts")
    return readTime(event.time);
  if (key_ == "dur")
    return readTime(event.duration);
  if (key_ == "pid")
    return readId(event.process);
  if (key_ == "tid")
    return readId(event.thread);
  return key_ == "args" ? readArgs(event) : text_.skipValue();
}

bool TraceReader::readEvent() {
  RawEvent event;
  if (!text_.expect('{'))
    return false;
  for (bool isFirst = true; !text_.take('}'); isFirst = false)
    if ((!isFirst && !text_.expect(',')) || !text_.readString(key_) || !text_.expect(':') || !readMember(event))
      return false;
  return spans_.add(event) || text_.fail("there are more events than " + std::to_string(TraceSpans::most));
}

bool TraceReader::readEvents() {
  hasEvents_ = true;
  if (!text_.expect('['))
    return false;
  for (bool isFirst = true; !text_.take(']'); isFirst = false)
    if ((!isFirst && !text_.expect(',')) || (text_.peek() != ']' && !readEvent())) // Chrome's own ends with a comma
      return false;
  return true;
}

bool TraceReader::readObject() {
  text_.expect('{');
  for (bool isFirst = true; !text_.take('}'); isFirst = false) {
    if ((!isFirst && !text_.expect(',')) || !text_.readString(key_) || !text_.expect(':'))
      return false;
    if (!(key_ == "traceEvents" ? readEvents() : text_.skipValue()))
      return false;
  }
  return true;
}

llvm::Expected<TraceFile> TraceReader::read() {
  const char first = text_.peek();
  if (first != '[' && first != '{')
    return fail("it is no trace: neither an array of events nor an object with traceEvents");
  const bool isWhole = first == '[' ? readEvents() : readObject();
  if (isWhole && !hasEvents_)
    return fail("it is no trace: the object has no traceEvents");
  if (isWhole && text_.peek() != '\0')
    text_.fail("something follows the end of the trace");
  if (text_.failed() && !(text_.isCut() && hasEvents_))
    return fail("it is no trace: " + text_.error());
  return spans_.finish(text_.error());
}

} // namespace

llvm::Expected<TraceFile> readTrace(llvm::StringRef text) { return TraceReader(text).read(); }

llvm::Expected<TraceFile> readTraceFile(llvm::StringRef path) {
  auto refuse = [&](const std::string &why) { return fail("cannot read '" + shortPath(path) + "': " + why); };
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return refuse(buffer.getError().message());
  if ((*buffer)->getBufferSize() > uint64_t(4) << 30)
    return refuse("it holds more than 4 GiB");
  auto trace = readTrace((*buffer)->getBuffer());
  if (!trace)
    return refuse(takeFailure(trace.takeError()).message);
  return trace;
}

} // namespace fuselage
