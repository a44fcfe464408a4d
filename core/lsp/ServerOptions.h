// What a language server is told when it starts.
#pragma once
#include <string>

namespace fuselage::lsp {

struct ServerOptions {
  std::string program; ///< of ours, which commands run: "fuselage run", "fuselage fuse"
  std::string window;  ///< "fuselage-gui"; empty: there is none here
  std::string version;
};

} // namespace fuselage::lsp
