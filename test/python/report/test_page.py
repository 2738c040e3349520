"""The page of a report in a headless browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import DOWN, DRIVER, ENTER, RIGHT, Browser, browser
from forge_mlir.report.model_report import model_report
from forge_mlir.report.rendering import to_html
from sample_models.chain import HOSTILE, chain
from sample_models.partition import products

pytestmark = pytest.mark.skipif(DRIVER is None, reason="no chromedriver (Debian: chromium chromium-driver)")

TABS = ("Overview", "Graph", "Cost", "Accuracy", "Passes", "Calls", "Weights", "Problems")


@pytest.fixture(scope="module")
def page() -> Iterator[Browser]:
    with browser() as found:
        yield found


def show(page: Browser, folder: Path, model: Any, tab: str = "Graph", **options: Any) -> None:
    file = folder / "report.html"
    file.write_text(to_html(model_report(model, **options)), encoding="utf-8")
    page.open(file)
    page.click(f"#tab-{tab.lower()}")


def test_every_tab_opens(page: Browser, tmp_path: Path, gpt2_block: Path) -> None:
    show(page, tmp_path, gpt2_block / "model.onnx")
    for name in TABS:
        page.click(f"#tab-{name.lower()}")
        assert page.run("return [...document.querySelectorAll('section:not([hidden])')].map((s) => s.id)") == [
            name.lower()
        ]
        assert page.run(f"return document.getElementById('{name.lower()}').textContent.trim().length")
    assert page.run("return document.querySelectorAll('#cost canvas, #passes canvas, #calls canvas').length") == 4
    assert "/mlp/c_fc/Reshape_1" in page.text("#heaviest")
    assert page.log() == []


def test_a_chart_of_many_values(page: Browser, tmp_path: Path, gpt2_block: Path) -> None:
    """A call takes no more than about 125,000 arguments."""
    show(page, tmp_path, gpt2_block / "model.onnx", "Cost")
    choice = "{ name: 'v', unit: '', values: Array.from({ length: 300000 }, (_, at) => at % 7), log: true }"
    assert page.run(f"return chart(document.body, 'many', [{choice}]).isConnected")
    assert page.log() == []


def test_long_models_are_folded(page: Browser, tmp_path: Path) -> None:
    show(page, tmp_path, chain(100, 40))
    assert page.run("return data.nodes.length") == 4000
    assert page.run("return picture.found.boxes.length") <= 50
    assert page.run("return tree.root.children.some((box) => box.kind === 'repeat' && view.count(box) === 98)")
    before = page.run("return picture.found.boxes.length")
    page.run("picture.toggle(tree.root.children.find((box) => box.kind === 'repeat'))")
    assert page.run("return picture.found.boxes.length") > before
    page.click("#fold")
    assert page.run("return picture.found.boxes.length") <= before
    # A node deep in closed boxes.
    page.write("#search", "/layer_7/block/op_3")
    page.click("#matches button")
    assert page.text("#details h2") == "/layer_7/block/op_3"
    assert page.run("return picture.found.boxes.length") < 300, "only what is to be seen is laid out"


def test_from_a_node_to_its_calls_and_back(page: Browser, tmp_path: Path, gpt2_block: Path) -> None:
    show(page, tmp_path, gpt2_block / "model.onnx")
    page.run("picture.show(indexOf.get('/attn/Transpose'))")
    pane = page.text("#details")
    for told in (
        "2 calls",
        "forge-join-projections",
        "forge-join-slices",
        "forge.transpose",
        "forge.op.Transpose(",
        "f32 1\N{MULTIPLICATION SIGN}16\N{MULTIPLICATION SIGN}4\N{MULTIPLICATION SIGN}16",
        "kernels",
        "= Transpose",
    ):
        assert told in pane, told
    page.run("[...document.querySelectorAll('#details button')].find((b) => b.textContent.startsWith('line ')).click()")
    assert page.text("tr.marked td:nth-child(5)") == "/attn/Transpose"
    page.run("document.getElementById('details').replaceChildren()")
    page.click("tr.marked button.link")
    assert page.text("#details h2") == "/attn/Transpose"
    # A node that is fused into the calls of another one links to that.
    page.run("picture.show(indexOf.get('/mlp/c_fc/Gemm'))")
    assert "it is computed by those of /mlp/c_fc/Reshape_1" in page.text("#details")
    assert "forge.op.Matmul(" in page.text("#details")
    assert page.log() == []


def test_edges_go_around_nodes(page: Browser, tmp_path: Path, gpt2_block: Path) -> None:
    show(page, tmp_path, gpt2_block / "model.onnx")
    crossed = page.run("""
        const hits = [];
        for (const link of picture.found.links) {
          const path = link.element.querySelector('.edge');
          for (let at = 0; at <= path.getTotalLength(); at += 4) {
            const { x, y } = path.getPointAtLength(at);
            for (const put of picture.found.boxes)
              if (x > put.x + 2 && x < put.x + put.width - 2 && y > put.y + 2 && y < put.y + put.height - 2)
                hits.push([[...link.values][0], tree.items[put.box.item].name]);
          }
        }
        return [picture.found.links.length, hits];""")
    assert crossed[0] > 40
    assert crossed[1] == []


def test_refused_and_cpu_nodes(page: Browser, tmp_path: Path) -> None:
    show(page, tmp_path, products())
    assert page.run("return document.querySelectorAll('.refused-shape').length") == 1
    page.run("picture.show(data.nodes.findIndex((node) => node.side === 'refused'))")
    assert "FM1501: a matrix of more than 3 rows" in page.text("#details")
    page.click("#tab-overview")
    assert "Does it compile?no" in page.text(".answers").replace("\n", "")
    assert "--fallback=cpu" in page.text(".next")
    show(page, tmp_path, products(), fallback="cpu")
    assert page.run("return document.querySelectorAll('.frame.cpu').length") == 1
    assert page.run("return document.querySelectorAll('.frame.device').length") == 2
    assert page.log() == []


def test_hostile_names(page: Browser, tmp_path: Path) -> None:
    show(page, tmp_path, chain(3, 3))
    page.write("#search", "window.taken")
    page.click("#matches button")
    assert page.text("#details h2") == f"/layer_1/{HOSTILE}"
    for name in TABS:
        page.click(f"#tab-{name.lower()}")
    assert page.run("return window.taken") is None
    assert page.run("return document.querySelectorAll('img').length") == 0
    assert page.log() == []


def test_keys(page: Browser, tmp_path: Path, gpt2_block: Path) -> None:
    show(page, tmp_path, gpt2_block / "model.onnx", "Overview")
    page.press("#tab-overview", RIGHT)
    assert page.run("return document.activeElement.id") == "tab-graph"
    page.press("#picture", DOWN)
    first = page.text("#details h2")
    page.press("#picture", DOWN)
    assert page.text("#details h2") != first
    page.press("body", "/")
    assert page.run("return document.activeElement.id") == "search"
    page.press("#search", f"Softmax{ENTER}")
    assert page.text("#details h2") == "/attn/Softmax"
    page.press("body", "t")
    first_theme = page.run("return document.documentElement.dataset.theme")
    page.press("body", "t")
    assert {first_theme, page.run("return document.documentElement.dataset.theme")} == {"light", "dark"}


def test_tables_sort(page: Browser, tmp_path: Path, gpt2_block: Path) -> None:
    show(page, tmp_path, gpt2_block / "model.onnx", "Weights")
    cells = "return [...document.querySelectorAll('#weights tbody tr')].map((row) => row.children[{}].textContent)"
    page.run("document.querySelectorAll('#weights th button')[3].click()")
    sizes = [int(text.replace(",", "")) for text in page.run(cells.format(3))]
    assert sizes == sorted(sizes, reverse=True)
    page.run("document.querySelectorAll('#weights th button')[0].click()")
    names = page.run(cells.format(0))
    assert names == sorted(names)


def test_print_has_all_parts(page: Browser, tmp_path: Path, gpt2_block: Path) -> None:
    show(page, tmp_path, gpt2_block / "model.onnx", "Overview")
    page.run("window.dispatchEvent(new Event('beforeprint'))")
    page.tool("Emulation.setEmulatedMedia", media="print")
    inside = page.run("""
        const area = document.getElementById('picture').getBoundingClientRect();
        return [...document.querySelectorAll('#picture .box')].every((box) => {
          const { top, bottom } = box.getBoundingClientRect();
          return top >= area.top - 1 && bottom <= area.bottom + 1;
        });""")
    heights = page.run("return [...document.querySelectorAll('section')].map((part) => part.offsetHeight)")
    page.tool("Emulation.setEmulatedMedia", media="")
    assert len(heights) == len(TABS)
    assert min(heights) > 20
    assert inside, "all of the graph is on the paper"
