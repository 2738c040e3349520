"""Data formats of the device and the corresponding torch dtypes."""

from enum import Enum, unique

import torch


@unique
class DataFormat(Enum):
    """Storage formats. The ``_b`` ones have bfloat16's 8-bit exponent, the others float16's."""

    Float32 = "Float32"
    Float16 = "Float16"
    Float16_b = "Float16_b"
    Bfp8 = "Bfp8"
    Bfp8_b = "Bfp8_b"
    Bfp4 = "Bfp4"
    Bfp4_b = "Bfp4_b"
    Bfp2 = "Bfp2"
    Bfp2_b = "Bfp2_b"
    Lf8 = "Lf8"
    Int8 = "Int8"
    Int32 = "Int32"
    UInt16 = "UInt16"
    RawUInt8 = "RawUInt8"
    RawUInt16 = "RawUInt16"
    RawUInt32 = "RawUInt32"
    Invalid = "Invalid"

    @property
    def is_floating(self) -> bool:
        return self.name.startswith(("Float", "Bfp", "Lf"))


def pytorch_dtype_to_forge_dataformat(dtype: torch.dtype) -> DataFormat:
    """The format in which a torch value is transferred; all integers become Int32.

    Raises AssertionError for something that is no torch dtype, RuntimeError for float64, int16, complex
    and unsigned types above 8 bits, which Forge does not know.
    """
    if not isinstance(dtype, torch.dtype):
        raise AssertionError(f"expected a torch dtype, got {dtype!r}")
    match dtype:
        case torch.float32:
            return DataFormat.Float32
        case torch.float16:
            return DataFormat.Float16
        case torch.bfloat16:
            return DataFormat.Float16_b
        case torch.int32 | torch.int64 | torch.int8 | torch.uint8 | torch.bool:
            return DataFormat.Int32
    raise RuntimeError(f"{dtype} has no Forge data format")


def forge_dataformat_to_pytorch_dtype(data_format: DataFormat) -> torch.dtype:
    """The torch dtype that holds values of a format. Raises RuntimeError when there is none."""
    match data_format:
        case DataFormat.Float32:
            return torch.float32
        case DataFormat.Float16 | DataFormat.Bfp8 | DataFormat.Bfp4 | DataFormat.Bfp2:
            return torch.float16
        case DataFormat.Float16_b | DataFormat.Bfp8_b | DataFormat.Bfp4_b:
            return torch.bfloat16
        case DataFormat.Int32 | DataFormat.UInt16 | DataFormat.RawUInt32:
            return torch.int32
        case DataFormat.RawUInt8:
            return torch.uint8
    raise RuntimeError(f"{data_format} has no torch dtype")
