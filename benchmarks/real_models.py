"""The models of real_sizes.py: published widths, few repeated layers, and random weights.

Needs torch, transformers, timm, torchvision and diffusers (see real_sizes.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import architectures
import torch
from torch import Tensor, nn
from torch.nn import functional as f

LAYERS = 4
IMAGE = (1, 3, 224, 224)
STEPS = 256

Made = tuple[nn.Module, dict[str, Tensor]]


class Convolution(nn.Sequential):
    """A convolution with its norm and SiLU, as in YOLOv8."""

    def __init__(self, inputs: int, outputs: int, kernel: int = 1, stride: int = 1) -> None:
        convolution = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
        super().__init__(convolution, nn.BatchNorm2d(outputs, eps=1e-3), nn.SiLU())


class Bottleneck(nn.Module):
    """Two convolutions with an optional residual sum."""

    def __init__(self, channels: int, shortcut: bool) -> None:
        super().__init__()
        self.steps = nn.Sequential(Convolution(channels, channels, 3), Convolution(channels, channels, 3))
        self.shortcut = shortcut

    def forward(self, x: Tensor) -> Tensor:
        return x + self.steps(x) if self.shortcut else self.steps(x)


class C2f(nn.Module):
    """Bottlenecks on half of the channels; all of their results are concatenated."""

    def __init__(self, inputs: int, outputs: int, count: int, shortcut: bool) -> None:
        super().__init__()
        self.half = outputs // 2
        self.first = Convolution(inputs, outputs)
        self.last = Convolution((2 + count) * self.half, outputs)
        self.blocks = nn.ModuleList(Bottleneck(self.half, shortcut) for _ in range(count))

    def forward(self, x: Tensor) -> Tensor:
        parts = list(self.first(x).chunk(2, 1))
        for block in self.blocks:
            parts.append(block(parts[-1]))
        return self.last(torch.cat(parts, 1))


class Sppf(nn.Module):
    """Three consecutive pools, whose results are concatenated."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = Convolution(channels, channels // 2)
        self.last = Convolution(channels * 2, channels)

    def forward(self, x: Tensor) -> Tensor:
        parts = [self.first(x)]
        for _ in range(3):
            parts.append(f.max_pool2d(parts[-1], 5, 1, 2))
        return self.last(torch.cat(parts, 1))


