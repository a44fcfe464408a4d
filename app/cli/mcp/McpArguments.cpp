#include "app/cli/mcp/McpArguments.h"

namespace fuselage::cli {

using llvm::json::Object;
using llvm::json::Value;

static Object schema(const char *type, llvm::StringRef description) {
  return Object{{"type", type}, {"description", description.str()}};
}
Object textSchema(llvm::StringRef description) { return schema("string", description); }
Object numberSchema(llvm::StringRef description) { return schema("integer", description); }
Object flagSchema(llvm::StringRef description) { return schema("boolean", description); }

static bool isOf(const Value &value, llvm::StringRef type) {
  return type == "string"    ? value.getAsString().has_value()
         : type == "boolean" ? value.getAsBoolean().has_value()
                             : value.getAsInteger().has_value();
}

llvm::Error checkArguments(const Object &given, const Object &schemas, llvm::ArrayRef<const char *> required) {
  for (const char *name : required)
    if (!given.get(name))
      return fail(std::string("the argument '") + name + "' is missing");
  for (const auto &[name, value] : given) {
    const Object *known = schemas.getObject(name);
    if (!known)
      return fail("there is no argument '" + name.str() + "'");
    llvm::StringRef type = known->getString("type").value_or("");
    if (!isOf(value, type))
      return fail("the argument '" + name.str() + "' is no " + type.str());
  }
  return llvm::Error::success();
}

} // namespace fuselage::cli
