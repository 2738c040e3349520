"""What an emitted module has besides when weights stay in the files of the ONNX model (`--weights=reference`)."""

from __future__ import annotations

_STORED = """            else:
                value = weights.get_tensor(weight["tensor"]).expand(weight["shape"]).contiguous()
"""
_REFERRED = """            elif "file" in weight:
                value = read_weight(weight)
"""
_READER = '''

def read_weight(weight):
    """A weight that is left in a file of the ONNX model, if it is still what the manifest describes."""
    with Path(__file__).parent.joinpath(weight["file"]).open("rb") as file:
        file.seek(weight["offset"])
        data = bytearray(file.read(weight["nbytes"]))
    if hashlib.sha256(data).hexdigest() != weight["sha256"]:
        raise RuntimeError(f"{weight['file']} does not hold the weight {weight['name']} that the manifest describes")
    return torch.frombuffer(data, dtype=getattr(torch, weight["dtype"])).reshape(weight["shape"])
'''


def with_references(python: str) -> str:
    """An emitted module that also loads weights which are not in its weights file."""
    before, stored, after = python.partition(_STORED)
    if not stored:
        raise AssertionError("an emitted module without a loader")
    return f"{before}{_REFERRED}{stored}{after}{_READER}"