class Detect(nn.Module):
    """Boxes as distributions of distances over 16 bins, decoded, and 80 classes, for strides 8, 16 and 32."""

    def __init__(self, channels: tuple[int, ...], side: int, classes: int = 80, bins: int = 16) -> None:
        super().__init__()
        self.bins = bins
        hidden = max(channels[0], min(classes, 100))
        self.boxes = nn.ModuleList(self.head(each, 64, 4 * bins) for each in channels)
        self.classes = nn.ModuleList(self.head(each, hidden, classes) for each in channels)
        points, strides = [], []
        for stride in (8, 16, 32):
            axis = torch.arange(side // stride) + 0.5
            y, x = torch.meshgrid(axis, axis, indexing="ij")
            points.append(torch.stack((x, y)).reshape(2, -1))
            strides.append(torch.full((1, axis.numel() ** 2), float(stride)))
        self.register_buffer("points", torch.cat(points, 1))
        self.register_buffer("strides", torch.cat(strides, 1))

    @staticmethod
    def head(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
        return nn.Sequential(
            Convolution(inputs, hidden, 3), Convolution(hidden, hidden, 3), nn.Conv2d(hidden, outputs, 1)
        )

    def forward(self, features: list[Tensor]) -> Tensor:
        heads = zip(self.boxes, self.classes, features, strict=True)
        each = [torch.cat((box(x), kind(x)), 1).flatten(2) for box, kind, x in heads]
        boxes, classes = torch.cat(each, 2).split((4 * self.bins, each[0].shape[1] - 4 * self.bins), 1)
        bins = boxes.reshape(1, 4, self.bins, -1).transpose(2, 1).softmax(1)
        distances = (bins * torch.arange(self.bins, dtype=torch.float32).reshape(1, -1, 1, 1)).sum(1)
        low, high = distances.chunk(2, 1)
        first, last = self.points - low, self.points + high
        boxes = torch.cat(((first + last) / 2, last - first), 1) * self.strides
        return torch.cat((boxes, classes.sigmoid()), 1)


class Yolo(nn.Module):
    """YOLOv8n: depth 1/3, width 1/4."""

    def __init__(self, side: int) -> None:
        super().__init__()
        self.low = nn.Sequential(
            Convolution(3, 16, 3, 2), Convolution(16, 32, 3, 2), C2f(32, 32, 1, True), Convolution(32, 64, 3, 2)
        )
        self.third = C2f(64, 64, 2, True)
        self.fourth = nn.Sequential(Convolution(64, 128, 3, 2), C2f(128, 128, 2, True))
        self.fifth = nn.Sequential(Convolution(128, 256, 3, 2), C2f(256, 256, 1, True), Sppf(256))
        self.up = nn.Upsample(scale_factor=2.0)
        self.up4, self.up3 = C2f(384, 128, 1, False), C2f(192, 64, 1, False)
        self.down4, self.down5 = Convolution(64, 64, 3, 2), Convolution(128, 128, 3, 2)
        self.out4, self.out5 = C2f(192, 128, 1, False), C2f(384, 256, 1, False)
        self.detect = Detect((64, 128, 256), side)

    def forward(self, x: Tensor) -> Tensor:
        third = self.third(self.low(x))
        fourth = self.fourth(third)
        fifth = self.fifth(fourth)
        up4 = self.up4(torch.cat((self.up(fifth), fourth), 1))
        up3 = self.up3(torch.cat((self.up(up4), third), 1))
        out4 = self.out4(torch.cat((self.down4(up3), up4), 1))
        out5 = self.out5(torch.cat((self.down5(out4), fifth), 1))
        return self.detect([up3, out4, out5])


def of_transformers(kind: str, inputs: dict[str, Tensor], part: str = "", **options: Any) -> Made:
    """A model of transformers with its published configuration and additional `options`; `part` selects a submodule."""
    from transformers import AutoModel
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # type: ignore[import-not-found]

    model = AutoModel.from_config(CONFIG_MAPPING[kind](**options), attn_implementation="eager")
    model = getattr(model, part) if part else model
    no = {"return_dict": False} | ({"use_cache": False} if not part and "input_ids" in inputs else {})
    return architectures.FirstOutput(model, list(inputs), no), inputs


def tokens(length: int) -> Tensor:
    return torch.randint(3, 1000, (1, length))


def detr() -> Made:
    from transformers import DetrConfig, ResNetConfig  # type: ignore[import-not-found]

    backbone = ResNetConfig(out_features=["stage4"])
    layers = {"encoder_layers": 2, "decoder_layers": 2}
    config = DetrConfig(use_timm_backbone=False, use_pretrained_backbone=False, backbone_config=backbone, **layers)
    from transformers import DetrForObjectDetection

    config._attn_implementation = "eager"
    inputs = {"pixel_values": torch.randn(1, 3, 320, 320)}
    return architectures.FirstOutput(DetrForObjectDetection(config), list(inputs), {"return_dict": False}), inputs


def of_vision(name: str) -> Made:
    from torchvision import models  # type: ignore[import-not-found]

    return models.get_model(name, weights=None), {"x": torch.randn(IMAGE)}


def of_timm(name: str) -> Made:
    import timm  # type: ignore[import-not-found]

    return timm.create_model(name), {"x": torch.randn(IMAGE)}


def diffusion() -> Made:
    """The first two levels of Stable Diffusion's UNet, one residual block each, for 32x32 latents and 77 tokens."""
    from diffusers import UNet2DConditionModel  # type: ignore[import-not-found]

    model = UNet2DConditionModel(
        block_out_channels=(320, 640),
        layers_per_block=1,
        cross_attention_dim=768,
        down_block_types=("CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D"),
    )
    model.set_default_attn_processor()
    inputs = {
        "sample": torch.randn(1, 4, 32, 32),
        "timestep": torch.tensor([500.0]),
        "encoder_hidden_states": torch.randn(1, 77, 768),
    }
    return architectures.FirstOutput(model, list(inputs), {"return_dict": False}), inputs


def recurrent(kind: type[nn.RNNBase]) -> Made:
    """A recurrent layer of width 256 with 256 steps."""
    model = kind(256, 256, batch_first=True)
    return architectures.FirstOutput(model, [], {}), {"x": torch.randn(1, STEPS, 256)}


def yolo() -> Made:
    return Yolo(320), {"x": torch.randn(1, 3, 320, 320)}


SMALL_LLAMA = {"hidden_size": 1024, "intermediate_size": 2816, "num_attention_heads": 16, "vocab_size": 32000}
# Those of the table first, in its order; then more.
MODELS: dict[str, Callable[[], Made]] = {
    "bert-base": lambda: of_transformers("bert", {"input_ids": tokens(128)}, num_hidden_layers=LAYERS),
    "gpt2": lambda: of_transformers("gpt2", {"input_ids": tokens(128)}, n_layer=LAYERS),
    "llama-1024": lambda: of_transformers(
        "llama", {"input_ids": tokens(128)}, num_hidden_layers=LAYERS, num_key_value_heads=4, **SMALL_LLAMA
    ),
    "vit-b16": lambda: of_transformers("vit", {"pixel_values": torch.randn(IMAGE)}, num_hidden_layers=LAYERS),
    "swin-t": partial(of_vision, "swin_t"),
    "convnext-t": partial(of_vision, "convnext_tiny"),
    "efficientnet-b0": partial(of_vision, "efficientnet_b0"),
    "mobilenetv3-l": partial(of_vision, "mobilenet_v3_large"),
    "whisper-encoder": lambda: of_transformers(
        "whisper", {"input_features": torch.randn(1, 80, 3000)}, "encoder", d_model=384, encoder_layers=2,
        encoder_attention_heads=6, encoder_ffn_dim=1536,
    ),
    "t5-small": lambda: of_transformers(
        "t5", {"input_ids": tokens(128), "decoder_input_ids": tokens(64)}, num_layers=2, num_decoder_layers=2
    ),
    "detr": detr,
    "yolov8n": yolo,
    "diffusion-unet": diffusion,
    "regnet-y400mf": partial(of_vision, "regnet_y_400mf"),
    "densenet121": partial(of_vision, "densenet121"),
    "gru-256": partial(recurrent, nn.GRU),
    "lstm-256": partial(recurrent, nn.LSTM),
    "resnet50": partial(of_vision, "resnet50"),
    "qwen2-896": lambda: of_transformers(
        "qwen2", {"input_ids": tokens(128)}, num_hidden_layers=LAYERS, hidden_size=896, intermediate_size=4864,
        num_attention_heads=14, num_key_value_heads=2, vocab_size=32000,
    ),
    "gpt-neox-768": lambda: of_transformers(
        "gpt_neox", {"input_ids": tokens(128)}, num_hidden_layers=LAYERS, hidden_size=768, intermediate_size=3072,
        num_attention_heads=12, vocab_size=32000,
    ),
    "segformer-b0": lambda: of_transformers("segformer", {"pixel_values": torch.randn(IMAGE)}),
    "wav2vec2-base": lambda: of_transformers(
        "wav2vec2", {"input_values": torch.randn(1, 16000)}, num_hidden_layers=2
    ),
    "deit-s": partial(of_timm, "deit_small_patch16_224"),
    "mixer-b16": partial(of_timm, "mixer_b16_224"),
}  # fmt: skip
# Models of onnx's package, by file name.
LIGHT = ("resnet50", "densenet121", "shufflenet", "squeezenet", "vgg19")
