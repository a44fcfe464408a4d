// JSON-RPC with `fuselage lsp`. Knows nothing of VS Code.
"use strict";
const { spawn } = require("child_process");

/** Finds `Content-Length: N` frames in bytes as they come. */
class Frames {
  constructor() {
    this.bytes = Buffer.alloc(0);
  }
  /** The messages that are complete with this chunk. */
  take(chunk) {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    const messages = [];
    for (;;) {
      const end = this.bytes.indexOf("\r\n\r\n");
      if (end < 0) return messages;
      const length = /content-length: *(\d+)/i.exec(this.bytes.toString("latin1", 0, end));
      if (!length) throw new Error("the language server sent a header without a length");
      const begin = end + 4;
      if (this.bytes.length < begin + Number(length[1])) return messages;
      messages.push(JSON.parse(this.bytes.toString("utf8", begin, begin + Number(length[1]))));
      this.bytes = this.bytes.subarray(begin + Number(length[1]));
    }
  }
}

class Client {
  /** `handlers`: notifications and requests of the server, by method; `ended` is told why the server is gone. */
  constructor(program, handlers, ended) {
    this.handlers = handlers;
    this.waiting = new Map();
    this.count = 0;
    this.process = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "ignore"] });
    const frames = new Frames();
    this.process.stdout.on("data", (chunk) => frames.take(chunk).forEach((message) => this.receive(message)));
    this.process.stdin.on("error", () => {});
    this.process.on("error", (error) => this.end(`cannot start '${program} lsp': ${error.message}`, ended));
    this.process.on("exit", (code) => this.end(`'${program} lsp' ended with ${code}`, ended));
  }

  end(reason, ended) {
    for (const { reject } of this.waiting.values()) reject(new Error(reason));
    this.waiting.clear();
    if (!this.stopped) ended(reason);
    this.stopped = true;
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.process.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  }

  notify(method, params) {
    if (!this.stopped) this.send({ method, params });
  }

  /** `token`: a CancellationToken of VS Code, or nothing. */
  request(method, params, token) {
    if (this.stopped) return Promise.reject(new Error("the language server is not running"));
    const id = ++this.count;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    if (token) token.onCancellationRequested(() => this.notify("$/cancelRequest", { id }));
    this.send({ id, method, params });
    return answer;
  }

  receive(message) {
    if (message.method !== undefined) {
      const result = this.handlers[message.method]?.(message.params);
      if (message.id !== undefined)
        Promise.resolve(result).then((value) => this.send({ id: message.id, result: value ?? null }));
      return;
    }
    const question = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!question) return;
    if (message.error) question.reject(new Error(message.error.message));
    else question.resolve(message.result);
  }

  async stop() {
    if (this.stopped) return;
    await this.request("shutdown", null).catch(() => {});
    this.notify("exit", null);
    this.stopped = true;
  }
}

module.exports = { Client, Frames };
