#!/usr/bin/env python3
"""An engine on another machine over ssh: copied there, used over a link of 80 ms that is cut at random moments while a
module is opened, recorded, looked at and tuned.

Sets up a network namespace with a sshd of its own (Debian's openssh-server and iproute2), keys of its own, a delay on both ends of the
link, and folders of its own; all of it goes in the end. The delay is the kernel's (tc netem); where it has none, that of a relay between
ssh and the link. Where root, ip or sshd are missing, it says so and passes.

    python3 tests/peers/remote_ssh.py [--fuselage build/release/bin/fuselage] [--cuts 8] [--longest 60] [--delay 40] [--seed 1]

Exits 1 if a copy fails, or if a reply over the cut link differs from that of an engine here.
"""
import argparse
import os
import pathlib
import queue
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/lit/remote/Inputs"))
from engine_client import EngineClient, without_times  # noqa: E402

TRIALS = 6
SSHD = shutil.which("sshd") or "/usr/sbin/sshd"


def run(*command):
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)


class Machine:
    """A namespace that is reached by ssh alone."""

    def __init__(self, folder, delay):
        self.folder, self.delay = folder, delay
        self.name, self.near = f"fuselage{os.getpid()}", f"fuse{os.getpid()}"
        self.server = None

    def __enter__(self):
        try:
            self.make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def make(self):
        for name in ("host", "user"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name)
        os.makedirs("/run/sshd", exist_ok=True)
        config = self.folder / "sshd_config"
        config.write_text(f"HostKey {self.folder}/host\nAuthorizedKeysFile {self.folder}/user.pub\nPidFile none\nStrictModes no\n"
                          "UsePAM no\nPermitRootLogin prohibit-password\nPasswordAuthentication no\n"
                          f"SetEnv XDG_CACHE_HOME={self.folder}/cache PATH=/usr/bin:/bin\n")
        (self.folder / "ssh_config").write_text(
            f"Host gpu1\n  HostName 10.252.7.2\n  User root\n  IdentityFile {self.folder}/user\n  IdentitiesOnly yes\n"
            f"  StrictHostKeyChecking no\n  UserKnownHostsFile {self.folder}/known\n  ConnectTimeout 5\n  LogLevel ERROR\n")
        inside = ["ip", "netns", "exec", self.name]
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", self.near, "type", "veth", "peer", "name", "inside", "netns", self.name)
        run("ip", "address", "add", "10.252.7.1/24", "dev", self.near)
        run("ip", "link", "set", self.near, "up")
        run(*inside, "ip", "address", "add", "10.252.7.2/24", "dev", "inside")
        for link in ("inside", "lo"):
            run(*inside, "ip", "link", "set", link, "up")
        delays = [["tc", "qdisc", "add", "dev", self.near, "root", "netem", "delay", f"{self.delay}ms", "limit", "100000"],
                  [*inside, "tc", "qdisc", "add", "dev", "inside", "root", "netem", "delay", f"{self.delay}ms", "limit", "100000"]]
        if not all(shutil.which("tc") and subprocess.run(each, capture_output=True).returncode == 0 for each in delays):
            print("tc has no netem here: a relay delays")
            with open(self.folder / "ssh_config", "a") as ssh_config:
                ssh_config.write(f"  ProxyCommand {sys.executable} {os.path.abspath(__file__)} --relay {self.delay} %h %p\n")
        self.server = subprocess.Popen([*inside, SSHD, "-D", "-f", str(config)], stderr=subprocess.DEVNULL)

    def __exit__(self, *_):
        if self.server:
            self.server.kill()
            self.server.wait()
        found = subprocess.run(["ip", "netns", "pids", self.name], capture_output=True, text=True)
        for pid in found.stdout.split():
            subprocess.run(["kill", "-9", pid], check=False)
        subprocess.run(["ip", "netns", "del", self.name], check=False)
        subprocess.run(["ip", "link", "del", self.near], check=False, stderr=subprocess.DEVNULL)

    @property
    def command(self):
        return f"ssh -F {self.folder}/ssh_config gpu1"

    def set_link(self, state):
        run("ip", "link", "set", self.near, state)


def why_not():
    if os.geteuid() != 0:
        return "it needs root"
    for tool in ("ip", "ssh", "ssh-keygen"):
        if not shutil.which(tool):
            return f"{tool} is missing"
    if not os.access(SSHD, os.X_OK):
        return "sshd is missing"
    name = f"fuselage-probe{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode == 0
    subprocess.run(["ip", "netns", "del", name], capture_output=True)
    return None if made else "namespaces of networks cannot be made here"


def script(engine, model):
    """Yields what each request came to, and how long it took."""
    def call(method, **params):
        start = time.monotonic()
        reply = engine.call(method, **params)
        return method, without_times(reply), time.monotonic() - start

    yield call("initialize", version=1)
    yield call("document/open", path=str(model))
    recorded = call("pipeline/record")
    yield recorded
    for _ in range(3):
        for snapshot in range(len(recorded[1].get("steps", [])) + 1):
            yield call("text/lines", snapshot=snapshot, first=0, count=60)
            yield call("graph/scene", snapshot=snapshot)
            if snapshot:
                yield call("step/diff", before=snapshot - 1, after=snapshot)
    yield call("fusion/report", snapshot=0)
    started = call("tune/start", snapshot=0, device="host", dispatch="0", trials=TRIALS, journal="", tuned="", strategy="random")
    yield started[0], sorted(started[1]), started[2]  # the peaks of the machine are measured
    yield "tune", tuned(engine), 0


