"""The API of Tensor, Parameter, ForgeModule and the dtype tables."""

import warnings
from typing import Any

import pytest
import torch

from forge_mlir import runtime as forge
from forge_mlir.runtime import ForgeModule


class TestTensor:
    def test_release(self) -> None:
        x = forge.Tensor.create_from_torch(torch.ones(2, 3))
        x._value = None
        assert x.shape == (2, 3)
        assert x.data_format is forge.DataFormat.Float32
        assert not x.has_value()
        with pytest.raises(RuntimeError, match="released"):
            x.value()

    def test_set_src_layer_returns_the_tensor(self) -> None:
        x = forge.Tensor.create_from_torch(torch.ones(1))
        assert x.set_src_layer("a/b") is x
        assert x.src_layer == "a/b"

    def test_set_value_keeps_the_shape(self) -> None:
        x = forge.Tensor.create_from_torch(torch.ones(2))
        x.set_value(torch.zeros(2))
        assert x.value().tolist() == [0, 0]
        with pytest.raises(RuntimeError):
            x.set_value(torch.zeros(1, 2))

    def test_text_shows_the_value(self) -> None:
        tensor = forge.Tensor.create_from_torch(torch.tensor([1.5, 2.0]))
        assert repr(tensor) == "Tensor(input, shape=(2,), Float32):\ntensor([1.5000, 2.0000])"
        tensor._value = None
        assert repr(tensor) == "Tensor(input, shape=(2,), Float32)"

    @pytest.mark.parametrize("dtype", [torch.float64, torch.int16, torch.complex64, torch.uint16, torch.uint32])
    def test_dtypes_that_forge_does_not_know(self, dtype: torch.dtype) -> None:
        with pytest.raises(RuntimeError, match="no Forge data format"):
            forge.Tensor.create_from_torch(torch.ones(2).to(dtype))

    def test_only_torch_tensors(self) -> None:
        with pytest.raises(TypeError):
            forge.Tensor.create_from_torch([1.0])  # type: ignore[arg-type]


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


class TestParameter:
    def test_declared_then_set(self) -> None:
        p = forge.Parameter(2, 3)
        assert p.shape == (2, 3)
        assert p.data_format is forge.DataFormat.Float32
        with pytest.raises(RuntimeError, match="no value"):
            p.value()
        given = torch.ones(2, 3)
        p.set_value(given)
        assert p.value().requires_grad
        assert not given.requires_grad

    def test_from_a_torch_tensor(self) -> None:
        p = forge.Parameter(torch.ones(2, dtype=torch.bfloat16), requires_grad=False)
        assert p.data_format is forge.DataFormat.Float16_b
        assert p.pt_data_format is torch.bfloat16
        assert not p.value().requires_grad

    @pytest.mark.parametrize("arguments", [(1.0,), (True,), ("2",), (-1,), (torch.ones(1), 2)])
    def test_dimensions_must_be_ints(self, arguments: tuple[Any, ...]) -> None:
        with pytest.raises(TypeError):
            forge.Parameter(*arguments)

    def test_no_dimensions(self) -> None:
        with pytest.raises(RuntimeError):
            forge.Parameter()

    @pytest.mark.parametrize("shape", [(1,), (1, 1)])
    def test_a_scalar_takes_the_declared_rank(self, shape: tuple[int, ...]) -> None:
        p = forge.Parameter(*shape)
        p.set_value(torch.tensor(2.0))
        assert p.value().shape == shape

    def test_only_rank_0_is_a_scalar(self) -> None:
        with pytest.raises(RuntimeError, match="cannot hold a value of shape"):
            forge.Parameter(1).set_value(torch.ones(1, 1))

    @pytest.mark.parametrize(
        ("value", "error"),
        [
            (torch.ones(3, 2), RuntimeError),
            (torch.ones(6), RuntimeError),
            (torch.ones(1, 2, 3), RuntimeError),
            (torch.tensor(1.0), RuntimeError),
            (torch.ones(1), RuntimeError),
            (torch.ones(2, 3, dtype=torch.float64), RuntimeError),
            (torch.ones(2, 3, dtype=torch.int32), RuntimeError),
            ([[1.0] * 3] * 2, TypeError),
        ],
    )
    def test_wrong_values(self, value: Any, error: type[Exception]) -> None:
        p = forge.Parameter(2, 3)
        with pytest.raises(error):
            p.set_value(value)
        assert not p.has_value()

    def test_integers_cannot_require_gradients(self) -> None:
        with pytest.raises(RuntimeError, match="gradients"):
            forge.Parameter(2, dev_data_format=forge.DataFormat.Int32).set_value(torch.tensor([1, 2]))
        p = forge.Parameter(2, dev_data_format=forge.DataFormat.Int32, requires_grad=False)
        p.set_value(torch.tensor([1, 2]))
        assert p.value().tolist() == [1, 2]

    def test_gradients_flow_only_where_asked_for(self) -> None:
        p = forge.Parameter(torch.tensor([2.0, 3.0]))
        x = forge.Tensor.create_from_torch(torch.tensor([5.0, 7.0]))
        forge.op.Multiply("", p, x).value().sum().backward()
        assert p.value().grad is not None
        assert p.value().grad.tolist() == [5.0, 7.0]
        assert not forge.op.Abs("", x).requires_grad
        with torch.no_grad():
            assert not forge.op.Abs("", p).requires_grad


