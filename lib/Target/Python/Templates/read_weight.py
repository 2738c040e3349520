def read_weight(weight):
    """Read a weight from a file of the ONNX model, if it still matches the manifest."""
    with Path(__file__).parent.joinpath(weight["file"]).open("rb") as file:
        file.seek(weight["offset"])
        data = bytearray(file.read(weight["nbytes"]))
    if hashlib.sha256(data).hexdigest() != weight["sha256"]:
        raise RuntimeError(f"{weight['file']} does not hold the weight {weight['name']} that the manifest describes")
    return torch.frombuffer(data, dtype=getattr(torch, weight["dtype"])).reshape(weight["shape"])
