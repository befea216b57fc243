"""`from_bril` and `to_bril`: what each construct becomes, names, what is refused and where, what floats look like."""

from __future__ import annotations

import json
import math
from random import Random
from typing import Any

import pytest

import ssawidgets as sw
from ssawidgets.frontends.bril import BrilError
from ssawidgets.frontends.bril.names import bril_name, function_here, is_identifier, label_here, variable_here
from ssawidgets.frontends.bril.text import read_text
from ssawidgets.frontends.bril.text_writer import write_text
from ssawidgets.interp.printing import bril_float
from ssawidgets.ir.names import is_label, is_variable
from tests.frontends.bril_reference import shown


def main(*lines: str, params: str = "") -> str:
    body = "\n".join(lines)
    return f"@main{params} {{\n{body}\n}}"


def body_of(text: str) -> list[str]:
    func = sw.from_bril(text)
    assert isinstance(func, sw.Func)
    return [str(instr) for b in func.blocks for instr in b.body]


# --- instructions

INSTRUCTIONS = [
    ("x: int = const -3;", "x = -3"),
    ("x: bool = const true;", "x = true"),
    ("x: float = const 2;", "x = 2.0"),
    ("x: float = const -1.5e3;", "x = -1500.0"),
    ("x: char = const 'a';", "x = 'a'"),
    ("x: char = const '\\n';", "x = '\\n'"),
    ("x: char = const ''';", "x = '\\''"),
    ("x = const 3;", "x = 3"),
    ("x = const 0.5;", "x = 0.5"),
    ("x: int = add a b;", "x = a + b"),
    ("x: int = sub a b;", "x = a - b"),
    ("x: int = mul a b;", "x = a * b"),
    ("x: int = div a b;", "x = a / b"),
    ("x: bool = eq a b;", "x = a == b"),
    ("x: bool = lt a b;", "x = a < b"),
    ("x: bool = le a b;", "x = a <= b"),
    ("x: bool = gt a b;", "x = a > b"),
    ("x: bool = ge a b;", "x = a >= b"),
    ("x: float = fadd a b;", "x = a + b"),
    ("x: float = fsub a b;", "x = a - b"),
    ("x: float = fmul a b;", "x = a * b"),
    ("x: float = fdiv a b;", "x = a / b"),
    ("x: bool = feq a b;", "x = a == b"),
    ("x: bool = flt a b;", "x = a < b"),
    ("x: bool = fle a b;", "x = a <= b"),
    ("x: bool = fgt a b;", "x = a > b"),
    ("x: bool = fge a b;", "x = a >= b"),
    ("x: bool = ceq a b;", "x = a == b"),
    ("x: bool = clt a b;", "x = a < b"),
    ("x: bool = cle a b;", "x = a <= b"),
    ("x: bool = cgt a b;", "x = a > b"),
    ("x: bool = cge a b;", "x = a >= b"),
    ("x: bool = and a b;", "x = a & b"),
    ("x: bool = or a b;", "x = a | b"),
    ("x: bool = not a;", "x = !a"),
    ("x: int = id a;", "x = a"),
    ("x: int = char2int a;", "x = char2int a"),
    ("x: char = int2char a;", "x = int2char a"),
    ("x: ptr<int> = alloc a;", "x = alloc a"),
    ("x: int = load a;", "x = load a"),
    ("x: float = load a;", "x = load a: float"),
    ("x: ptr<ptr<int>> = load a;", "x = load a: ptr"),
    ("x: ptr<int> = ptradd a b;", "x = ptradd a, b"),
    ("store a b;", "store a, b"),
    ("free a;", "free a"),
    ("print a b;", "print a, b"),
    ("print;", "print"),
    ("nop;", "nop"),
    ("x: bool = undef;", "x = undef: bool"),
    ("call @f a b;", "f(a, b)"),
    ("x: int = call @f;", "x = f()"),
    ("x: bool = call @f a;", "x = f(a): bool"),
]