class TestModule:
    def test_parameters(self) -> None:
        module = ForgeModule("m")
        p = forge.Parameter(2)
        module.add_parameter("a.b", p)
        assert module.get_parameter("a.b") is p
        assert module.get_parameters() == [p]
        assert p.get_name() == "a.b"
        module.add_parameter("c", forge.Parameter(1), prepend_name=True)
        assert module.get_parameter("c").get_name() == "m.c"
        module.load_parameter_dict({"a.b": torch.ones(2), "c": torch.tensor(1.0)})
        assert module.unset_names() == []

    def test_parameter_errors(self) -> None:
        module = ForgeModule("m")
        module.add_parameter("a", forge.Parameter(2))
        with pytest.raises(RuntimeError, match="already has a parameter 'a'"):
            module.add_parameter("a", forge.Parameter(2))
        with pytest.raises(RuntimeError, match="no parameter 'b'"):
            module.get_parameter("b")
        with pytest.raises(RuntimeError, match="no parameter 'b'"):
            module.set_parameter("b", torch.ones(2))
        with pytest.raises(RuntimeError, match="cannot hold a value of shape"):
            module.set_parameter("a", torch.ones(3))
        with pytest.raises(TypeError):
            module.add_parameter("t", torch.ones(2))  # type: ignore[arg-type]

    def test_constants(self) -> None:
        module = ForgeModule("m")
        module.add_constant("c", shape=(1,), dtype=torch.int64)
        module.set_constant("c", torch.tensor(3, dtype=torch.int32))  # both are stored as Int32
        assert module.get_constant("c").value().tolist() == [3]
        assert module.get_constant("c").constant
        module.add_constant("open")
        module.set_constant("open", forge.Tensor.create_from_torch(torch.ones(2, 2)))
        assert module.get_constant("open").shape == (2, 2)

    def test_constant_errors(self) -> None:
        module = ForgeModule("m")
        module.add_constant("c", shape=(2,), dtype=torch.int32)
        with pytest.raises(RuntimeError, match="already has a constant 'c'"):
            module.add_constant("c")
        with pytest.raises(RuntimeError, match="no constant 'd'"):
            module.get_constant("d")
        with pytest.raises(RuntimeError, match="no constant 'd'"):
            module.set_constant("d", torch.ones(2))
        with pytest.raises(RuntimeError, match="never set"):
            module.get_constant("c")
        with pytest.raises(RuntimeError, match="cannot hold a value of shape"):
            module.set_constant("c", torch.tensor([1, 2, 3]))
        with pytest.raises(RuntimeError, match=r"cannot hold torch\.float32"):
            module.set_constant("c", torch.ones(2))
        with pytest.raises(AssertionError):
            module.set_constant("c", torch.ones(2).numpy())  # type: ignore[arg-type]
        with pytest.raises(RuntimeError, match="no Forge data format"):
            module.add_constant("wide", shape=(1,), dtype=torch.float64)

    def test_attributes_register(self) -> None:
        class Child(ForgeModule):
            def __init__(self, name: str) -> None:
                super().__init__(name)
                self.weight = forge.Parameter(torch.tensor([2.0]))

            def forward(self, x: forge.Tensor) -> forge.Tensor:
                return x * self.weight

        class Parent(ForgeModule):
            def __init__(self) -> None:
                super().__init__("parent")
                self.scale = forge.Parameter(1)
                self.child = Child("whatever")
                self.layers = [Child("a"), Child("b")]
                self.table = {"w": forge.Parameter(1)}

            def forward(self, x: forge.Tensor) -> forge.Tensor:
                return self.child(x * self.scale)

        parent = Parent()
        assert parent.get_parameter("scale") is parent.scale
        assert parent.scale.get_name() == "parent.scale"
        assert parent.child.name == "parent.child"
        assert parent.get_parameter("table.w") is parent.table["w"]
        assert len(parent.get_parameters()) == 5
        assert len(parent.get_parameters(submodules=False)) == 2
        parent.child.add_constant("late", shape=(1,))
        assert parent.unset_names() == ["scale", "table.w", "parent.child: late"]
        parent.child.set_constant("late", torch.ones(1))
        parent.set_parameter("scale", torch.tensor(3.0))
        parent.set_parameter("table.w", torch.tensor(3.0))
        assert parent(torch.tensor([5.0])).value().tolist() == [30.0]

    def test_super_init_comes_first(self) -> None:
        class Hasty(ForgeModule):
            def __init__(self) -> None:
                self.weight = forge.Parameter(1)

        with pytest.raises(RuntimeError, match="super"):
            Hasty()

    def test_input_names_bind_by_keyword(self) -> None:
        class Difference(ForgeModule):
            def forward(self, a: forge.Tensor, b: forge.Tensor) -> forge.Tensor:
                return a - b

        module = Difference("d")
        one, two = torch.tensor([1.0]), torch.tensor([2.0])
        assert module(one, two).value().item() == -1
        module.input_names = ["b", "a"]
        assert module(one, two).value().item() == 1
        with pytest.raises(RuntimeError, match="takes 2 inputs"):
            module(one)
        with pytest.raises(TypeError):
            module(a=one, b=two)  # type: ignore[call-arg]

    @pytest.mark.parametrize("value", [1.0, None, [torch.ones(1)]])
    def test_inputs_are_tensors(self, value: Any) -> None:
        with pytest.raises(TypeError):
            ForgeModule("m")(value)

    @pytest.mark.parametrize("value", [None, torch.ones(1), 1.0])
    def test_outputs_are_forge_tensors(self, value: Any) -> None:
        class Wrong(ForgeModule):
            def forward(self, x: forge.Tensor) -> Any:
                return x, value

        with pytest.raises(TypeError, match="output 1"):
            Wrong("w")(torch.ones(1))

    def test_forward_is_abstract_and_the_weight_hook_empty(self) -> None:
        ForgeModule("m").process_framework_parameters()
        with pytest.raises(NotImplementedError):
            ForgeModule("m")(torch.ones(1))
