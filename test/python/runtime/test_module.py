"""The API of ForgeModule."""

from typing import Any

import pytest
import torch

from forge_mlir import runtime as forge
from forge_mlir.runtime import ForgeModule


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
