"""`forge-mlir` for tests, in processes that are forked from one that has already loaded the modules of the commands.

    python -m command_server SOCKET MODULE ...

A short command takes most of its time to start Python and to import packages. The server imports the modules once and
forks a process for each command, with its own directory, environment and streams, which ends as the installed command
does. Tests of how a process starts, or of what it imports, start a process themselves.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, BinaryIO, NamedTuple, NoReturn

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
"""A program that runs a command in a forked process of the server, in place of starting a new Python."""


def ask(address: str, arguments: Sequence[str], directory: str, environment: Mapping[str, str], seconds: float) -> Told:
    """Does what the program does, without starting a process for it. Returns the exit code (negative for a signal) and
    the output. Raises TimeoutError."""
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line,
        os.fdopen(os.memfd_create("stdout"), "rb") as out,
        os.fdopen(os.memfd_create("stderr"), "rb") as err,
    ):
        line.settimeout(seconds)
        line.connect(address)
        wanted = {"arguments": arguments, "directory": directory, "environment": dict(environment)}
        socket.send_fds(line, [b" "], [0, out.fileno(), err.fileno()])
        line.sendall(json.dumps(wanted).encode() + b"\n")
        told = line.makefile().readline()
        return Told(int(told), *(_text(file) for file in (out, err)))


def _text(file: BinaryIO) -> str:
    """The whole text, with line ends translated as in a pipe that is read as text."""
    file.seek(0)
    return io.TextIOWrapper(file, encoding="utf-8").read()


class Told(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


def serve(address: str, parent: int) -> None:
    """Serves requests until `parent`, which started the server, has ended. A command never returns from here: it ends
    its process."""
    gc.collect()
    gc.freeze()
    attended: dict[int, socket.socket] = {}
    ended, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(address)
        server.listen(16)
        print("ready", flush=True)
        while os.getppid() == parent:
            ready = select.select([server, ended], [], [], 5)[0]
            if ended in ready:
                os.read(ended, 1 << 10)
                _tell(attended)
            if server not in ready:
                continue
            line, _ = server.accept()
            _, streams, _, _ = socket.recv_fds(line, 1, 3)
            wanted = json.loads(line.makefile().readline())
            child = os.fork()
            if child == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for other in (server, line, *attended.values()):
                    other.close()
                os.close(ended)
                os.close(wakes)
                _run(wanted, streams)
            for stream in streams:
                os.close(stream)
            attended[child] = line


def _tell(attended: dict[int, socket.socket]) -> None:
    """Sends the exit code of each ended process, or its signal as a negative number, to the client that waits for
    it."""
    while attended:
        child, status = os.waitpid(-1, os.WNOHANG)
        if not child:
            return
        with attended.pop(child) as line, contextlib.suppress(OSError):  # The client may have disconnected.
            line.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _run(wanted: dict[str, Any], streams: list[int]) -> NoReturn:
    _become(wanted, streams)
    from forge_mlir.cli.main import run

    try:
        run()  # It ends the process, or raises SystemExit with the exit code.
    except Exception:
        # As the interpreter does, without the exit handlers of libraries: some wait for threads that a fork does not
        # have.
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
        os._exit(1)
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
    started_by = os.getppid()  # The parent may have ended by the time that everything is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name in sys.argv[2:]:
        import_module(name)
    serve(sys.argv[1], started_by)
