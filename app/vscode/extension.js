// Lets VS Code talk to `fuselage lsp`.
"use strict";
const vscode = require("vscode");
const { Client } = require("./client");
const to = require("./convert");

const selector = { language: "mlir" };
let client, diagnostics, lensesChanged, hintsChanged, log;

const identify = (document) => ({ textDocument: { uri: document.uri.toString() } });
const at = (document, position) => ({ ...identify(document), position });
const many = (convert) => (list) => (list ?? []).map((entry) => convert(entry));

/** A question about a document, whose answer is nothing where the server is gone. */
async function ask(method, params, token, convert) {
  try {
    const answer = await client.request("textDocument/" + method, params, token);
    return answer ? convert(answer) : undefined;
  } catch (error) {
    log.appendLine(`${method}: ${error.message}`);
    return undefined;
  }
}

function open(document) {
  if (document.languageId !== "mlir") return;
  const { uri } = document;
  client.notify("textDocument/didOpen", {
    textDocument: { uri: uri.toString(), languageId: "mlir", version: document.version, text: document.getText() },
  });
}

function change(event) {
  if (event.document.languageId !== "mlir" || event.contentChanges.length === 0) return;
  client.notify("textDocument/didChange", {
    textDocument: { uri: event.document.uri.toString(), version: event.document.version },
    contentChanges: event.contentChanges.map(({ range, text }) => ({ range, text })),
  });
}

function close(document) {
  if (document.languageId === "mlir") client.notify("textDocument/didClose", identify(document));
}

const handlers = {
  "textDocument/publishDiagnostics": ({ uri, diagnostics: all }) =>
    diagnostics.set(vscode.Uri.parse(uri), all.map((entry) => to.diagnostic(entry))),
  "window/logMessage": ({ message }) => log.appendLine(message),
  "window/showMessage": ({ type, message }) =>
    type === 1 ? void vscode.window.showErrorMessage(message) : void vscode.window.showInformationMessage(message),
  "workspace/applyEdit": async ({ edit }) => ({ applied: await vscode.workspace.applyEdit(to.workspaceEdit(edit)) }),
  "workspace/codeLens/refresh": () => lensesChanged.fire(),
  "workspace/inlayHint/refresh": () => hintsChanged.fire(),
};

/** Starts the server, and tells it what is open. Returns what it can do. */
async function start() {
  const program = vscode.workspace.getConfiguration("fuselage").get("path");
  client = new Client(program, handlers, (reason) => {
    log.appendLine(reason);
    vscode.window
      .showErrorMessage(`Fuselage: ${reason}. The setting 'fuselage.path' names the program.`, "Restart")
      .then((choice) => choice && restart());
  });
  const folders = vscode.workspace.workspaceFolders ?? [];
  const { capabilities } = await client.request("initialize", {
    processId: process.pid,
    workspaceFolders: folders.map(({ uri, name }) => ({ uri: uri.toString(), name })),
    capabilities: { workspace: { codeLens: { refreshSupport: true }, inlayHint: { refreshSupport: true } } },
  });
  client.notify("initialized", {});
  vscode.workspace.textDocuments.forEach(open);
  return capabilities;
}

async function restart() {
  await client.stop();
  diagnostics.clear();
  await start().catch(() => {}); // why is said already
}