def tuned(engine):
    """Waits for the end of a search; which trials there were, without what they took."""
    while True:
        state = engine.call("tune/poll")
        if state.get("outcome") or state.get("problem") or "code" in state:
            trials = state.get("trials", [])
            return [state.get("problem"), state.get("message"), sorted(str(each.get("sizes")) for each in trials)]
        time.sleep(0.2)


class Cutter(threading.Thread):
    """Cuts the link at random moments, for random times. Each cut meets an engine that has been reached again."""

    def __init__(self, machine, engine, cuts, longest, choice):
        super().__init__(daemon=True)
        self.machine, self.engine, self.longest, self.choice = machine, engine, longest, choice
        self.left, self.lengths, self.waits, self.stopped = cuts, [], [], threading.Event()

    def run(self):
        while self.left > 0 and not self.stopped.wait(self.choice.uniform(0.05, 2)):
            length = self.choice.choice([0.3, 2, 12, self.longest]) * self.choice.uniform(0.5, 1)
            self.machine.set_link("down")
            time.sleep(length)
            self.machine.set_link("up")
            self.lengths.append(length)
            self.left -= 1
            answered, start = self.engine.answered, time.monotonic()
            while self.engine.answered == answered and not self.stopped.wait(0.05):
                pass
            self.waits.append(time.monotonic() - start)


def copy_engine(fuselage, machine):
    command = [fuselage, "remote", "install", "--command", machine.command]
    # The first copy is cut: it goes on where it was.
    first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    time.sleep(6)
    first.kill()
    first.communicate()
    start = time.monotonic()
    second = subprocess.run(command, capture_output=True, text=True)
    print(f"copy, after one that was killed: {time.monotonic() - start:.1f} s: {second.stdout.strip() or second.stderr.strip()}")
    return second.returncode == 0


def relay(delay, host, port):
    """Standard input and output are a connection, both ways DELAY milliseconds late."""
    peer = socket.create_connection((host, int(port)))

    def carry(read, write):
        waiting = queue.Queue()

        def deliver():
            while True:
                due, data = waiting.get()
                time.sleep(max(0, due - time.monotonic()))
                if not data:
                    os._exit(0)
                write(data)

        threading.Thread(target=deliver, daemon=True).start()
        while True:
            data = read(1 << 16)
            waiting.put((time.monotonic() + float(delay) / 1000, data))
            if not data:
                return

    def write_all(data):
        while data:
            data = data[os.write(1, data):]

    outward = threading.Thread(target=carry, args=(lambda size: os.read(0, size), peer.sendall))
    outward.start()
    carry(peer.recv, write_all)
    outward.join()


def main():
    if sys.argv[1:2] == ["--relay"]:
        return relay(*sys.argv[2:])
    options = argparse.ArgumentParser()
    options.add_argument("--fuselage", default=str(ROOT / "build/release/bin/fuselage"))
    options.add_argument("--model", default=str(ROOT / "samples/bert_attention.mlir"))
    options.add_argument("--cuts", type=int, default=8)
    options.add_argument("--longest", type=float, default=60)
    options.add_argument("--delay", type=int, default=40)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    if reason := why_not():
        print(f"skipped: {reason}")
        return 0
    here = EngineClient(chosen.fuselage, "serve")
    expected = list(script(here, chosen.model))
    here.close()
    with tempfile.TemporaryDirectory(prefix="fuselage-ssh-") as folder, Machine(pathlib.Path(folder), chosen.delay) as machine:
        time.sleep(1)
        if not copy_engine(chosen.fuselage, machine):
            return 1
        there = EngineClient(chosen.fuselage, "remote", "--command", machine.command, "--name", "gpu1")
        cutter = Cutter(machine, there, chosen.cuts, chosen.longest, random.Random(chosen.seed))
        wrong, times, rounds = 0, [], 0
        cutter.start()
        while rounds == 0 or cutter.left > 0:
            rounds += 1
            got = list(script(there, chosen.model))
            times += [each[2] for each in got]
            wrong += len(got) != len(expected)
            for mine, theirs in zip(got, expected):
                if mine[:2] != theirs[:2]:
                    wrong += 1
                    print(f"differs: {mine[0]}: {str(mine[1])[:200]}")
        cutter.stopped.set()
        cutter.join()
        waits = sorted(cutter.waits)
        states = [each["state"] for each in there.states()]
        code = there.close()
        print(f"{rounds} rounds of {len(expected)} requests, {len(cutter.lengths)} cuts of {min(cutter.lengths, default=0):.1f} to "
              f"{max(cutter.lengths, default=0):.1f} s, {states.count('down')} times down; the next reply came "
              f"{statistics.median(waits or [0]):.1f} s (median), at most {max(waits, default=0):.1f} s after a cut; {wrong} replies differ; exit code {code}; "
              f"a request took {statistics.median(times) * 1000:.0f} ms (median), at most {max(times):.1f} s")
    return 1 if wrong or code else 0


if __name__ == "__main__":
    sys.exit(main())
