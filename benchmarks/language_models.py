"""Exports language models of transformers with random weights, with each exporter that supports them.

    python benchmarks/language_models.py FOLDER [--only PATTERN] [--published]
    python benchmarks/language_model_tokens.py FOLDER

Each becomes FOLDER/<model>_<exporter>.onnx, or a folder of that name: "optimum" and "genai" are the packages
optimum-onnx and onnxruntime-genai (genai4: with 4-bit weights), "dyn" is torch.onnx.export by torch.export, and "step"
exports a single token step. `--published` exports two layers of models of published sizes instead, by optimum; 6 GB.
Existing files are kept; a line is printed for each failed export.

Needs packages that are not dependencies of this project, in a separate environment: see `make generation`.
"""

from __future__ import annotations

import argparse
import json
import re
import runpy
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
import transformers
from language_model_configs import (
    FRAMES,
    HEADS,
    KEY_HEADS,
    LAYERS,
    MODELS,
    POSITIONS,
    PUBLISHED,
    SIZE,
    WIDTH,
    WORDS,
    Model,
)
from torch import Tensor, nn
from transformers.cache_utils import DynamicCache, EncoderDecoderCache
from transformers.models.lfm2.modeling_lfm2 import Lfm2HybridConvCache

# torch.onnx.export


class WithPast(nn.Module):
    """A decoder that maps ids, mask, positions and past to logits and the new past."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor, position_ids: Tensor, *past: Tensor) -> Any:
        cache = DynamicCache()
        for layer, pair in enumerate(zip(past[::2], past[1::2], strict=True)):
            cache.update(*pair, layer)
        made = self.model(
            input_ids=input_ids,
            attention_mask=attention_mask,
            position_ids=position_ids,
            past_key_values=cache,
            use_cache=True,
        )
        return made.logits, *_flat(made.past_key_values)


class DecoderWithPast(nn.Module):
    """The decoder of an encoder-decoder model: ids, past and cross-attention caches to logits and the new past."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, *past: Tensor) -> Any:
        half = len(past) // 2
        own, cross = DynamicCache(), DynamicCache()
        for cache, pairs in ((own, past[:half]), (cross, past[half:])):
            for layer, pair in enumerate(zip(pairs[::2], pairs[1::2], strict=True)):
                cache.update(*pair, layer)
        caches = EncoderDecoderCache(own, cross)
        for layer in range(half // 2):
            caches.is_updated[layer] = True
        width = self.model.config.d_model
        states = torch.zeros(input_ids.shape[0], past[half].shape[2], width)
        made = self.model(
            decoder_input_ids=input_ids, encoder_outputs=(states,), past_key_values=caches, use_cache=True
        )
        return made.logits, *_flat(made.past_key_values.self_attention_cache)


class MambaStep(nn.Module):
    """A token step of a Mamba: ids [batch, 1] and its states to logits and the new states."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, *states: Tensor) -> Any:
        cache = _States(states)
        position = torch.tensor([self.model.config.conv_kernel - 1])
        logits = self.model(input_ids, cache_params=cache, cache_position=position, use_cache=True).logits
        return logits, *(each for pair in zip(cache.conv_states, cache.ssm_states, strict=True) for each in pair)


class _States:
    """Replaces the MambaCache of MambaForCausalLM; the convolution state always moves by one token."""

    def __init__(self, states: Sequence[Tensor]) -> None:
        self.conv_states = list(states[::2])
        self.ssm_states = [each.clone() for each in states[1::2]]

    def update_conv_state(self, layer: int, new: Tensor, _: Tensor) -> Tensor:
        self.conv_states[layer] = torch.cat([self.conv_states[layer][:, :, 1:], new], -1)
        return self.conv_states[layer]


class Lfm2Step(nn.Module):
    """A token step of an LFM2: ids [batch, 1], convolution states, and keys and values of its attention."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, conv: Tensor, keys: Tensor, values: Tensor) -> Any:
        config, held = self.model.config, keys.shape[2]
        cache = Lfm2HybridConvCache(config, input_ids.shape[0])
        cache.key_cache, cache.value_cache = [input_ids.new_zeros(0), keys], [input_ids.new_zeros(0), values]
        cache.conv_cache = [conv.clone(), conv.clone()]
        # Its convolutions detect a past by a position in their window; the attention has its own past.
        logits = self.model(
            input_ids,
            attention_mask=input_ids.new_zeros(1, 1, 1, held + 1, dtype=keys.dtype),
            position_ids=torch.full_like(input_ids, held),
            past_key_values=cache,
            use_cache=True,
            cache_position=torch.tensor([config.conv_L_cache - 1]),
        ).logits
        return logits, cache.conv_cache[0], cache.key_cache[1], cache.value_cache[1]


def by_step(_: Model, made: nn.Module, out: Path) -> None:
    """torch.onnx.export of a token step of a Mamba or an LFM2."""
    config, batch, past = made.config, 2, 5
    rows = {0: torch.export.Dim("batch")}
    shapes: list[dict[int, Any]]
    step: nn.Module
    if isinstance(made, transformers.Lfm2ForCausalLM):
        heads = (KEY_HEADS, past, SIZE)
        step, names = Lfm2Step(made), ["0.conv", "1.key", "1.value"]
        sizes: list[tuple[int, ...]] = [(WIDTH, config.conv_L_cache), heads, heads]
        grown = rows | {2: torch.export.Dim("past", min=2, max=POSITIONS)}
        shapes = [rows, grown, grown]
    else:
        step, names = MambaStep(made), [f"{layer}.{part}" for layer in range(LAYERS) for part in ("conv", "state")]
        sizes = [(config.intermediate_size, size) for size in (config.conv_kernel, config.state_size)] * LAYERS
        shapes = [rows for _ in sizes]
    states = [torch.randn(batch, *size) for size in sizes]
    torch.onnx.export(
        step,
        (torch.randint(3, WORDS, (batch, 1)), *states),
        str(out),
        input_names=["input_ids", *(f"past.{name}" for name in names)],
        output_names=["logits", *(f"present.{name}" for name in names)],
        dynamic_shapes=(rows, *shapes) if len(sizes) == 3 else (rows, tuple(shapes)),
        opset_version=18,
        dynamo=True,
        external_data=False,
        verbose=False,
    )


def _flat(cache: Any) -> list[Tensor]:
    return [each for layer in cache.layers for each in (layer.keys, layer.values)]


def by_torch(model: Model, made: nn.Module, out: Path) -> None:
    """torch.onnx.export of a step with past: 3 new tokens after 5."""
    batch, new, past = 2, 3, 5
    reads = model.task != "text-generation-with-past"
    config = made.config
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    if reads:
        heads = HEADS
    size = getattr(config, "head_dim", None) or getattr(config, "d_kv", None) or SIZE
    dims = {"batch": torch.export.Dim("batch")}
    # A position table, as in GPT-2, bounds them.
    dims |= {name: torch.export.Dim(name, max=POSITIONS) for name in ("sequence", "past")}
    held = [torch.randn(batch, heads, past, size) for _ in range(2 * LAYERS)]
    ids = torch.randint(3, WORDS, (batch, new))
    rows = {0: dims["batch"], 1: dims["sequence"]}
    grown = {0: dims["batch"], 2: dims["past"]}
    names = [f"{layer}.{part}" for layer in range(LAYERS) for part in ("key", "value")]
    outputs = ["logits", *(f"present.{name}" for name in names)]
    step: nn.Module
    inputs: tuple[Tensor, ...]
    if reads:
        cross = [torch.randn(batch, heads, FRAMES, size) for _ in range(2 * LAYERS)]
        step, inputs = DecoderWithPast(made), (ids, *held, *cross)
        input_names = ["input_ids", *(f"past.{name}" for name in names), *(f"cross.{name}" for name in names)]
        shapes: Any = (rows, (*[grown for _ in held], *[{0: dims["batch"]} for _ in cross]))
    else:
        mask = torch.ones(batch, past + new, dtype=torch.long)
        positions = torch.arange(past, past + new)[None].repeat(batch, 1)
        step, inputs = WithPast(made), (ids, mask, positions, *held)
        input_names = ["input_ids", "attention_mask", "position_ids", *(f"past.{name}" for name in names)]
        total = {0: dims["batch"], 1: torch.export.Dim.DYNAMIC}
        shapes = (rows, total, rows, tuple(grown for _ in held))
    torch.onnx.export(
        step,
        inputs,
        str(out),
        input_names=input_names,
        output_names=outputs,
        dynamic_shapes=shapes,
        opset_version=18,
        dynamo=True,
        external_data=False,
        verbose=False,
    )


# optimum-onnx


def by_optimum(model: Model, made: nn.Module, out: Path) -> None:
    from optimum.exporters.onnx import onnx_export_from_model

    onnx_export_from_model(made, output=out, task=model.task, opset=18, do_validation=False)


# onnxruntime-genai


def by_genai(precision: str, _: Model, made: nn.Module, out: Path) -> None:
    """Runs the builder of onnxruntime-genai on a folder of save_pretrained, in a child process."""
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    with tempfile.TemporaryDirectory() as folder:
        made.save_pretrained(folder)
        _name_rotary(Path(folder) / "config.json")
        words = {f"w{at}": at for at in range(made.config.vocab_size)}
        tokenizer = Tokenizer(models.WordLevel(words, unk_token="w0"))
        PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(folder)
        line = [sys.executable, __file__, "--builder", "-i", folder, "-o", str(out), "-p", precision, "-e", "cpu"]
        done = subprocess.run([*line, "-c", f"{folder}/cache"], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr else "the builder failed")


def _name_rotary(path: Path) -> None:
    """Adds the default rope_scaling to a config without it, which the builder reads."""
    config = json.loads(path.read_text())
    if "rope_scaling" in config:
        config["rope_scaling"] = config["rope_scaling"] or {"rope_type": "default"}
    path.write_text(json.dumps(config))


def builder(arguments: Sequence[str]) -> None:
    """Runs the builder. It imports classes of newer releases of transformers; missing ones are replaced by empty
    classes."""
    kind = type(transformers)
    found = kind.__getattr__

    def look_up(module: Any, name: str) -> Any:
        try:
            return found(module, name)
        except AttributeError:
            if module.__name__ == "transformers" and name[0].isupper():
                return type(name, (), {})
            raise

    kind.__getattr__ = look_up
    # It accepts only the three entries of "longrope", which this config lacks.
    transformers.Phi3Config._rope_scaling_validation = lambda _: None
    sys.argv = ["builder", *arguments]
    runpy.run_module("onnxruntime_genai.models.builder", run_name="__main__", alter_sys=True)


EXPORT: dict[str, Callable[[Model, nn.Module, Path], None]] = {
    "optimum": by_optimum,
    "dyn": by_torch,
    "step": by_step,
    "genai": partial(by_genai, "fp32"),
    "genai4": partial(by_genai, "int4"),
}


def main() -> int:
    if sys.argv[1:2] == ["--builder"]:
        builder(sys.argv[2:])
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="a pattern of <model>_<exporter>")
    parser.add_argument("--published", action="store_true", help="models of published sizes instead")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    warnings.filterwarnings("ignore")
    for name, model in (PUBLISHED if options.published else MODELS).items():
        for exporter in model.exporters:
            full = f"{name}_{exporter}"
            out = options.folder / (f"{full}.onnx" if exporter in ("dyn", "step") else full)
            if out.exists() or not re.search(options.only, full):
                continue
            try:
                EXPORT[exporter](model, model.make(), out)
                print(f"{full}: exported", flush=True)
            except Exception as error:
                print(f"{full}: {type(error).__name__}: {str(error).strip().splitlines()[0]:.300}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
