"""The tables of data formats and torch dtypes."""

import warnings

import pytest
import torch

from forge_mlir import runtime as forge


class TestDataFormat:
    @pytest.mark.parametrize(
        ("dtype", "data_format", "back"),
        [
            (torch.float32, "Float32", torch.float32),
            (torch.float16, "Float16", torch.float16),
            (torch.bfloat16, "Float16_b", torch.bfloat16),
            *((d, "Int32", torch.int32) for d in (torch.int32, torch.int64, torch.int8, torch.uint8, torch.bool)),
        ],
    )
    def test_round_trip(self, dtype: torch.dtype, data_format: str, back: torch.dtype) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = forge.pytorch_dtype_to_forge_dataformat(dtype)
        assert found is forge.DataFormat[data_format]
        assert forge.forge_dataformat_to_pytorch_dtype(found) is back

    @pytest.mark.parametrize(
        ("data_format", "dtype"),
        [
            *((f, torch.float16) for f in ("Bfp8", "Bfp4", "Bfp2")),
            *((f, torch.bfloat16) for f in ("Bfp8_b", "Bfp4_b")),
            *((f, torch.int32) for f in ("UInt16", "RawUInt32")),
            ("RawUInt8", torch.uint8),
            *((f, None) for f in ("Int8", "Lf8", "Bfp2_b", "RawUInt16", "Invalid")),
        ],
    )
    def test_formats_without_a_torch_dtype_of_their_own(self, data_format: str, dtype: torch.dtype | None) -> None:
        if dtype is None:
            with pytest.raises(RuntimeError):
                forge.forge_dataformat_to_pytorch_dtype(forge.DataFormat[data_format])
        else:
            assert forge.forge_dataformat_to_pytorch_dtype(forge.DataFormat[data_format]) is dtype

    def test_no_dtype_at_all(self) -> None:
        with pytest.raises(AssertionError):
            forge.pytorch_dtype_to_forge_dataformat("float32")  # type: ignore[arg-type]