@pytest.mark.parametrize(("bril", "ours"), INSTRUCTIONS)
def test_an_instruction_becomes_one_of_ours(bril: str, ours: str) -> None:
    assert body_of(main(bril)) == [ours]


def test_terminators_and_what_nobody_wrote() -> None:
    func = sw.from_bril(
        main("br c .a .b;", ".a:", ".b:", "jmp .a;", ".c:", "ret x;", ".d:", params="(c: bool)")
    )
    assert isinstance(func, sw.Func)
    assert [(b.name, str(b.term), b.term.written) for b in func.blocks] == [
        ("entry", "if c goto a else b", True),
        ("a", "goto b", False),
        ("b", "goto a", True),
        ("c", "return x", True),
        ("d", "return", False),
    ]


def test_spaces_comments_and_line_ends_do_not_matter() -> None:
    loose = "# a\n@main\n(\nn :int)#b\n{x:int=add n n;print x;.a:jmp .a;}\r\n# c"
    tight = main("x: int = add n n;", "print x;", ".a:", "jmp .a;", params="(n: int)")
    assert sw.from_bril(loose) == sw.from_bril(tight)


def test_one_function_is_a_func_and_several_are_a_program() -> None:
    assert isinstance(sw.from_bril("@f {}"), sw.Func)
    program = sw.from_bril("@f {} @main {}")
    assert isinstance(program, sw.Program) and [f.name for f in program.funcs] == ["f", "main"]


def test_json_text_and_dict_say_the_same() -> None:
    text = main("x: int = const 3;", "c: bool = eq x x;", "br c .a .a;", ".a:", "print x;")
    data = read_text(text)
    assert sw.from_bril(text) == sw.from_bril(json.dumps(data)) == sw.from_bril(dict(data))


def test_lines_are_those_of_the_source_and_pos_is_believed() -> None:
    func = sw.from_bril("\n\n@main {\n  nop;\n\n  ret;\n}")
    assert isinstance(func, sw.Func)
    assert (func.blocks[0].body[0].line, func.blocks[0].term.line) == (4, 6)
    data = {"functions": [{"name": "main", "instrs": [{"op": "nop", "pos": {"row": 9, "col": 3}}]}]}
    func = sw.from_bril(data)
    assert isinstance(func, sw.Func) and func.blocks[0].body[0].line == 9


# --- SSA forms

PHI = """@main(c: bool) {
.top:
  a: int = const 5;
  br c .here .there;
.here:
  b: int = const 7;
.there:
  d: int = phi b .here a .top;
  print d;
}"""
GET = """@main(c: bool) {
.top:
  a: int = const 5;
  set d a;
  br c .here .there;
.here:
  b: int = const 7;
  set d b;
.there:
  d: int = get;
  print d;
}"""


def test_both_ssa_forms_become_block_parameters() -> None:
    func = sw.from_bril(PHI)
    assert func == sw.from_bril(GET)
    assert isinstance(func, sw.Func)
    assert func.block("there").params == ("d",) and sw.verify(func) == []
    assert "d = phi(top: a, here: b)" in str(func)
    assert sw.from_bril(sw.to_bril(func)) == sw.from_bril(sw.to_bril(func, phis="phi")) == func


def test_a_phi_without_an_operand_for_a_predecessor_receives_undef() -> None:
    func = sw.from_bril(PHI.replace(" a .top", ""))
    assert "d = phi(top: undef, here: b)" in str(func)
    func = sw.from_bril(PHI.replace("a .top", "__undefined .top"))
    assert "d = phi(top: undef, here: b)" in str(func)


def test_phis_of_a_block_read_before_any_writes() -> None:
    text = """@main {
.top:
  x0: int = const 1;
  y0: int = const 2;
  n0: int = const 0;
  one: int = const 1;
  two: int = const 2;
.loop:
  x: int = phi x0 .top y .loop;
  y: int = phi y0 .top x .loop;
  n: int = phi n0 .top m .loop;
  print x y;
  m: int = add n one;
  c: bool = lt m two;
  br c .loop .end;
.end:
}"""
    assert sw.run(sw.from_bril(text)).text == "1 2\n2 1\n"


