-- What Neovim gets from `fuselage lsp`, by its own client: run by editor_neovim.py.
local path, program = vim.env.FUSELAGE_FILE, vim.env.FUSELAGE_PROGRAM
local function say(...) io.stdout:write(table.concat({ ... }, " "), "\n") end

vim.cmd("edit " .. vim.fn.fnameescape(path))
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = "fuselage", cmd = { program, "lsp" }, root_dir = vim.fn.fnamemodify(path, ":h") })
assert(client, "the server does not start")
assert(vim.lsp.buf_attach_client(buffer, client), "the server does not attach")
assert(vim.wait(30000, function() return vim.lsp.buf_get_clients(buffer)[client] ~= nil end), "the server says nothing")

local function ask(method, params)
  local answers, problem = vim.lsp.buf_request_sync(buffer, method, params, 30000)
  assert(answers, problem)
  for _, answer in pairs(answers) do
    assert(not answer.err, answer.err and answer.err.message)
    return answer.result
  end
end
local document = { uri = vim.uri_from_bufnr(buffer) }
local function at(line, column)
  return { textDocument = document, position = { line = line, character = column } }
end

-- Lenses need the IR: once they are there, so is the rest.
assert(vim.wait(30000, function() return #ask("textDocument/codeLens", { textDocument = document }) > 0 end, 100))
say("lens", ask("textDocument/codeLens", { textDocument = document })[1].command.title)
local symbols = ask("textDocument/documentSymbol", { textDocument = document })
say("symbol", symbols[1].name, #symbols[1].children)
local where = vim.fn.searchpos("linalg.matmul", "n")
say("hover", (ask("textDocument/hover", at(where[1] - 1, where[2])).contents.value:gsub("\n.*", "")))
local used = vim.fn.searchpos("%m,", "n")
local definition = ask("textDocument/definition", at(used[1] - 1, used[2]))
say("definition", definition.range.start.line)
say("folds", #ask("textDocument/foldingRange", { textDocument = document }))

-- A rename, as the editor makes it, and what the server then says of the changed text.
vim.api.nvim_win_set_cursor(0, { used[1], used[2] })
vim.lsp.buf.rename("product")
assert(vim.wait(30000, function() return vim.fn.search("%product =", "nw") > 0 end), "nothing was renamed")
say("renamed", tostring(vim.fn.search("%m\\>", "nw") == 0))
vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { "func.func @broken( {" })
assert(vim.wait(30000, function() return #vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR }) > 0 end),
  "the editor hears of no error")
say("errors", "yes")
vim.cmd("silent undo")
assert(vim.wait(30000, function() return #vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR }) == 0 end),
  "the error stays")
say("errors after undo", "none")
vim.cmd("qall!")
