// The extension's own code with the real server, and VS Code's API as far as it uses it.
"use strict";
const fs = require("fs");
const path = require("path");
const Module = require("module");

const [extension, file] = process.argv.slice(2);
const text = fs.readFileSync(file, "utf8");
const providers = {}, commands = {}, shown = [];
let diagnosed, applied;

class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range { constructor(start, end) { Object.assign(this, { start, end }); } }
const made = (...names) => class { constructor(...values) { names.forEach((name, i) => (this[name] = values[i])); } };
const register = (name) => (selector, provider) => ((providers[name] = provider ?? selector), { dispose() {} });
const uriOf = (string) => ({ toString: () => string, fsPath: string.slice("file://".length), path: string.slice(7) });
const uri = uriOf("file://" + path.resolve(file));
const document = { uri, languageId: "mlir", version: 1, getText: () => text };

const vscode = {
  Position, Range, Location: made("uri", "range"), TextEdit: made("range", "newText"), Hover: made("contents", "range"),
  MarkdownString: made("value"), Diagnostic: made("range", "message", "severity"),
  DiagnosticRelatedInformation: made("location", "message"),
  DocumentSymbol: made("name", "detail", "kind", "range", "selectionRange"), InlayHint: made("position", "label"),
  CodeAction: made("title", "kind"), CodeLens: made("range", "command"), FoldingRange: made("start", "end", "kind"),
  DocumentHighlight: made("range", "kind"), SymbolInformation: made("name", "kind", "container", "location"),
  SemanticTokens: made("data"), SemanticTokensLegend: made("types", "modifiers"),
  WorkspaceEdit: class { constructor() { this.edits = []; } set(at, edits) { this.edits.push(...edits); } },
  EventEmitter: class { constructor() { this.event = () => {}; } fire() {} dispose() {} },
  CodeActionKind: { RefactorRewrite: "refactor.rewrite", Empty: "" },
  FoldingRangeKind: { Comment: 1, Region: 3 }, ProgressLocation: { Notification: 15 },
  Uri: { parse: uriOf, file: (name) => uriOf("file://" + name) },
  window: {
    createOutputChannel: () => ({ appendLine: (line) => shown.push(line), dispose() {} }),
    showErrorMessage: async (message) => void shown.push("error: " + message),
    showInformationMessage: async (message) => void shown.push(message),
    withProgress: (options, task) => task({}, { onCancellationRequested() {} }),
  },
  workspace: {
    isTrusted: true, textDocuments: [document], workspaceFolders: undefined,
    getConfiguration: () => ({ get: () => "fuselage" }),
    onDidOpenTextDocument: () => ({}), onDidChangeTextDocument: () => ({}), onDidCloseTextDocument: () => ({}),
    registerTextDocumentContentProvider: (scheme, provider) => ((providers.content = provider), {}),
    applyEdit: async (edit) => ((applied = edit), true),
  },
  commands: { registerCommand: (name, run) => ((commands[name] = run), {}) },
  languages: new Proxy({ createDiagnosticCollection: () => ({ set: (at, all) => (diagnosed = all), clear() {}, dispose() {} }) },
    { get: (known, name) => known[name] ?? register(name) }),
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

const token = { onCancellationRequested() {} };
const provider = (name) => providers[`register${name}Provider`];
const find = (what) => { const at = text.indexOf(what), before = text.slice(0, at).split("\n");
  return { line: before.length - 1, character: before.at(-1).length + 1 }; };

(async () => {
  const { activate, deactivate } = require(path.resolve(extension));
  await activate({ subscriptions: [] });
  while (!diagnosed) await new Promise((resolve) => setTimeout(resolve, 20));
  console.log("diagnostics", diagnosed.length);
  const [top] = await provider("DocumentSymbol").provideDocumentSymbols(document, token);
  console.log("symbol", top.name, top.children.length);
  console.log("lenses", (await provider("CodeLens").provideCodeLenses(document, token)).map((lens) => lens.command.title).join(", "));
  console.log("hover", (await provider("Hover").provideHover(document, find("linalg.transpose"), token)).contents.value.split("\n")[1].trim());
  console.log("definition", (await provider("Definition").provideDefinition(document, find("%t :"), token)).range.start.line);
  console.log("references", (await provider("Reference").provideReferences(document, find("%t :"), { includeDeclaration: true }, token)).length);
  console.log("highlights", (await provider("DocumentHighlight").provideDocumentHighlights(document, find("%t :"), token)).length);
  console.log("folds", (await provider("FoldingRange").provideFoldingRanges(document, {}, token)).length);
  console.log("tokens", (await provider("DocumentSemanticTokens").provideDocumentSemanticTokens(document, token)).data.length % 5);
  console.log("hints", (await provider("InlayHints").provideInlayHints(document, { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } }, token))[0].label);
  console.log("rename", (await provider("Rename").provideRenameEdits(document, find("%t :"), "u", token)).edits.length);
  console.log("workspace", (await provider("WorkspaceSymbol").provideWorkspaceSymbols("f", token))[0].name);
  const all = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const fuse = (await provider("CodeActions").provideCodeActions(document, all, {}, token)).find((entry) => entry.title.startsWith("Fuse"));
  await commands["fuselage.execute"](...fuse.command.arguments);
  console.log("fused", applied.edits.length);
  vscode.workspace.isTrusted = false;
  applied = undefined;
  await commands["fuselage.execute"](...fuse.command.arguments);
  console.log("untrusted", applied === undefined, shown.at(-1));
  await deactivate();
  console.log("ended");
  process.exit(0);
})().catch((error) => { console.log("failed", error); process.exit(1); });
