#!/usr/bin/env python3
"""Tuning with four workers, here and over ssh: trials a second beside one worker, and what is lost when a worker or a link goes.

Sets up four network namespaces, each with a sshd of its own (Debian's openssh-server and iproute2) and a key of its own, which all go in
the end; needs root. Trials sleep instead of computing (tests/lit/cli/Inputs/worker.py), so that what is measured is what the coordinator
and the way cost. Where root, ip or sshd are missing, it says so and measures local workers alone.

    python3 tests/peers/tune_over_ssh.py [--fuselage build/release/bin/fuselage] [--sleep 0.1] [--at-least 0.85]

Exits 1 if four workers make less than --at-least times four of the trials a second of one, a trial is lost, or the best is another one.
"""
import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAYLOAD = ROOT / "samples/schedules/batch_matmul_payload.mlir"
SCHEDULE = ROOT / "samples/schedules/batch_matmul_knobs.mlir"
WORKER = ROOT / "tests/lit/cli/Inputs/worker.py"
MANY = 4


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


class Machines:
    """Namespaces that are reached by ssh alone."""

    def __init__(self, folder):
        self.folder, self.servers = folder, []
        self.names = [f"fuselage{os.getpid()}-{i}" for i in range(MANY)]

    def __enter__(self):
        for name in ("host", "user"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name)
        os.makedirs("/run/sshd", exist_ok=True)
        config = self.folder / "sshd_config"
        config.write_text(f"HostKey {self.folder}/host\nAuthorizedKeysFile {self.folder}/user.pub\nPidFile none\nStrictModes no\n"
                          "UsePAM no\nPermitRootLogin prohibit-password\nPasswordAuthentication no\n")
        for i, name in enumerate(self.names):
            run("ip", "netns", "add", name)
            run("ip", "link", "add", self.link(i), "type", "veth", "peer", "name", "inside", "netns", name)
            run("ip", "address", "add", f"10.251.{i}.1/24", "dev", self.link(i))
            run("ip", "link", "set", self.link(i), "up")
            inside = ["ip", "netns", "exec", name]
            run(*inside, "ip", "address", "add", f"10.251.{i}.2/24", "dev", "inside")
            run(*inside, "ip", "link", "set", "inside", "up")
            run(*inside, "ip", "link", "set", "lo", "up")
            self.servers.append(subprocess.Popen([*inside, shutil.which("sshd") or "/usr/sbin/sshd", "-D", "-f", config], stderr=subprocess.DEVNULL))
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.terminate()
            server.wait()
        for i, name in enumerate(self.names):
            subprocess.run(["ip", "link", "delete", self.link(i)], stderr=subprocess.DEVNULL)
            subprocess.run(["ip", "netns", "delete", name], stderr=subprocess.DEVNULL)

    def link(self, i):
        return f"fus{os.getpid() % 100000}-{i}"

    def cut(self, i):
        run("ip", "link", "set", self.link(i), "down")

    def command(self, i, words):
        return (f"ssh -q -i {self.folder}/user -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o ConnectTimeout=2 "
                f"-o ServerAliveInterval=1 -o ServerAliveCountMax=2 root@10.251.{i}.2 {words}")


def why_no_machines():
    if os.geteuid() != 0:
        return "this is not root"
    for program in ("ip", "ssh", "ssh-keygen", "/usr/sbin/sshd"):
        if not shutil.which(program):
            return f"there is no {program}"
    probe = f"fuselage-probe-{os.getpid()}"
    if subprocess.run(["ip", "netns", "add", probe], capture_output=True).returncode:
        return "no network namespace can be made here"
    run("ip", "netns", "delete", probe)
    return None