def test_set_and_get_anywhere_become_copies_through_a_variable() -> None:
    text = main("one: int = const 1;", "set s one;", "s: int = get;", "print s;")
    assert body_of(text) == ["one = 1", "s_shadow = one", "s = s_shadow", "print s"]
    assert sw.run(sw.from_bril(text)).text == "1\n"


def test_a_set_that_a_predecessor_lacks_reaches_from_further_up() -> None:
    text = """@main(c: bool) {
  one: int = const 1;
  two: int = const 2;
  set x one;
  br c .a .b;
.a:
  jmp .join;
.b:
  set x two;
.join:
  x: int = get;
  print x;
}"""
    assert sw.run(sw.from_bril(text), [True]).text == "1\n"
    assert sw.run(sw.from_bril(text), [False]).text == "2\n"


def test_parallel_edges_with_different_values_get_a_block() -> None:
    func = sw.parse("func main(c: bool):\n0:\n  if c goto 1(1) else 1(2)\n1(x):\n  print x\n")
    for phis in ("get", "phi"):
        back = sw.from_bril(sw.to_bril(func, phis=phis))
        assert [sw.run(back, [c]).prints for c in (True, False)] == [((1,),), ((2,),)]


# --- names


def test_names_go_there_and_back() -> None:
    rng = Random(1)
    pieces = [
        "_",
        ".",
        "%",
        "u",
        "dot",
        "pct",
        "5f",
        "2e",
        "é",
        "4",
        " ",
        "a",
        "goto",
        "_dot_",
        "_u5f_",
        "%e9.",
        "phi",
    ]
    for _ in range(3_000):
        name = "".join(rng.choices(pieces, k=rng.randrange(1, 6)))
        for here in (lambda n: variable_here(n, False), label_here, function_here):
            ours = here(name)
            assert is_label(ours) if here is label_here else is_variable(ours)
            assert is_identifier(bril_name(ours)) and here(bril_name(ours)) == ours
            assert not is_identifier(name) or bril_name(ours) == name


def test_versions_are_kept_where_each_variable_is_assigned_once() -> None:
    once = sw.from_bril(main("x.1: int = const 1;", "x.2: int = id x.1;", "print x.2;"))
    twice = sw.from_bril(main("x.1: int = const 1;", "x.1: int = id x.1;", "print x.1;"))
    assert once.names == {"x.1", "x.2"} and twice.names == {"x_dot_1"}  # type: ignore[union-attr]


def test_names_that_would_fall_together_stay_apart() -> None:
    func = sw.from_bril(main("print x.1 x_dot_1 y;", "y: int = id x.1;", params="(x.1: int, x_dot_1: int)"))
    assert isinstance(func, sw.Func) and len(set(func.params)) == 2
    ssa = sw.Func("main", ("x_dot_2",), (sw.Block("a", (), (sw.Instr("x.2", "copy", ("x_dot_2",)),)),))
    assert sw.run(sw.from_bril(sw.to_bril(ssa)), [3]).trap is None
    assert len(set(read_text(sw.to_bril(ssa))["functions"][0]["instrs"][1])) == 4


# --- what is refused

