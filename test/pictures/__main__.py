"""`python -m pictures FOLDER`: writes reports of stored models as pages, and pictures of their parts, light and dark.

Fails if a page prints something on the console, or if the page of 4,000 nodes takes more than half a second to load
(the best of five times).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from browser import Browser, browser
from forge_mlir.cli.commands.report import with_accuracy
from forge_mlir.report.model_report import model_report
from forge_mlir.report.rendering import to_html
from sample_models.chain import chain
from sample_models.partition import products
from sample_models.repository import MODELS

MOST_SECONDS = 0.5
_ALL = ("overview", "graph", "cost", "accuracy", "passes", "calls", "weights", "problems")
_PAUSE = 0.4
"""Seconds to wait until a page is drawn."""


def page_of(folder: Path, name: str, model: Any, **options: Any) -> Path:
    """The report of a model; for a model file, with the results of its comparison."""
    report = model_report(model, **options)
    if isinstance(model, Path):
        report = replace(with_accuracy(report, model, options), model=f"{name}.onnx")  # type: ignore[arg-type]
    file = folder / f"{name}.html"
    file.write_text(to_html(report), encoding="utf-8")
    return file


def take(page: Browser, file: Path, parts: Iterable[str], script: str = "", mode: str = "light") -> None:
    page.open(file)
    page.run(f"theme({str(mode == 'dark').lower()})")
    for part in parts:
        page.click(f"#tab-{part}")
        if part == "graph" and script:
            page.run(script)
        time.sleep(_PAUSE)
        page.picture(file.with_name(f"{file.stem}-{part}-{mode}.png"))


def loading_seconds(page: Browser, file: Path) -> float:
    """Seconds until the page has run its scripts, the best of five times."""
    found = []
    for _ in range(5):
        page.open(file)
        found.append(page.run("return performance.timing.loadEventEnd - performance.timing.navigationStart") / 1000)
    return float(min(found))


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    files = {name: page_of(folder, name, MODELS / name / "model.onnx") for name in ("gpt2_block", "swin", "yolov8")}
    files["refused"] = page_of(folder, "refused", products())
    files["partitioned"] = page_of(folder, "partitioned", products(), fallback="cpu")
    files["long"] = page_of(folder, "long", chain(100, 40))
    with browser() as page:
        select = "picture.show(indexOf.get('/attn/Split'))"
        for mode in ("light", "dark"):
            take(page, files["gpt2_block"], _ALL, select, mode)
        for name in ("swin", "yolov8"):
            take(page, files[name], ("overview", "graph", "cost"))
        take(page, files["refused"], ("overview", "graph", "problems"), "picture.show(1)")
        take(page, files["partitioned"], ("graph", "problems"))
        take(page, files["long"], ("graph",))
        said = page.log()
        seconds = loading_seconds(page, files["long"])
    for line in said:
        print(line)
    print(f"4,000 nodes load in {seconds:.2f} s; pictures are in {folder}")
    return int(bool(said) or seconds > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