class Tuning:
    def __init__(self, tools, folder):
        self.tools, self.folder, self.count = tools, folder, 0
        self.path = f"{tools.fuselage.parent}:{os.environ['PATH']}"

    def worker(self, *options):
        return f"env PATH={self.path} {sys.executable} {WORKER} --sleep {self.tools.sleep} " + " ".join(options)

    def start(self, workers, budget, journal=None, *more):
        self.count += 1
        journal = journal or self.folder / f"journal{self.count}"
        command = [self.tools.fuselage, "tune", PAYLOAD, "--schedule", SCHEDULE, "--strategy", "exhaustive", "--budget", str(budget),
                   "--time-limit", "2", "--journal", journal, *more]
        for worker in workers:
            command += ["--worker", worker]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "PATH": self.path, "FUSELAGE_SUPERVISE": "0"})
        return process, journal

    def finish(self, process, journal):
        out, err = process.communicate()
        if process.returncode:
            sys.exit(f"the tuning failed: {err or out}")
        best = next(line for line in out.splitlines() if line.startswith("best:")).split(",")[0]
        return best, [json.loads(line)["parameters"] for line in open(journal)], err

    def rate(self, workers):
        """Trials a second, without what starting costs."""
        few, many = 10 * len(workers), 80 * len(workers)
        seconds = []
        for budget in (few, many):
            start = time.monotonic()
            self.finish(*self.start(workers, budget))
            seconds.append(time.monotonic() - start)
        return (many - few) / (seconds[1] - seconds[0])


def check(what, holds):
    print(f"{what}: {'yes' if holds else 'NO'}", flush=True)
    return holds


def measure(tuning, where, workers, at_least):
    one, four = tuning.rate(workers[:1]), tuning.rate(workers)
    print(f"{where}: {one:.2f} trials/s with one worker, {four:.2f} with {len(workers)}: {four / one / len(workers):.3f} x {len(workers)}", flush=True)
    return check(f"  at least {at_least} x {len(workers)}", four >= at_least * len(workers) * one)


def lose(tuning, where, workers, harm, expected, note):
    """A tuning of all points during which `harm` comes to pass; then what the journal has, resumed once more."""
    process, journal = tuning.start(workers, 1000)
    while not (journal.exists() and journal.read_text().count("\n") > 20):
        time.sleep(0.05)
    harm(process)
    if process.poll() is None and note:
        best, trials, err = tuning.finish(process, journal)
        fine = check(f"{where}: it is said", note in err)
    else:
        process.communicate()
        before = journal.read_bytes()
        best, trials, err = tuning.finish(*tuning.start(workers, 1000, journal))
        fine = check(f"{where}: what was recorded is still there", journal.read_bytes().startswith(before[:before.rfind(b"\n") + 1]))
    distinct = {json.dumps(each, sort_keys=True) for each in trials}
    return check(f"{where}: {len(distinct)} points, each once, and the same best", len(distinct) == len(trials) == 371 and best == expected) and fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuselage", default=ROOT / "build/release/bin/fuselage", type=pathlib.Path)
    parser.add_argument("--sleep", type=float, default=0.1, help="seconds that a trial takes (default: 0.1)")
    parser.add_argument("--at-least", type=float, default=0.85)
    tools = parser.parse_args()
    tools.fuselage = tools.fuselage.resolve()
    fine = True
    with tempfile.TemporaryDirectory() as scratch, contextlib.ExitStack() as stack:
        folder = pathlib.Path(scratch)
        tuning = Tuning(tools, folder)
        local = [tuning.worker() for _ in range(MANY)]
        fine &= measure(tuning, "local", local, tools.at_least)
        expected, trials, _ = tuning.finish(*tuning.start(local, 1000))
        pid = folder / "pid"

        def kill_worker(_):
            os.kill(int(pid.read_text()), signal.SIGKILL)

        fine &= lose(tuning, "kill -9 of a local worker", [*local[1:], tuning.worker("--pid", str(pid))], kill_worker, expected, "is started again")
        fine &= lose(tuning, "kill -9 of the coordinator", local, lambda process: process.kill(), expected, None)
        why = why_no_machines()
        if why:
            print(f"no workers over ssh: {why}")
            return 0 if fine else 1
        machines = stack.enter_context(Machines(folder))
        time.sleep(1)
        remote = [machines.command(i, tuning.worker()) for i in range(MANY)]
        fine &= measure(tuning, "over ssh", remote, tools.at_least)
        marked = [*remote[1:], machines.command(0, tuning.worker("--pid", str(pid)))]
        fine &= lose(tuning, "kill -9 of a worker over ssh", marked, kill_worker, expected, "is started again")
        fine &= lose(tuning, "kill -9 of the coordinator over ssh", remote, lambda process: process.kill(), expected, None)
        fine &= lose(tuning, "a link that breaks", remote, lambda _: machines.cut(3), expected, "is given up")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