TEXT_REFUSED = [
    ("", 1, "there is no function here"),
    ("main { }", 1, "starts with @"),
    ("print x;", 1, "outside any function"),
    ("@main { print x;", 1, "has no }"),
    ("@main { } }", 1, "outside any function"),
    ("@main {\n  print x\n}", 2, "the ; at the end"),
    ("@main {\n  x: int = add a b\n  print x;\n}", 2, "the ; at the end"),
    ("@main {\n  x: int = add a b\n  y: int = add a b;\n}", 2, "the ; at the end"),
    ("@main {\n  x: int = const 3\n  print x;\n}", 2, "the ; at the end"),
    ("@main {\n  jmp .a\n.a:\n}", 2, "the ; at the end"),
    ("@main {\n  x: int = add a\n   b c;\n}", 2, "add takes 2 operands, not 3"),
    ('@main {\n  print "a";\n}', 2, "operands are variables"),
    ("@main {\n  x: int add a b;\n}", 2, "stands no type and ="),
    ("@main {\n  here:\n  nop;\n}", 2, "stands no type and ="),
    ("@main {\n  x: int = const;\n}", 2, "';' is no constant"),
    ("@main {\n  x: int = const y;\n}", 2, "'y' is no constant"),
    ("@main {\n  x: int = add a 3;\n}", 2, "operands are variables"),
    ("@main {\n  x: int = const 1.5;\n}", 2, "no constant of type int"),
    ("@main {\n  x: bool = const 1;\n}", 2, "no constant of type bool"),
    ("@main {\n  x: char = const 'ab';\n}", 2, "has no meaning here"),
    ("@main {\n  x: int = const 9223372036854775808;\n}", 2, "does not fit into 64 bits"),
    ("@main {\n  x: int = const -9223372036854775809;\n}", 2, "does not fit into 64 bits"),
    (f"@main {{\n  x: int = const {'9' * 5000};\n}}", 2, "more digits"),
    ("@main {\n  x: strange = const 1;\n}", 2, "'strange' is no type"),
    ("@main {\n  x: list<int> = id y;\n}", 2, "'list' is no type"),
    ("@main {\n  x: ptr<int = id y;\n}", 2, "the > that closes a type"),
    ("@main {\n  x: ptr<> = id y;\n}", 2, "a type is missing"),
    ("@main(n) {\n}", 1, "the colon and the type"),
    ("@main(n: int, n: int) {\n}", 1, "two parameters named n"),
    ("@main(n: int m: int) {\n}", 1, "a comma or )"),
    ("@main {\n  jmp .nowhere;\n}", 2, "no block of @main is labelled .nowhere"),
    ("@main {\n.a:\n.a:\n}", 3, "a second block of @main is labelled .a"),
    ("@f {\n}\n@f {\n}", 3, "a second function is named @f; the first is on line 1"),
    ("@main {\n  x: int = add a;\n}", 2, "add takes 2 operands, not 1"),
    ("@main {\n  x: int = not a b;\n}", 2, "not takes 1 operand, not 2"),
    ("@main {\n  add a b;\n}", 2, "the value of add goes nowhere"),
    ("@main {\n  x: int = print a;\n}", 2, "print gives no value"),
    ("@main {\n  br c .a;\n.a:\n}", 2, "br takes 2 labels, not 1"),
    ("@main {\n  jmp;\n}", 2, "jmp takes 1 label, not 0"),
    ("@main {\n  print x .a;\n.a:\n}", 2, "print takes 0 labels, not 1"),
    ("@main {\n  call f;\n}", 2, "call names 0 functions"),
    ("@main {\n  ret a b;\n}", 2, "a function returns a single value"),
    ("@main {\n  x: int = mod a b;\n}", 2, "Bril has no operation mod"),
    ("@main {\n  x: bool = add a b;\n}", 2, "add gives a value of type int, not bool"),
    ("@main {\n  x = load p;\n}", 2, "the type of x is missing"),
    ("@main {\n  speculate;\n}", 2, "speculation is not taken"),
    ("@main {\n  guard c .a;\n.a:\n}", 2, "speculation is not taken"),
    ("@main {\n  commit;\n}", 2, "speculation is not taken"),
    ("@main {\n  x: float = bitcast y;\n}", 2, "bitcast is not taken"),
    ("@main {\n.a:\n  x: int = phi y .a;\n}", 3, "stands in the entry block"),
    ("@main {\n.a:\n.b:\n  nop;\n  x: int = phi y .a;\n}", 5, "below an instruction"),
    ("@main {\n.a:\n.b:\n  x: int = phi y .a z;\n}", 4, "2 operands and 1 label"),
    ("@main {\n.a:\n.b:\n  x: int = phi y .q;\n}", 4, "no block of @main is labelled .q"),
    ('from "a.bril" import @f;\n@main {}', 1, "imports are not taken"),
    ("@main {\n  $x: int = const 1;\n}", 2, "'$' has no meaning here"),
    ("@main {\n  @f {\n", 2, "starts inside another"),
]


