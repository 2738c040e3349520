"""Writes docs/onnx-support.md from the compiler's registry, onnx's schemas and the expected conformance results.

PYTHONPATH=test python tools/onnx_support.py [--check]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from onnx import IR_VERSION, defs

from conformance import expected
from conformance.check import BOUND, PASS, REFUSED
from conformance.expected import Row
from forge_mlir import _native

PATH = Path(__file__).parents[1] / "docs" / "onnx-support.md"
_Key = tuple[str, str]

_NEWEST = defs.onnx_opset_version()

_HEAD = f"""\
# ONNX support

This page lists the ops of ONNX, and says which of them are compiled for the device. forge-mlir reads models with the
opsets 1 to {_NEWEST} of the default domain, and with the IR versions 1 to {IR_VERSION}.

`tools/onnx_support.py` writes this page. Do not edit it.

## Conformance

The conformance suite compiles the test cases of `onnx.backend.test`, without nodes on the CPU. It runs each program on
the [CPU reference](glossary.md), and compares the outputs with those that ONNX expects. A case has one of these
results:

- *pass*: the outputs agree.
- *bound*: the case is refused, but passes if some inputs are constants (`--bind`).
- *refused*: the case is refused.
- *other*: an output is wrong, or the case crashes or exceeds the time limit.

The table has the numbers of cases with each result. Its rows are the parts of `onnx.backend.test`.
"""

_COLUMNS = """
## Columns of the tables of ops

The following sections have a table of ops for each domain. In these tables, a case *passes* if its result is *pass* or
*bound*. The columns are:

- *opsets*: the opsets that introduced or changed the op. Those in parentheses have no [converter](glossary.md).
- *dtypes*: the element types of the first input in the cases that pass. For an op without inputs, they are those of the
  output. The op may also accept other types.
- *device*: whether the op is compiled for the device. *yes* means that all cases pass, *partly* that some cases do not
  pass, and *no* that there is no converter. If there are no cases, *yes* only means that there is a converter.
- *cases*: how many of the cases of the op in the suite *node* pass. For example, 7/8 means 7 of 8 cases. In some of
  these cases, whose names contain `_expanded`, the op is replaced by its function body. The number of *bound* cases is
  in parentheses.
- *main reason of refusals*: the most frequent reason. If the reason begins with the name of another op, this other op
  is refused. The other op is in the function body of the op, or in a subgraph, such as a branch of an If.

Ops on sequences, and the op Optional, have no converter. However, forge-mlir can replace some of them at import:

- A sequence is replaced by its elements. This requires that its length, and all positions at which it is read or
  changed, are known at compile time.
- An optional is replaced by its content. This requires that it is known at compile time whether the optional is empty.

A sequence or optional that is an input or output of a graph is refused.\
"""

_NO_SCHEMA = "\nonnxruntime, not ONNX, defines these ops of the domain, each with its opset: {names}."

_LISTED = "These ops have converters. The conformance suite has no cases of them."

_BODY = """
*body* means that the op has no converter, and is replaced by its function body, as ONNX defines it.\
"""


def converted() -> dict[_Key, list[int]]:
    """The versions of each op that have a converter."""
    versions: dict[_Key, list[int]] = defaultdict(list)
    for domain, op, since in _native.registered_ops():
        versions[domain, op].append(since)
    return versions


def defined() -> dict[_Key, list[int]]:
    """The versions of each op in onnx, without those that only deprecate it."""
    versions: dict[_Key, list[int]] = defaultdict(list)
    for schema in defs.get_all_schemas_with_history():
        if not schema.deprecated:
            versions[schema.domain, schema.name].append(schema.since_version)
    return {key: sorted(found) for key, found in versions.items()}


def render(rows: Iterable[Row]) -> str:
    rows = list(rows)
    of_op: dict[_Key, list[Row]] = defaultdict(list)
    for row in rows:
        domain, _, op = row.op.rpartition(".")
        of_op[domain, op].append(row)
    ours, theirs = converted(), defined()
    lines: list[str] = []
    schemas = {(each.domain, each.name, each.since_version) for each in defs.get_all_schemas_with_history()}
    domains = sorted({domain for domain, _ in (*ours, *theirs)})
    for domain in domains:
        lines += ["", f"## {domain or 'Default domain (ai.onnx)'}", ""]
        if not any(of == domain for of, _ in theirs):
            lines += [_LISTED, "", ", ".join(sorted(op for of, op in ours if of == domain))]
            continue
        lines += ["| op | opsets | dtypes | device | cases | main reason of refusals |", "|---|---|---|---|---|---|"]
        ops = sorted({op for of, op in (*ours, *theirs) if of == domain})
        lines += [_line(op, ours.get((domain, op), []), theirs.get((domain, op), []), of_op[domain, op]) for op in ops]
        pairs = ((op, since) for op in ops for since in ours.get((domain, op), []))
        if added := [f"{op} {since}" for op, since in pairs if (domain, op, since) not in schemas]:
            lines.append(_NO_SCHEMA.format(names=", ".join(added)))
    body = [_BODY] if any(", body |" in line for line in lines) else []
    return "\n".join([_HEAD, *_totals(rows), _COLUMNS, *body, *lines]) + "\n"


def _totals(rows: Sequence[Row]) -> list[str]:
    lines = ["| suite | cases | pass | bound | refused | other |", "|---|---|---|---|---|---|"]
    for kind in (*dict.fromkeys(row.kind for row in rows), "all"):
        count = Counter(row.status for row in rows if kind in (row.kind, "all"))
        total = count.total()
        rest = total - count[PASS] - count[BOUND] - count[REFUSED]
        lines.append(f"| {kind} | {total} | {count[PASS]} | {count[BOUND]} | {count[REFUSED]} | {rest} |")
    return lines


def _line(op: str, ours: Sequence[int], theirs: Sequence[int], rows: Sequence[Row]) -> str:
    versions = sorted({*ours, *theirs})
    opsets = ", ".join(str(version) if version in ours else f"({version})" for version in versions)
    count = Counter(row.status for row in rows)
    passed = count[PASS] + count[BOUND]
    bound = f" ({count[BOUND]} bound)" if count[BOUND] else ""
    cases = f"{passed}/{count.total()}{bound}" if rows else ""
    reasons = Counter(row.reason.removeprefix(f"{op}: ") for row in rows if row.status not in (PASS, BOUND))
    # The most frequent one; among equally frequent ones the first in alphabetical order.
    reason = min(reasons, key=lambda text: (-reasons[text], text), default="")
    dtypes = ", ".join(sorted({row.dtype for row in rows if row.status in (PASS, BOUND) and row.dtype}, key=_by_kind))
    return f"| {op} | {opsets} | {dtypes} | {_device(bool(ours), passed, count.total())} | {cases} | {_cell(reason)} |"


def _by_kind(dtype: str) -> tuple[str, int]:
    """A sort key for dtypes, by which int8 precedes int16."""
    letters = dtype.rstrip("0123456789")
    return letters, int(dtype[len(letters) :] or 0)


def _device(has_converter: bool, passed: int, total: int) -> str:
    if not has_converter:
        return "no" if not passed else "yes, body" if passed == total else "partly, body"
    return "yes" if passed == total else "partly"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the file is up to date")
    options = parser.parse_args()
    text = render(expected.read().values())
    if options.check:
        return 0 if PATH.read_text(encoding="utf-8") == text else 1
    PATH.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