/** Providers of everything that the server answers. */
function provide(capabilities) {
  const { languages } = vscode;
  const { tokenTypes, tokenModifiers } = capabilities.semanticTokensProvider.legend;
  const tokens = (answer) => new vscode.SemanticTokens(new Uint32Array(answer.data));
  return [
    languages.registerHoverProvider(selector, {
      provideHover: (document, position, token) =>
        ask("hover", at(document, position), token, (answer) =>
          new vscode.Hover(new vscode.MarkdownString(answer.contents.value), to.range(answer.range))),
    }),
    languages.registerDefinitionProvider(selector, {
      provideDefinition: (document, position, token) => ask("definition", at(document, position), token, to.location),
    }),
    languages.registerReferenceProvider(selector, {
      provideReferences: (document, position, context, token) =>
        ask("references", { ...at(document, position), context }, token, many(to.location)),
    }),
    languages.registerDocumentHighlightProvider(selector, {
      provideDocumentHighlights: (document, position, token) =>
        ask("documentHighlight", at(document, position), token,
          many((entry) => new vscode.DocumentHighlight(to.range(entry.range), entry.kind - 1))),
    }),
    languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: (document, token) => ask("documentSymbol", identify(document), token, many(to.symbol)),
    }),
    languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: async (query, token) =>
        (await client.request("workspace/symbol", { query }, token)).map(
          (entry) => new vscode.SymbolInformation(entry.name, entry.kind - 1, "", to.location(entry.location))),
    }),
    languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: (document, context, token) => ask("foldingRange", identify(document), token, many(to.fold)),
    }),
    languages.registerRenameProvider(selector, {
      prepareRename: async (document, position, token) => {
        const answer = await client.request("textDocument/prepareRename", at(document, position), token);
        if (!answer) throw new Error("there is no name here that this file defines");
        return { range: to.range(answer.range), placeholder: answer.placeholder };
      },
      provideRenameEdits: async (document, position, newName, token) =>
        to.workspaceEdit(await client.request("textDocument/rename", { ...at(document, position), newName }, token)),
    }),
    languages.registerDocumentSemanticTokensProvider(
      selector,
      { provideDocumentSemanticTokens: (document, token) => ask("semanticTokens/full", identify(document), token, tokens) },
      new vscode.SemanticTokensLegend(tokenTypes, tokenModifiers)
    ),
    languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: (document, token) =>
        ask("codeLens", identify(document), token,
          many((entry) => new vscode.CodeLens(to.range(entry.range), to.command(entry.command)))),
    }),
    languages.registerInlayHintsProvider(selector, {
      onDidChangeInlayHints: hintsChanged.event,
      provideInlayHints: (document, range, token) =>
        ask("inlayHint", { ...identify(document), range }, token, many(to.hint)),
    }),
    languages.registerCodeActionsProvider(selector, {
      provideCodeActions: (document, range, context, token) =>
        ask("codeAction", { ...identify(document), range, context: { diagnostics: [] } }, token, many(to.action)),
    }),
  ];
}

/** A command of a lens or an action; what it has to say comes as a message of its own. */
async function execute({ title, command, arguments: args }) {
  if (!vscode.workspace.isTrusted && command !== "fuselage.why") {
    vscode.window.showErrorMessage(`'${title}' runs a program on this file: trust the workspace first.`);
    return;
  }
  const options = { location: vscode.ProgressLocation.Notification, title: `Fuselage: ${title}`, cancellable: true };
  await vscode.window.withProgress(options, (progress, token) =>
    client.request("workspace/executeCommand", { command, arguments: args }, token).catch((error) => {
      log.appendLine(`${command}: ${error.message}`);
    })
  );
}

/** Bytecode, shown as the text that it stands for. */
const bytecode = {
  provideTextDocumentContent: async (uri) =>
    (await client.request("fuselage/text", { uri: vscode.Uri.file(uri.query).toString() })).text,
};

async function showBytecode(uri) {
  uri ??= (await vscode.window.showOpenDialog({ filters: { Bytecode: ["mlirbc"] } }))?.[0];
  if (!uri) return;
  const shown = vscode.Uri.from({ scheme: "fuselage", path: uri.path + ".mlir", query: uri.fsPath });
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(shown));
}

async function activate(context) {
  log = vscode.window.createOutputChannel("Fuselage");
  diagnostics = vscode.languages.createDiagnosticCollection("fuselage");
  lensesChanged = new vscode.EventEmitter();
  hintsChanged = new vscode.EventEmitter();
  context.subscriptions.push(
    log, diagnostics, lensesChanged, hintsChanged,
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument(change),
    vscode.workspace.onDidCloseTextDocument(close),
    vscode.workspace.registerTextDocumentContentProvider("fuselage", bytecode),
    vscode.commands.registerCommand("fuselage.execute", execute),
    vscode.commands.registerCommand("fuselage.restart", restart),
    vscode.commands.registerCommand("fuselage.openBytecode", showBytecode)
  );
  context.subscriptions.push(...provide(await start()));
}

const deactivate = () => client?.stop();

module.exports = { activate, deactivate };