@pytest.mark.parametrize(("text", "line", "reason"), TEXT_REFUSED)
def test_text_is_refused_with_line_and_reason(text: str, line: int, reason: str) -> None:
    with pytest.raises(BrilError) as caught:
        sw.from_bril(text)
    assert reason in caught.value.message
    assert (caught.value.line, bool(caught.value.hint)) == (line, True)
    assert isinstance(caught.value, sw.ParseError)


def test_columns_count_from_the_start_of_their_line() -> None:
    with pytest.raises(BrilError) as caught:
        sw.from_bril("@main {\n  nop; # a comment\n\n\n     $;\n}")
    assert (caught.value.line, caught.value.column) == (5, 6)
    with pytest.raises(BrilError) as caught:
        sw.from_bril('{"functions": [\n  {"name": "f", "instrs": [\n\n    {"op": "what"}]}]}')
    assert (caught.value.line, caught.value.column) == (4, 5)


def one(instr: Any) -> dict[str, Any]:
    return {"functions": [{"name": "main", "instrs": [instr]}]}


JSON_REFUSED: list[tuple[Any, int, str]] = [
    ("[1]", 1, "no Bril program"),
    ("{", 1, "no JSON"),
    ('{\n"functions": [}', 2, "no JSON"),
    ('{"functions": 3}', 1, "no list of functions"),
    ('{"functions": []}', 1, "there is no function here"),
    ('{"functions": [\n3]}', 1, "a function is no object"),
    ('{"functions": [\n{"instrs": []}]}', 2, "a function has no name"),
    ('{"functions": [\n{"name": "", "instrs": []}]}', 2, "a function has no name"),
    ('{"functions": [\n{"name": "f"}]}', 2, "no list of instrs"),
    ('{"functions": [\n{"name": "f", "instrs": [\n\n5]}]}', 2, "an instruction of @f is no object"),
    ('{"functions": [\n{"name": "f", "instrs": [\n\n{"x": 1}]}]}', 4, "an instruction has no op"),
    ('{"functions": [\n{"name": "f", "instrs": [\n\n{"op": "add", "args": "ab"}]}]}', 4, "no list of names"),
    ('{"functions": [\n{"name": "f", "instrs": [\n{"label": 3}]}]}', 3, "a label has no name"),
    ('{"functions": [\n{"name": "f", "args": [{"name": "n"}], "instrs": []}]}', 2, "has no type"),
    ('{"functions": [\n{"name": "f", "args": 3, "instrs": []}]}', 2, "are no list"),
    ('{"functions": [\n{"name": "f", "type": {"ptr": 3}, "instrs": []}]}', 2, "3 is no type"),
    (one({"op": "const", "dest": "x", "type": "int", "value": [1]}), 1, "is no constant"),
    (one({"op": "const", "dest": "x", "type": "int"}), 1, "None is no constant"),
    (one({"op": "const", "dest": "x", "type": "char", "value": "ab"}), 1, "is no constant"),
    (one({"op": "const", "dest": "x", "type": "int", "value": 2**63}), 1, "does not fit"),
    (one({"op": "const", "dest": 3, "type": "int", "value": 1}), 1, "a destination has no name"),
    ({"functions": [], "imports": [{"path": "a"}]}, 1, "imports are not taken"),
    ('{"functions": ' * 2000, 1, ""),
    ('{"functions": [' + "[" * 100_000, 1, "nested too deeply"),
]


