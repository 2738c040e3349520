"""Checks the symbols that the plugin shares with MLIR's libraries: `shared_symbols.py LLVM_NM PLUGIN`."""

import re
import subprocess
import sys


def symbols(nm: str, library: str) -> dict[str, str]:
    """The kind of each symbol that a library defines or needs, by name without version."""
    listing = subprocess.run([nm, "-D", library], capture_output=True, text=True, check=True).stdout
    return {name.split("@")[0]: kind for kind, name in re.findall(r"(\w) (\S+)$", listing, re.MULTILINE)}


def main(nm: str, plugin: str) -> None:
    linked = subprocess.run(["ldd", plugin], capture_output=True, text=True, check=True).stdout
    theirs = dict(re.findall(r"(libLLVM|libMLIR)\.so\S* => (\S+)", linked))
    own = symbols(nm, plugin)
    print(*sorted(name for name, kind in own.items() if name.startswith("mlirGet") and kind in "TW"))
    print("needs", *sorted(theirs))
    # Templates and inline functions are weak symbols, of which the loader uses a single copy.
    strong = {name for name, kind in own.items() if kind in "TDB"}
    shared = {name for library in theirs.values() for name, kind in symbols(nm, library).items() if kind in "TDB"}
    assert len(shared) > 10_000
    print("defines", len((strong & shared) - {"_init", "_fini"}), "functions of libLLVM or libMLIR")


if __name__ == "__main__":
    main(*sys.argv[1:])
