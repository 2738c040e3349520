"""`forge-mlir` for tests, in processes that are forked from one which has loaded what commands load.

    python -m command_server SOCKET MODULE ...

Most of the time of a short command is that of the start of Python and of its packages. The server loads the modules,
and forks for each command: a process of its own, with its own directory, environment and streams, that ends as the
installed command does. Tests of how a process starts, and of what it loads, start one themselves.
"""

from __future__ import annotations

import gc
import json
import os
import socket
import sys
from importlib import import_module
from typing import Any

SHIM = """\
#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
    line.connect({address!r})
    wanted = {{"arguments": sys.argv[1:], "directory": os.getcwd(), "environment": dict(os.environ)}}
    socket.send_fds(line, [b" "], [0, 1, 2])
    line.sendall(json.dumps(wanted).encode() + b"\\n")
    told = line.makefile().readline()
code = int(told) if told else 70
if code < 0:
    os.kill(os.getpid(), -code)
sys.exit(code)
"""
"""A program that runs a command in a process of the server, as if it were that process."""


def serve(address: str, parent: int) -> None:
    """Answers until `parent`, which has started it, is gone. A command never returns from here: it ends its process."""
    gc.collect()
    gc.freeze()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(address)
        server.listen(16)
        server.settimeout(5)
        print("ready", flush=True)
        while os.getppid() == parent:
            try:
                line, _ = server.accept()
            except TimeoutError:
                continue
            if os.fork() == 0:
                server.close()
                _attend(line)
                return
            line.close()
            _reap()


def _reap() -> None:
    """Takes leave of those that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _attend(line: socket.socket) -> None:
    """Starts one command, waits for it, and tells its exit code, or its signal as a negative number."""
    _, streams, _, _ = socket.recv_fds(line, 1, 3)
    wanted = json.loads(line.makefile().readline())
    child = os.fork()
    if child == 0:
        line.close()
        _become(wanted, streams)
        from forge_mlir.cli.main import run

        try:
            run()  # Ends the process, or says with SystemExit how.
        except Exception:
            # As the interpreter does, without what libraries do at its end: some wait for threads that a fork lacks.
            sys.excepthook(*sys.exc_info())
            sys.stderr.flush()
            os._exit(1)
        return
    _, status = os.waitpid(child, 0)
    try:
        line.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    finally:
        os._exit(0)


def _become(wanted: dict[str, Any], streams: list[int]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(wanted["directory"])
    os.environ.clear()
    os.environ.update(wanted["environment"])
    sys.argv[:] = ["forge-mlir", *wanted["arguments"]]
    sys.path[:0] = [
        path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path not in sys.path
    ]


if __name__ == "__main__":
    started_by = os.getppid()  # It may be gone when all is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name in sys.argv[2:]:
        import_module(name)
    serve(sys.argv[1], started_by)