@pytest.mark.parametrize(("program", "line", "reason"), JSON_REFUSED)
def test_json_is_refused_with_line_and_reason(program: Any, line: int, reason: str) -> None:
    with pytest.raises(BrilError) as caught:
        sw.from_bril(program)
    assert reason in caught.value.message
    assert caught.value.line == line


def test_json_numbers_that_are_no_ints_for_json_are_ints_for_bril() -> None:
    assert body_of(json.dumps(one({"op": "const", "dest": "x", "type": "int", "value": 3.0}))) == ["x = 3"]
    assert body_of(json.dumps(one({"op": "const", "dest": "x", "type": "float", "value": 3}))) == ["x = 3.0"]


def test_what_is_no_text_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="Bril's text or JSON, not int"):
        sw.from_bril(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a Func or a Program, not str"):
        sw.to_bril("@main {}")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there are: text, json"):
        sw.to_bril(sw.parse("a:"), "yaml")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there are: get, phi"):
        sw.to_bril(sw.parse("a:"), phis="set")  # type: ignore[arg-type]


# --- to_bril: what Bril has no word for

SAID = [
    ("x = a % b", [(7, -2), (-7, 2), (-(2**63), -1), (5, 0)]),
    (
        "x = a // b",
        [
            (7, -2),
            (-7, 2),
            (7, 2),
            (-7, -2),
            (6, -2),
            (6, 2),
            (-6, 2),
            (0, 3),
            (0, -3),
            (-(2**63), -1),
            (2**63 - 1, -1),
            (5, 0),
        ],
    ),
    (
        "x = a %% b",
        [
            (7, -2),
            (-7, 2),
            (7, 2),
            (-7, -2),
            (6, -2),
            (6, 2),
            (-6, 2),
            (0, 3),
            (0, -3),
            (-(2**63), 3),
            (1, -(2**63)),
            (5, 0),
        ],
    ),
    ("x = -a", [(3, 0), (-(2**63), 0)]),
    ("x = a != b", [(1, 1), (1, 2)]),
    ("a = a // b\n  x = a", [(7, -2), (-9, 2)]),
    ("c = a < b\n  d = a > b\n  x = c == d", [(1, 1), (1, 2)]),
    ("c = a < b\n  d = a > b\n  x = c != d", [(1, 1), (1, 2)]),
    ("c = a < b\n  d = a > b\n  x = c ^ d", [(1, 1), (1, 2)]),
    ("y = 0.0\n  z = -y\n  x = 1.0 / z", [(1, 1)]),
    ("y = inf\n  z = nan\n  x = y + z\n  print y, x", [(1, 1)]),
]


@pytest.mark.parametrize("in_ssa", [False, True])
@pytest.mark.parametrize(("code", "values"), SAID)
def test_operators_that_bril_lacks_are_said_with_those_it_has(
    code: str, values: list[tuple[int, int]], in_ssa: bool
) -> None:
    func = sw.parse(f"func main(a, b):\nentry:\n  {code}\n  print x\n")
    for phis in ("get", "phi"):
        written = sw.to_bril(sw.to_ssa(func) if in_ssa else func, phis=phis)
        back = sw.from_bril(written)
        if in_ssa:
            assert sw.verify(back) == []  # type: ignore[arg-type]
        for args in values:
            before, after = sw.run(func, args), sw.run(back, args)
            assert (str(before.prints), before.reason) == (str(after.prints), after.reason)


@pytest.mark.parametrize("n", [0, 1, 5, 9])
def test_switches_and_conditions_as_in_c_are_said_with_branches(n: int) -> None:
    func = sw.parse(
        "func main(n):\n0:\n  switch n [1: 1, 5: 2] else 3\n1:\n  print 1\n  goto 3\n2:\n  print 2\n3:\n"
        "  if n goto 4 else 5\n4:\n  print 4\n5:\n  print 5\n"
    )
    assert sw.run(sw.from_bril(sw.to_bril(func)), [n]).prints == sw.run(func, [n]).prints


UNSAYABLE = [
    ("x = ?", "no ?"),
    ("use n", "no use"),
    ("x = n << n", "no << on ints"),
    ("x = n & n", "no & on ints"),
    ("x = ~ n", ""),
    ("y = 1.0\n  x = y % y", "no % on floats"),
    ("p = alloc n\n  x = p == p", "no comparison of pointers"),
    ("x = 1\n  x = true", "mixes"),
    ("p = alloc n\n  store p, p", "points to itself"),
    ("goto a, b\na:\nb:", "goto a, b without a condition"),
]


@pytest.mark.parametrize(("code", "reason"), [case for case in UNSAYABLE if case[1]])
def test_what_bril_cannot_say_is_refused_with_its_place(code: str, reason: str) -> None:
    func = sw.parse(f"func main(n):\nentry:\n  {code}\n")
    with pytest.raises(BrilError) as caught:
        sw.to_bril(func)
    assert reason in caught.value.message and caught.value.hint


def test_float_division_from_python_is_refused_for_it_stops_on_zero() -> None:
    func = sw.from_python("def f(x: float, y: float):\n    return x / y")
    with pytest.raises(BrilError, match=r"float division that stops on 0\.0"):
        sw.to_bril(func)


def test_types_of_pointers_are_found_across_functions() -> None:
    text = """@main {
  n: int = const 1;
  p: ptr<ptr<float>> = alloc n;
  q: ptr<float> = call @make n;
  store p q;
  call @end p;
}
@make(n: int): ptr<float> {
  r: ptr<float> = alloc n;
  ret r;
}
@end(p: ptr<ptr<float>>) {
  q: ptr<float> = load p;
  x: float = const 1.5;
  store q x;
  free q;
  free p;
}
"""
    assert write_text(read_text(sw.to_bril(sw.from_bril(text)))).replace(".entry:\n", "") == write_text(
        read_text(text)
    )


# --- printing floats


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.00000000000000000"),
        (-0.0, "-0.00000000000000000"),
        (0.1, "0.10000000000000001"),
        (-1.5, "-1.50000000000000000"),
        (9999999999.0, "9999999999.00000000000000000"),
        (1e10, "1.00000000000000000e+10"),
        (-1e10, "-1.00000000000000000e+10"),
        (1e-9, "0.00000000100000000"),
        (1e-10, "1.00000000000000004e-10"),
        (5e-324, "4.94065645841246544e-324"),
        (1.7976931348623157e308, "1.79769313486231571e+308"),
        (2.0**-18, "0.00000381469726563"),  # a half, rounded away from zero
        (1e10 + 2.0**-8, "1.00000000000039063e+10"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (math.nan, "NaN"),
    ],
)
def test_a_float_is_printed_as_brili_prints_it(value: float, text: str) -> None:
    assert bril_float(value) == text


def test_random_floats_are_printed_as_the_language_reference_has_it() -> None:
    rng = Random(7)
    for _ in range(300):
        value = rng.choice([-1, 1]) * rng.random() * 10.0 ** rng.randrange(-25, 25)
        half = (2 * rng.randrange(-(2**20), 2**20) + 1) / 2 ** rng.choice([8, 18, 19])
        for number in (value, half, float(round(value, 3))):
            assert bril_float(number) == shown(number)


# --- memory


@pytest.mark.parametrize("rounds", [3, 3_000])
def test_an_outcome_says_how_much_memory_is_left(rounds: int) -> None:
    text = """@main(n: int) {
  zero: int = const 0;
  one: int = const 1;
.loop:
  p: ptr<int> = alloc one;
  q: ptr<int> = alloc one;
  free q;
  n: int = sub n one;
  more: bool = gt n zero;
  br more .loop .end;
.end:
}"""
    assert sw.run(sw.from_bril(text), [rounds]).unfreed == rounds
