"""nginx before a service, with docs/deploy/nginx.conf as it stands but for ports and certificate."""

from __future__ import annotations

import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

PAGE = Path(__file__).parents[2] / "docs" / "deploy" / "nginx.conf"
TRIES = 100


def nginx(folder: Path, address: str, port: int) -> list[str]:
    """The command that runs it in the foreground, before the service at `address`; it answers plain HTTP at `port` of
    127.0.0.1, 0 for a path that nobody listens on."""
    listen = f"127.0.0.1:{port}" if port else f"unix:{folder}/socket"
    text = PAGE.read_text()
    text = re.sub(r"^server \{\n    listen 80;.*?^\}\n", "", text, flags=re.M | re.S)
    text = text.replace("listen 443 ssl http2;", f"listen {listen};").replace("    listen [::]:443 ssl http2;\n", "")
    text = re.sub(r"^    ssl_.*\n", "", text, flags=re.M)
    text = text.replace("127.0.0.1:8000", urlsplit(address).netloc)
    temporary = "".join(
        f"{each}_temp_path {folder}/{each};\n" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    head = f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nworker_rlimit_nofile 8192;\n"
    whole = f"{head}events {{ worker_connections 4096; }}\nhttp {{\naccess_log off;\n{temporary}{text}\n}}\n"
    (folder / "nginx.conf").write_text(whole)
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]


@contextmanager
def before(address: str, folder: Path) -> Iterator[str]:
    """nginx before the service at `address`, until the end; gives its own address."""
    folder.chmod(0o755)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(nginx(folder, address, port))
    try:
        proxy = f"http://127.0.0.1:{port}"
        for _ in range(TRIES):
            with suppress(OSError), urlopen(f"{proxy}/healthz"):
                break
            time.sleep(0.1)
        yield proxy
    finally:
        process.terminate()
        process.wait()
