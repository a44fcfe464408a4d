// What the language server says, in the words of VS Code's API.
"use strict";
const vscode = require("vscode");

const position = (at) => new vscode.Position(at.line, at.character);
const range = (at) => new vscode.Range(position(at.start), position(at.end));
const location = (at) => new vscode.Location(vscode.Uri.parse(at.uri), range(at.range));
const edit = (at) => new vscode.TextEdit(range(at.range), at.newText);

function workspaceEdit(from) {
  const whole = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(from?.changes ?? {})) whole.set(vscode.Uri.parse(uri), edits.map(edit));
  return whole;
}

function diagnostic(from, uri) {
  const made = new vscode.Diagnostic(range(from.range), from.message, from.severity - 1); // LSP counts from 1
  made.source = from.source;
  made.relatedInformation = (from.relatedInformation ?? []).map(
    (note) => new vscode.DiagnosticRelatedInformation(location(note.location), note.message)
  );
  return made;
}

function symbol(from) {
  const made = new vscode.DocumentSymbol(from.name, from.detail, from.kind - 1, range(from.range), range(from.selectionRange));
  made.children = (from.children ?? []).map(symbol);
  return made;
}

const command = (from) => ({ title: from.title, command: "fuselage.execute", arguments: [from] });

function hint(from) {
  const made = new vscode.InlayHint(position(from.position), from.label);
  made.paddingLeft = from.paddingLeft;
  made.tooltip = from.tooltip;
  return made;
}

function action(from) {
  const kind = from.kind ? vscode.CodeActionKind.RefactorRewrite : vscode.CodeActionKind.Empty;
  const made = new vscode.CodeAction(from.title, kind);
  made.command = command(from.command);
  return made;
}

const foldKinds = { comment: vscode.FoldingRangeKind.Comment, region: vscode.FoldingRangeKind.Region };
const fold = (from) => new vscode.FoldingRange(from.startLine, from.endLine, foldKinds[from.kind]);

module.exports = { position, range, location, edit, workspaceEdit, diagnostic, symbol, command, hint, action, fold };
