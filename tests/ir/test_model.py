"""The model refuses what could not be drawn as a graph, and shows what it holds."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, replace

import pytest

import ssawidgets as sw
from ssawidgets.ir import UNDEF, Block, Const, Func, Instr, Program, Target, Term, const

BAD_FUNCS = {
    "no blocks": (),
    "two blocks named 'a'": (Block("a"), Block("a")),
    "leads to 'z', which does not exist": (Block("a", term=Term("jump", (), (Target("z"),))),),
    "'leave' \\(block a\\) is no terminator": (Block("a", term=Term("leave")),),
    "does not take 0 operands and 0 targets": (Block("a", term=Term("branch")),),
    "has 0 cases for its targets": (Block("a", term=Term("switch", ("x",), (Target("a"), Target("a")))),),
}


@pytest.mark.parametrize("message", BAD_FUNCS)
def test_what_has_no_graph_is_refused(message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Func("f", (), BAD_FUNCS[message])


def test_parameter_types_match_parameters() -> None:
    assert Func("f", ("a", "b"), (Block("e"),)).param_types == ("int", "int")
    with pytest.raises(ValueError, match="2 parameters but 1 parameter types"):
        Func("f", ("a", "b"), (Block("e"),), ("int",))


@pytest.mark.parametrize(
    "kind, value", [("int", True), ("int", 1.0), ("bool", 1), ("float", 1), ("char", "ab"), ("ptr", 0)]
)
def test_a_constant_has_the_value_of_its_type(kind: str, value: object) -> None:
    with pytest.raises(TypeError, match="is not a constant of type"):
        Const(kind, value)  # type: ignore[arg-type]


def test_const_makes_the_constant_of_a_python_value() -> None:
    assert [const(v).type for v in (True, 1, 1.0, "a")] == ["bool", "int", "float", "char"]
    with pytest.raises(TypeError, match="constant"):
        const("ab")


def test_undef_is_one_object_through_copies() -> None:
    assert copy.deepcopy(UNDEF) is UNDEF
    assert pickle.loads(pickle.dumps(UNDEF)) is UNDEF


def test_blocks_and_edges_are_found_by_name_and_number() -> None:
    func = sw.sketch("0>1 1>1", defs={"x": "0"}, uses={1: "x"})
    assert func.block(1) is func.block("1")
    assert [(s, i, t.block) for s, i, t in func.edges()] == [("0", 0, "1"), ("1", 0, "1")]
    assert func.names == {"x"}
    with pytest.raises(KeyError, match="no block named '7'; there are: 0, 1"):
        func.block(7)


def test_a_program_has_one_function_a_name() -> None:
    func = sw.parse("a:\n")
    with pytest.raises(ValueError, match="two functions are named 'main'"):
        Program((func, func))
    assert Program((func,)).func("main") is func
    with pytest.raises(KeyError, match="no function named 'f'"):
        Program((func,)).func("f")


def test_a_sketch_reads_before_it_writes_and_names_its_sites() -> None:
    func = sw.sketch("0>1 1>2 1>0", defs={"x": "1 0", "y": [1]}, uses={"1": "x y", 2: ["x"]})
    assert str(func) == (
        "func sketch():\n0:\n  x = ?1\n  goto 1\n1:\n  use x, y\n  x = ?2\n  y = ?3\n  goto 2, 0\n2:\n  use x\n"
    )
    with pytest.raises(ValueError, match="defs\\['x'\\] names block '9'"):
        sw.sketch("0", defs={"x": "9"})
    with pytest.raises(ValueError, match="uses names block '9'"):
        sw.sketch("0", uses={9: "x"})


def test_a_sketch_of_a_graph_keeps_its_blocks_and_order() -> None:
    graph = sw.cfg([("b", "a"), ("b", "c")])
    assert sw.sketch(graph, defs={"x": "c"}).cfg == graph
    assert sw.sketch(sw.Cfg("0", {"0": [], "7": []}), uses={7: "x"}).cfg.blocks == ("0", "7")
    assert sw.sketch(graph, entry="a").entry == "a"


def test_an_instruction_with_other_names_keeps_all_the_rest() -> None:
    """`with_names` writes the slots itself: none may be forgotten, and what it makes is as frozen as any."""
    before = Instr("x", "call", ("a",), "f", 7, 3, "float")
    assert all(getattr(before, f.name) is not None for f in fields(Instr))
    made = before.with_names("y", ("b", "c"))
    kept = {f.name: getattr(made, f.name) for f in fields(Instr)}
    assert kept == {f.name: getattr(before, f.name) for f in fields(Instr)} | {
        "dest": "y",
        "args": ("b", "c"),
    }
    assert made == replace(before, dest="y", args=("b", "c")) and hash(made) == hash(replace(made))
    with pytest.raises(FrozenInstanceError):
        made.dest = "z"  # type: ignore[misc]


def test_a_function_and_a_program_are_walked_alike() -> None:
    func = Func("f", (), (Block("e"),))
    assert func.funcs == (func,) == Program([func]).funcs  # type: ignore[arg-type]
    assert hash(Program([func])) == hash(Program((func,)))  # type: ignore[arg-type]
