"""The order of messages that LSP asks for."""
import subprocess

from client import Client


def code(client, method):
    client.number += 1
    client.send({"jsonrpc": "2.0", "id": client.number, "method": method, "params": {}})
    while (message := client.receive()).get("id") != client.number:
        pass
    return message["error"]["code"]


class Early(Client):
    def ask(self, method, params):
        if method == "initialize":
            print("early", code(self, "workspace/symbol"))
        return super().ask(method, params)


client = Early()
print("twice", code(client, "initialize"))
client.ask("shutdown", None)
print("late", code(client, "workspace/symbol"))
client.tell("exit", None)
codes = [client.process.wait(30)]
client = Client()
client.tell("exit", None)
codes.append(client.process.wait(30))
codes.append(subprocess.run(["fuselage", "lsp"], stdin=subprocess.DEVNULL, timeout=60).returncode)
print("exit codes", *codes)
