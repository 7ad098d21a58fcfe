"""`verify` and `report` on a real Dask cluster: `python -m tests.long.cluster`, with the extra `cluster`.

A scheduler, four workers and a log of 24 tables. One worker is killed by SIGKILL while it audits. What both commands
write is compared to the byte with one pass.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

from tests.simulated import simulated

TABLES = 24
WORKERS = 4
ROUNDS = 2_400
AUDIT = [sys.executable, "-m", "audit_cli.main"]


def start(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]], stderr=subprocess.DEVNULL
    )


def audited(words: list[str], folder: Path, address: str = "") -> tuple[int, bytes]:
    """Exit code and what a command wrote, in one pass or on the cluster."""
    how = ["--cluster", address] if address else ["--jobs", "1"]
    done = subprocess.run([*AUDIT, *words, *how], cwd=folder, stdout=subprocess.PIPE, check=False)
    out = folder / "report.json"
    out.touch()
    written = out.read_bytes()
    out.unlink()
    return done.returncode, done.stdout + written


def kill_one(workers: list[subprocess.Popen[bytes]], told: list[str]) -> None:
    """Kill the first worker that is at work, and say which."""
    processes = [psutil.Process(worker.pid) for worker in workers]
    before = [process.cpu_times().user for process in processes]
    for _ in range(2000):
        for process, spent in zip(processes, before, strict=True):
            if process.cpu_times().user - spent > 0.2:
                process.kill()
                told.append(f"worker {process.pid} was killed at work")
                return
        time.sleep(0.02)
    told.append("NO worker was killed")


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), "18786"
        log = simulated(folder / "log", rounds=ROUNDS, tables=TABLES)
        key = ["--key", str(log / "log.vkey")]
        commands = [
            ["verify", str(log), *key, "--format", "json"],
            ["report", str(log), *key, "--output", "report.json"],
            ["report", f"file://{log}", *key, "--output", "report.json"],
        ]
        alone = [audited(words, folder) for words in commands]
        running = [start("dask_scheduler", "--port", port, "--no-dashboard")]
        address = f"tcp://127.0.0.1:{port}"
        workers = [
            start("dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", name)
            for _ in range(WORKERS)
        ]
        running += workers
        failed = False
        try:
            time.sleep(6)
            for number, (words, expected) in enumerate(zip(commands, alone, strict=True)):
                told: list[str] = []
                killer = threading.Thread(target=kill_one, args=(workers, told))
                if number:
                    killer.start()
                found = audited(words, folder, address)
                if number:
                    killer.join()
                same = found == expected and not any(each.startswith("NO") for each in told)
                failed |= not same
                print(words[0], "same to the byte" if same else "FAULT: differs", *told)
        finally:
            for each in running:
                each.kill()
                each.wait()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
