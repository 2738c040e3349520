"""A headless Chromium, by the WebDriver protocol: no package of Python's is needed for it."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DRIVER = shutil.which("chromedriver")

ENTER, RIGHT, DOWN, ESCAPE = "\ue007", "\ue014", "\ue015", "\ue00c"

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """A WebDriver session. `log` returns what the console of the page printed since the last call."""

    def __init__(self, address: str) -> None:
        self._address = address

    def ask(self, path: str, body: Any = None, method: str = "") -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data, method=method or ("POST" if data else "GET"))
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def open(self, file: Path) -> None:
        self.ask("/url", {"url": file.resolve().as_uri()})

    def run(self, script: str) -> Any:
        """The value that a script returns."""
        return self.ask("/execute/sync", {"script": script, "args": []})

    def find(self, css: str) -> str:
        return str(self.ask("/element", {"using": "css selector", "value": css})[_ELEMENT])

    def click(self, css: str) -> None:
        self.ask(f"/element/{self.find(css)}/click", {})

    def write(self, css: str, text: str) -> None:
        self.ask(f"/element/{self.find(css)}/value", {"text": text})

    def text(self, css: str) -> str:
        return str(self.run(f"return document.querySelector({css!r}).textContent"))

    def press(self, css: str, keys: str) -> None:
        """Types keys into an element: characters, or the code points of W3C's key table, such as ENTER."""
        self.ask(f"/element/{self.find(css)}/value", {"text": keys})

    def picture(self, file: Path) -> None:
        """Writes a screenshot as a .png file."""
        file.write_bytes(base64.b64decode(self.ask("/screenshot")))

    def tool(self, command: str, **parameters: Any) -> Any:
        """Runs a command of the Chrome DevTools protocol."""
        return self.ask("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def log(self) -> list[str]:
        return [entry["message"] for entry in self.ask("/se/log", {"type": "browser"})]


@contextmanager
def browser() -> Iterator[Browser]:
    """Starts a browser and ends it with the block."""
    assert DRIVER is not None
    driver = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert driver.stdout is not None
        port = next(
            line.rstrip(".\n").rpartition(" ")[2] for line in driver.stdout if "started successfully on port" in line
        )
        root = f"http://127.0.0.1:{port}"
        wanted = {
            "goog:chromeOptions": {
                "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,900"]
            },
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        session = None
        for _ in range(50):
            try:
                session = Browser(root).ask("/session", {"capabilities": {"alwaysMatch": wanted}})
                break
            except urllib.error.URLError:
                time.sleep(0.2)
        assert session is not None, "no session"
        page = Browser(f"{root}/session/{session['sessionId']}")
        try:
            yield page
        finally:
            page.ask("", method="DELETE")
    finally:
        driver.terminate()
        driver.wait()
