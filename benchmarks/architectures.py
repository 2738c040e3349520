"""Exports architectures of transformers, timm and torchvision with random weights, to count their programs.

    python benchmarks/architectures.py FOLDER [--only PATTERN] [--trained-like] [--seconds N]
    python benchmarks/program_bench.py FOLDER

Each becomes a small FOLDER/<library>_<name>_<exporter>.onnx, by both exporters of torch: "ts" traces to TorchScript,
"dyn" is the newer one. Existing files are kept, so that a stopped run can be continued; a line is printed for each
failed export. architectures.toml lists the architectures and the options that make them small.

Needs packages that are not dependencies of this project, in a separate environment:

    pip install torch==2.13.0 onnx onnxscript onnxruntime pillow transformers==4.52.4
    pip install --no-deps timm==1.0.31 torchvision==0.28.0

Since 4.53, transformers computes attention masks with vmap, which the tracing exporter does not support.
"""

from __future__ import annotations

import argparse
import inspect
import multiprocessing
import os
import re
import tomllib
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

TABLES = Path(__file__).with_suffix(".toml")
# The sizes of images, of which the smallest accepted one is used, and the number of frames of a video.
SIDES = (64, 96, 128, 192, 224, 256)
FRAMES = 16
EXPORTERS = ("ts", "dyn")


@dataclass(frozen=True)
class Architecture:
    """A model of a library: a function that creates it, and its inputs by name."""

    name: str
    make: Callable[[], tuple[nn.Module, dict[str, Tensor]]]


class FirstOutput(nn.Module):
    """Wraps a model so that it maps tensors to the first tensor in its result. Inputs without names are positional."""

    def __init__(self, model: nn.Module, names: list[str], options: Mapping[str, Any]) -> None:
        super().__init__()
        self.model = model
        self.names = names
        self.options = dict(options)

    def forward(self, *inputs: Tensor) -> Tensor:
        named = dict(zip(self.names, inputs, strict=True)) if self.names else {}
        result = first(self.model(*(() if named else inputs), **named, **self.options))
        assert result is not None, "no tensor comes out"
        return result


def first(value: Any) -> Tensor | None:
    """The first tensor of nested results."""
    if isinstance(value, Tensor):
        return value
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return next((tensor for part in parts if (tensor := first(part)) is not None), None)


# transformers


def at_most(value: Any, most: int) -> Any:
    """Limits a size, or each of several sizes. Other values, such as None, are unchanged."""
    if isinstance(value, (list, tuple)):
        return type(value)(at_most(part, most) for part in value)
    return min(value, most) if isinstance(value, int) and not isinstance(value, bool) else value


def small_config(kind: type[Any], tables: Mapping[str, Any]) -> Any:
    """A configuration with small sizes, including nested configurations."""
    from transformers import PretrainedConfig  # type: ignore[import-not-found]

    given: dict[str, Any] = dict(tables["common"])
    for name, parameter in inspect.signature(kind).parameters.items():
        several = isinstance(parameter.default, (list, tuple))
        if most := tables["most_of_each" if several else "most"].get(name):
            given[name] = at_most(parameter.default, most)
    for name, part in vars(kind()).items():
        if isinstance(part, PretrainedConfig):
            given[name] = small_config(type(part), tables).to_dict()
    return kind(**given | tables["config"].get(kind.model_type, {}))


def number(word: str, config: Any, defaults: Mapping[str, int]) -> int:
    """A dim: an integer, or the value of a name in a configuration or a nested one."""
    if word.isdigit():
        return int(word)
    parts = [config, *(part for part in vars(config).values() if hasattr(part, "to_dict"))]
    value = next((found for part in parts if (found := getattr(part, word, None)) is not None), None)
    value = defaults[word] if value is None else value
    return value if isinstance(value, int) else max(value)


def sample(spec: str, config: Any, defaults: Mapping[str, int]) -> Tensor:
    """Random values for an input. `spec` has a kind and dims, such as "ids 1 16"."""
    kind, *words = spec.split()
    shape = [number(word, config, defaults) for word in words]
    if kind == "ids":
        return torch.randint(3, 100, shape)
    if kind == "boxes":
        return torch.randint(0, 500, shape).sort(dim=-1).values
    if kind == "ones":
        return torch.ones(shape, dtype=torch.int64)
    return torch.randn(shape)


def of_transformers(kind: str, tables: Mapping[str, Any]) -> tuple[nn.Module, dict[str, Tensor]]:
    from transformers import AutoModel
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # type: ignore[import-not-found]

    config = small_config(CONFIG_MAPPING[kind], tables)
    model = AutoModel.from_config(config, attn_implementation="eager")
    arguments = inspect.signature(model.forward).parameters
    specs = tables["inputs_of"].get(kind)
    if specs is None:
        names = [model.main_input_name]
        if config.is_encoder_decoder and "decoder_input_ids" in arguments:
            names.append("decoder_input_ids")
        if hasattr(config, "text_config") and hasattr(config, "vision_config"):
            names = ["input_ids", "pixel_values"]
        if "bbox" in arguments:
            names.append("bbox")
        specs = {name: tables["inputs"][name] for name in names}
    inputs = {name: sample(spec, config, tables["defaults"]) for name, spec in specs.items()}
    options = {"use_cache": False, "return_dict": False}
    return FirstOutput(model, list(inputs), {k: v for k, v in options.items() if k in arguments}), inputs


# timm and torchvision


def of_images(
    build: Callable[..., nn.Module], size: str, least: int = 0, frames: tuple[int, ...] = ()
) -> tuple[nn.Module, dict[str, Tensor]]:
    """A network for images or videos, with the smallest side that it accepts. `size` is the name of the size
    argument."""
    failed: Exception | None = None
    for side in (side for side in SIDES if side >= least):
        image = torch.randn(1, 3, *frames, side, side)
        for given in ({size: side}, {}):
            try:
                model = FirstOutput(build(**given).eval(), [], {})
                with torch.no_grad():
                    model(image)
            except Exception as error:
                failed = error
                continue
            return model, {"x": image}
    raise ValueError("works with no size of images") from failed


def stand_in_for_torchvision_ops() -> torch.library.Library:
    """Declares the ops of torchvision's extension, which `import torchvision` requires and which is not available for
    CPU builds of torch."""
    library = torch.library.Library("torchvision", "DEF")  # type: ignore[no-untyped-call]
    for name in ("nms", "qnms"):
        schema = f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
        library.define(schema)  # type: ignore[no-untyped-call]
    return library


def architectures(tables: Mapping[str, Any]) -> Iterator[Architecture]:
    import timm  # type: ignore[import-not-found]
    from torchvision import models as vision  # type: ignore[import-not-found]
    from transformers.models.auto.modeling_auto import MODEL_MAPPING_NAMES  # type: ignore[import-not-found]

    for kind in sorted(set(MODEL_MAPPING_NAMES) - set(tables["transformers"]["leave"])):
        yield Architecture(f"transformers_{kind}", partial(of_transformers, kind, tables["transformers"]))
    for name in tables["timm"]["names"]:
        build = partial(timm.create_model, name, num_classes=10)
        yield Architecture(f"timm_{name}", partial(of_images, build, "img_size"))
    table = tables["torchvision"]
    for name in (*table["names"], *table["segmentation"], *table["videos"]):
        parts = {"weights_backbone": None} if name in table["segmentation"] else {}
        build = partial(vision.get_model, name, weights=None, num_classes=10, **parts)
        frames = (FRAMES,) if name in table["videos"] else ()
        make = partial(of_images, build, "image_size", table["least_side"].get(name, 0), frames)
        yield Architecture(f"torchvision_{name}", make)


def train(module: nn.Module) -> None:
    """Randomises parameters that are initialised to a constant (scales and biases of norms, biases, statistics),
    because trained ones are not constant."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.is_floating_point() and parameter.numel() and bool(parameter.min() == parameter.max()):
                parameter.add_(0.1 * torch.randn_like(parameter))
        for part in module.modules():
            mean, variance = getattr(part, "running_mean", None), getattr(part, "running_var", None)
            if isinstance(mean, Tensor) and isinstance(variance, Tensor):
                mean.normal_(std=0.1)
                variance.uniform_(0.5, 1.5)


def export(architecture: Architecture, exporter: str, trained: bool, file: Path) -> None:
    """Exports one model to a file."""
    torch.manual_seed(0)
    module, inputs = architecture.make()
    module.eval()
    if trained:
        train(module)
    with torch.no_grad():
        module(*inputs.values())
    unfinished = file.with_suffix(".partial")
    how: dict[str, Any] = {"dynamo": True, "external_data": False, "verbose": False}
    if exporter == "ts":
        how = {"dynamo": False, "opset_version": 17}
    with torch.no_grad():
        torch.onnx.export(module, tuple(inputs.values()), str(unfinished), input_names=list(inputs), **how)
    unfinished.rename(file)


def reason(error: BaseException) -> str:
    """The first line of the message of the innermost cause."""
    while error.__cause__ is not None:
        error = error.__cause__
    text = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {text[0]}"[:160]


def in_child(work: Callable[[], None], seconds: int) -> str | None:
    """Runs `work` in a child process, because exporters may crash or hang. Returns the reason of a failure."""

    def run(sender: Connection) -> None:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        warnings.simplefilter("ignore")
        try:
            work()
            sender.send(None)
        except BaseException as error:
            sender.send(reason(error))

    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=run, args=(sender,))
    child.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(seconds) else f"more than {seconds} s"
    except EOFError:
        return "the process died"
    finally:
        child.kill()
        child.join()


def warm_up() -> None:
    """Imports everything that child processes need."""
    from transformers import PreTrainedModel  # noqa: F401

    torch.onnx.export(nn.Identity().eval(), (torch.ones(1),), dynamo=True, verbose=False)


def main() -> None:
    """Exports what does not exist yet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="a regular expression for the names of files")
    parser.add_argument("--trained-like", action="store_true", help="no parameter is one number everywhere")
    parser.add_argument("--seconds", type=int, default=120, help="for each file")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    # Child processes are forked, so that there must be no threads.
    torch.set_num_threads(1)
    # The tracing exporter does not support the fused attention.
    torch.backends.mha.set_fastpath_enabled(False)
    library = stand_in_for_torchvision_ops()
    warm_up()
    for architecture in architectures(tomllib.loads(TABLES.read_text())):
        for exporter in EXPORTERS:
            file = options.folder / f"{architecture.name}_{exporter}.onnx"
            if not re.search(options.only, file.stem) or file.exists():
                continue
            work = partial(export, architecture, exporter, options.trained_like, file)
            failed = in_child(work, options.seconds)
            print(f"{file.stem}: {failed or 'ok'}", flush=True)
    del library


if __name__ == "__main__":
    main()
