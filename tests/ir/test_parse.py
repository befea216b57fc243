"""Reading text: what each construct means, and what every malformed one is told."""

from __future__ import annotations

import time

import pytest

import ssawidgets as sw
from ssawidgets.ir import UNDEF, Const, Instr, ParseError, Target, Term

INT = Const("int", 3)

LINES = {
    "x = 3": Instr("x", "copy", (INT,)),
    "x=3": Instr("x", "copy", (INT,)),
    "x = -3": Instr("x", "copy", (Const("int", -3),)),
    "x = a": Instr("x", "copy", ("a",)),
    "x.2 = a.1": Instr("x.2", "copy", ("a.1",)),
    "x = undef": Instr("x", "copy", (UNDEF,)),
    "x = true": Instr("x", "copy", (Const("bool", True),)),
    "x = 1.5": Instr("x", "copy", (Const("float", 1.5),)),
    "x = .5": Instr("x", "copy", (Const("float", 0.5),)),
    "x = 2e-3": Instr("x", "copy", (Const("float", 0.002),)),
    "x = inf": Instr("x", "copy", (Const("float", float("inf")),)),
    "x = -inf": Instr("x", "copy", (Const("float", float("-inf")),)),
    "x = nan": Instr("x", "copy", (Const("float", float("nan")),)),
    "x = -0.0": Instr("x", "copy", (Const("float", -0.0),)),
    "x = 'a'": Instr("x", "copy", (Const("char", "a"),)),
    "x = '\\n'": Instr("x", "copy", (Const("char", "\n"),)),
    "x = '#'": Instr("x", "copy", (Const("char", "#"),)),
    "x = '\\u{1f600}'": Instr("x", "copy", (Const("char", "\U0001f600"),)),
    "x = a + b": Instr("x", "+", ("a", "b")),
    "x = a -1": Instr("x", "-", ("a", Const("int", 1))),
    "x = a - -1": Instr("x", "-", ("a", Const("int", -1))),
    "x = a // b": Instr("x", "//", ("a", "b")),
    "x = a %% b": Instr("x", "%%", ("a", "b")),
    "x = a << 3": Instr("x", "<<", ("a", INT)),
    "x = a <= b": Instr("x", "<=", ("a", "b")),
    "x = a == b": Instr("x", "==", ("a", "b")),
    "x = -a": Instr("x", "neg", ("a",)),
    "x = -(3)": Instr("x", "neg", (INT,)),
    "x = !a": Instr("x", "not", ("a",)),
    "x = !true": Instr("x", "not", (Const("bool", True),)),
    "x = f(a, 3)": Instr("x", "call", ("a", INT), "f"),
    "x = f(): float": Instr("x", "call", (), "f", type="float"),
    "f(a)": Instr(None, "call", ("a",), "f"),
    "print": Instr(None, "print"),
    "print a, 3": Instr(None, "print", ("a", INT)),
    "use a, b": Instr(None, "use", ("a", "b")),
    "x = ?": Instr("x", "opaque", site=1),
    "x = ?7": Instr("x", "opaque", site=7),
    "x = ?: float": Instr("x", "opaque", site=1, type="float"),
    "p = alloc 3": Instr("p", "alloc", (INT,)),
    "x = load p": Instr("x", "load", ("p",)),
    "x = load p: char": Instr("x", "load", ("p",), type="char"),
    "store p, x": Instr(None, "store", ("p", "x")),
    "q = ptradd p, i": Instr("q", "ptradd", ("p", "i")),
    "free p": Instr(None, "free", ("p",)),
    "c = int2char a": Instr("c", "int2char", ("a",)),
    "i = char2int c": Instr("i", "char2int", ("c",)),
    "nop": Instr(None, "nop"),
    "x = 3  # a comment: with = and 'quotes": Instr("x", "copy", (INT,)),
    "größe = 3": Instr("größe", "copy", (INT,)),
}


@pytest.mark.parametrize("line", LINES)
def test_an_instruction_means(line: str) -> None:
    assert sw.parse(f"a:\n  {line}\n").block("a").body == (LINES[line],)


TERMS = {
    "goto b": Term("jump", (), (Target("b"),)),
    "goto b, a": Term("choose", (), (Target("b"), Target("a"))),
    "goto b, b": Term("choose", (), (Target("b"), Target("b"))),
    "if c goto b else a": Term("branch", ("c",), (Target("b"), Target("a"))),
    "if true goto b else goto a": Term("branch", (Const("bool", True),), (Target("b"), Target("a"))),
    "switch x [1: b, -2: a] else b": Term("switch", ("x",), (Target("b"), Target("a"), Target("b")), (1, -2)),
    "switch x [] else b": Term("switch", ("x",), (Target("b"),)),
    "return": Term("return"),
    "return 3": Term("return", (INT,)),
    "goto 4_1": Term("jump", (), (Target("4_1"),)),
    "goto 1e5": Term("jump", (), (Target("1e5"),)),
}


@pytest.mark.parametrize("line", TERMS)
def test_a_terminator_means(line: str) -> None:
    func = sw.parse(f"a:\n  {line}\nb:\n4_1:\n1e5:\n")
    assert func.block("a").term == TERMS[line]
    assert func.block("a").term.written


def test_a_block_without_terminator_falls_through_and_the_last_returns() -> None:
    func = sw.parse("a:\n  x = 1\nb:\n")
    assert func.block("a").term == Term("jump", (), (Target("b"),))
    assert func.block("b").term == Term("return")
    assert not func.block("a").term.written and not func.block("b").term.written
    assert str(func) == "func main():\na:\n  x = 1\nb:\n"


def test_phis_are_parameters_and_arguments() -> None:
    phis = sw.parse("a:\n goto h\nh:\n x.2 = phi(a: 0, h: x.3)\n x.3 = x.2 + 1\n goto h, e\ne:\n")
    args = sw.parse("a:\n goto h(0)\nh(x.2):\n x.3 = x.2 + 1\n goto h(x.3), e\ne:\n")
    assert phis == args
    assert phis.block("h").params == ("x.2",)
    assert [t.args for _, _, t in phis.edges()] == [(Const("int", 0),), ("x.3",), ()]


def test_parallel_edges_with_equal_values_are_one_phi_operand() -> None:
    func = sw.parse("a:\n goto b(1), b(1)\nb(x.1):\n")
    assert "x.1 = phi(a: 1)" in str(func)
    assert sw.parse(str(func)) == func


def test_parallel_edges_with_different_values_need_arguments() -> None:
    func = sw.parse("a:\n if c goto b(1) else b(2)\nb(x.1):\n return x.1\n")
    with pytest.raises(ValueError, match="two edges a > b pass different values"):
        func.text("phi")
    assert str(func) == func.text("args")
    assert sw.parse(str(func)) == func


def test_sites_are_numbered_in_order_around_those_given() -> None:
    func = sw.parse("a:\n x = ?\n y = ?1\n z = ?\n w = ?2\n v = ?\n")
    assert [i.site for i in func.block("a").body] == [3, 1, 4, 2, 5]


def test_parameters_and_kind_of_ints() -> None:
    func = sw.parse("func f(n, x: float, p: ptr) ints=python:\na:\n  y = 99999999999999999999\n")
    assert func.params == ("n", "x", "p")
    assert func.param_types == ("int", "float", "ptr")
    assert func.ints == "python"
    assert sw.parse(str(func)) == func


def test_lines_are_remembered_and_not_compared() -> None:
    a, b = sw.parse("a:\n x = 1\n"), sw.parse("\n\na:\n\n x = 1\n")
    assert a == b
    assert (a.block("a").body[0].line, b.block("a").body[0].line) == (2, 5)


def test_constants_compare_by_type_and_bits() -> None:
    values = [
        Const("int", 1),
        Const("bool", True),
        Const("float", 1.0),
        Const("float", 0.0),
        Const("float", -0.0),
    ]
    assert len(set(values)) == 5
    assert Const("float", float("nan")) == Const("float", float("nan"))


# Malformed text: (program, line, column, offending text, part of the message, part of the hint).
# Positions are counted by hand.
LONG = "9" * 5000
MALFORMED = [
    # program, function
    ("", 1, 1, "", "no function", "entry:"),
    ("# only a comment\n", 1, 1, "", "no function", "label"),
    ("func f():\n", 1, 1, "func", "no blocks", "label"),
    ("func f():\nfunc g():\na:\n", 1, 1, "func", "no blocks", "label"),
    ("func f():\na:\nfunc g():\na:\n", 3, 1, "func", "second function", "parse_program"),
    ("func (a):\na:\n", 1, 6, "(", "function's name", "func name(a, b)"),
    ("func goto():\na:\n", 1, 6, "goto", "word of the notation", "another name"),
    ("func f:\na:\n", 1, 7, ":", "opening (", "func name(a, b)"),
    ("func f(a b):\na:\n", 1, 10, "b", "separated by commas", "func name(a, b)"),
    ("func f(3):\na:\n", 1, 8, "3", "parameter's name", "func name(a, b)"),
    ("func f(a, a):\na:\n", 1, 11, "a", "stands twice", "of its own"),
    ("func f(a: string):\na:\n", 1, 11, "string", "no type", "int, bool, float"),
    ("func f(a:):\na:\n", 1, 10, ")", "no type", "int, bool, float"),
    ("func f() ints python:\na:\n", 1, 15, "python", "comes =", "ints=python"),
    ("func f() ints=big:\na:\n", 1, 15, "big", "kind of ints", "ints=python"),
    ("func f()\na:\n", 1, 9, "", "ends with a colon", "func name(a, b)"),
    ("func f(): a:\n", 1, 11, "a", "after the colon", "next line"),
    # block heads
    ("  x = 1\n", 1, 3, "x", "outside any block", "label"),
    ("func f():\n  goto a\na:\n", 2, 3, "goto", "outside any block", "label"),
    ("a:\na:\n", 2, 1, "a", "second block is labelled 'a'; the first is on line 1", "of its own"),
    ("a:\nif:\n", 2, 1, "if", "labels no block", "another label"),
    ("a: x = 1\n", 1, 4, "x", "beside the label", "next line"),
    ("a:\nb(x y):\n", 2, 5, "y", "separated by commas", "head(i.2, s.2):"),
    ("a:\nb(1):\n", 2, 3, "1", "block parameter's name", "head(i.2, s.2):"),
    # definitions
    ("a:\n x =\n", 2, 5, "", "here should stand a value", "x = a + b"),
    ("a:\n x = )\n", 2, 6, ")", "is not a value", "x = a + b"),
    ("a:\n x = a +\n", 2, 9, "", "a value after +", "x = a + b"),
    ("a:\n x = a + b + c\n", 2, 12, "+", "second operator", "one operator a line"),
    ("a:\n x = a b\n", 2, 8, "b", "left over", "new line"),
    ("a:\n x = a = b\n", 2, 8, "=", "second =", "=="),
    ("a:\n goto = 3\n", 2, 7, "=", "is not a block's label", "goto L"),
    ("a:\n print = 3\n", 2, 2, "print", "word of the notation", "another name"),
    ("a:\n 3 = x\n", 2, 2, "3", "cannot be assigned", "name"),
    ("a:\n x += 1\n", 2, 4, "+", "+= is not an operator", "x = x + a"),
    ("a:\n x := 1\n", 2, 4, ":", ":= is not written", "x ="),
    ("a:\n x == 1\n", 2, 4, "==", "comparison stands alone", "single ="),
    ("a:\n x = goto\n", 2, 6, "goto", "word of the notation", "another name"),
    ("a:\n x = -\n", 2, 7, "", "here should stand a value", "x = -a"),
    ("a:\n x = !\n", 2, 7, "", "here should stand a value", "x = !a"),
    ("a:\n x = -(a\n", 2, 9, "", "not closed", "x = -a"),
    ("a:\n x = f(a\n", 2, 9, "", "separated by commas and end with )", "f(a, b)"),
    ("a:\n x = f(a b)\n", 2, 10, "b", "separated by commas", "f(a, b)"),
    ("a:\n x = f(,)\n", 2, 8, ",", "is not an argument", "f(a, b)"),
    ("a:\n x = ?: number\n", 2, 9, "number", "no type", "int, bool, float"),
    ("a:\n x = 9223372036854775808\n", 2, 6, "9223372036854775808", "64 bits", "ints=python"),
    ("a:\n x = -9223372036854775809\n", 2, 6, "-", "64 bits", "ints=python"),
    ("a:\n x = 'ab'\n", 2, 6, "'ab'", "quote", "one character"),
    ("a:\n x = '\\q'\n", 2, 6, "'\\q'", "no known escape", "\\n"),
    ("a:\n x = '\\u{110000}'\n", 2, 6, "'\\u{110000}'", "no character", "code points"),
    ('a:\n x = "s"\n', 2, 6, '"', "no meaning", "no strings"),
    ("a:\n x = 1;\n", 2, 7, ";", "no meaning", "line of its own"),
    ("a:\n x = y.z\n", 2, 7, ".", "no meaning", "version number"),
    ("a:\n x = ~y\n", 2, 6, "~", "no meaning", "x = a ^ -1"),
    ("a:\n x = @f\n", 2, 6, "@", "no meaning", "without a sign"),
    ("a {\n", 1, 3, "{", "no meaning", "label with a colon"),
    ("a:\n x = 1 ¤ 2\n", 2, 8, "¤", "no meaning", "names, numbers"),
    # phis
    ("a:\n x = phi\n", 2, 9, "", "after phi comes (", "phi(a: x.1, b: x.2)"),
    ("a:\nb:\n x = phi(a)\n", 3, 11, ")", "a colon and its value", "phi(a: x.1, b: x.2)"),
    ("a:\nb:\n x = phi(a: 1\n", 3, 14, "", "end with )", "phi(a: x.1, b: x.2)"),
    ("a:\nb:\n x = phi(a: 1, a: 2)\n", 3, 16, "a", "stands twice", "goto L(a), L(b)"),
    ("a:\nb:\n x = phi(a: )\n", 3, 13, ")", "is not a value", "phi(a: x.1, b: x.2)"),
    ("a:\nb:\n x = phi(a: 1) 3\n", 3, 16, "3", "after the phi", "new line"),
    ("a:\nb:\n y = 1\n x = phi(a: 1)\n", 4, 2, "x", "below an instruction", "first in their block"),
    ("a:\nb:\n x = phi(c: 1)\n", 3, 10, "c", "no predecessor of b", "predecessors of b are a"),
    ("a:\nb:\n goto b\nc:\n x = phi(a: 1)\n", 5, 10, "a", "no predecessor of c", "no predecessors"),
    ("a:\nb:\n x = phi(a: 1)\n goto b\n", 3, 2, "x", "no value for the predecessor b", "b: undef"),
    ("a:\n phi(a: 1)\n", 2, 2, "phi", "defines a name", "x.3 = phi"),
    # effects
    ("a:\n x = alloc\n", 2, 6, "alloc", "takes 1 operand", "p = alloc n"),
    ("a:\n alloc 3\n", 2, 2, "alloc", "goes nowhere", "p = alloc n"),
    ("a:\n x = load p q\n", 2, 13, "q", "separated by commas", "x = load p"),
    ("a:\n load p\n", 2, 2, "load", "goes nowhere", "x = load p"),
    ("a:\n store p\n", 2, 2, "store", "takes 2 operands", "store p, x"),
    ("a:\n x = store p, y\n", 2, 6, "store", "no value to assign", "store p, x"),
    ("a:\n q = ptradd p\n", 2, 6, "ptradd", "takes 2 operands", "ptradd p, i"),
    ("a:\n free\n", 2, 2, "free", "takes 1 operand", "free p"),
    ("a:\n c = int2char\n", 2, 6, "int2char", "takes 1 operand", "int2char a"),
    ("a:\n i = char2int c, c\n", 2, 6, "char2int", "takes 1 operand", "char2int c"),
    ("a:\n use\n", 2, 2, "use", "at least one", "use a, b"),
    ("a:\n print a b\n", 2, 10, "b", "separated by commas", "print a, b"),
    ("a:\n x = nop\n", 2, 6, "nop", "no value to assign", "line of its own"),
    ("a:\n nop 3\n", 2, 6, "3", "left over", "new line"),
    ("a:\n f(a) b\n", 2, 7, "b", "left over", "new line"),
    ("a:\n x\n", 2, 2, "x", "alone does nothing", "use x"),
    ("a:\n + 3\n", 2, 2, "+", "no instruction", "x = a + b"),
    ("a:\n undef\n", 2, 2, "undef", "cannot start a line", "x = a + b"),
    ("a:\n jmp b\nb:\n", 2, 2, "jmp", "not a word", "goto L"),
    ("a:\n while x\n", 2, 2, "while", "not a word", "from_python"),
    ("def f(n):\n return n\n", 1, 1, "def", "not a word", "from_python"),
    # terminators
    ("a:\n goto\n", 2, 6, "", "block's label", "goto L"),
    ("a:\n goto b\n", 2, 7, "b", "no block is labelled 'b'", "labels are a"),
    ("a:\n goto a,\n", 2, 9, "", "block's label", "goto L"),
    ("a:\n goto a a\n", 2, 9, "a", "left over", "last line"),
    ("a:\n goto a(\n", 2, 9, "", "an argument", "a(a, b)"),
    ("a:\n goto a(1)\n", 2, 7, "a", "passes 1 value, a takes 0", "without brackets"),
    ("a:\n goto b\nb(x, y):\n", 2, 7, "b", "passes 0 values, b takes 2", "b(x, y)"),
    ("a:\nb(x):\n", 1, 1, "a", "passes 0 values, b takes 1", "b(x)"),
    ("a:\n goto if\n", 2, 7, "if", "labels no block", "another label"),
    ("a:\n if\n", 2, 4, "", "a condition", "if c goto L else M"),
    ("a:\n if x a else a\n", 2, 7, "a", "comes goto", "if c goto L else M"),
    ("a:\n if x < 3 goto a else a\n", 2, 7, "<", "single name", "compute it first"),
    ("a:\n if x goto a\n", 2, 13, "", "other way is missing", "if c goto L else M"),
    ("a:\n if x goto a else\n", 2, 18, "", "block's label", "if c goto L else M"),
    ("a:\n else a\n", 2, 2, "else", "without its if", "one line"),
    ("a:\n switch\n", 2, 8, "", "a value", "switch x [1: L, 2: M] else N"),
    ("a:\n switch x 1: a else a\n", 2, 11, "1", "cases in [ ]", "switch x [1: L, 2: M] else N"),
    ("a:\n switch x [b: a] else a\n", 2, 12, "b", "no int", "switch x [1: L, 2: M] else N"),
    ("a:\n switch x [1 a] else a\n", 2, 14, "a", "a colon and its label", "switch x"),
    ("a:\n switch x [1: a 2: a] else a\n", 2, 17, "2", "separated by commas", "switch x"),
    ("a:\n switch x [1: a, 1: a] else a\n", 2, 18, "1", "stands twice", "one target a case"),
    ("a:\n switch x [1: a]\n", 2, 17, "", "default is missing", "else N"),
    ("a:\n return x y\n", 2, 11, "y", "left over", "last line"),
    ("a:\n return\n x = 1\n", 3, 2, "x", "nothing can follow", "new block"),
    # names that stand twice on the way into a block
    ("a:\nb(x, x):\n", 2, 6, "x", "parameter 'x' stands twice", "of its own"),
    ("a:\nb:\n x = phi(a: 1)\n x = phi(a: 2)\n", 4, 2, "x", "x is given twice", "of its own"),
    ("a:\n goto b(1)\nb(x):\n x = phi(a: 1)\n", 4, 2, "x", "x is given twice", "of its own"),
    # phis in the entry
    ("a:\n x = phi()\n", 2, 2, "x", "entry block", "a block before it that goes to a"),
    ("a:\n x = phi(a: 1)\n goto a\n", 2, 2, "x", "entry block", "a block before it that goes to a"),
    # numbers and digits
    (f"a:\n x = {LONG}\n", 2, 6, LONG, "5000 digits", "at most 4000"),
    (f"func f() ints=python:\na:\n x = -{LONG}\n", 3, 7, LONG, "5000 digits", "at most 4000"),
    (f"a:\n x = ?{LONG}\n", 2, 7, LONG, "5000 digits", "at most 4000"),
    (f"a:\n x.{LONG} = 1\n", 2, 2, f"x.{LONG}", "5000 digits", "at most 4000"),
    (f"a:\n switch x [{LONG}: a] else a\n", 2, 12, LONG, "5000 digits", "at most 4000"),
    (f"{LONG}:\n", 1, 1, LONG, "5000 digits", "at most 4000"),
    ("a:\n x² = 1\n", 2, 3, "²", "no meaning", "0 to 9"),
    ("a:\n x = ٣\n", 2, 6, "٣", "no meaning", "0 to 9"),
    ("a:\n goto 3²\n", 2, 8, "²", "no meaning", "0 to 9"),
    ("a:\n x = 0x10\n", 2, 6, "0x10", "is not a value", "in decimal, as 16"),
    ("a:\n x = 1_000\n", 2, 6, "1_000", "is not a value", "without _, as 1000"),
    ("a:\n x = 2y\n", 2, 6, "2y", "is not a value", "starts with a letter"),
    ("a:\n x = 1.5.2\n", 2, 7, ".", "no meaning", "a single dot, as 1.5"),
    # words and signs of other notations
    ("a:\n x = a and b\n", 2, 8, "and", "no operator here", "x = a & b"),
    ("a:\n x = a or b\n", 2, 8, "or", "no operator here", "x = a | b"),
    ("a:\n x = a mod b\n", 2, 8, "mod", "no operator here", "x = a % b"),
    ("a:\n x = not a\n", 2, 6, "not", "no operator here", "x = !a"),
    ("a:\n x = not(a)\n", 2, 6, "not", "no operator here", "x = !a"),
    ("a:\n if not c goto a else a\n", 2, 5, "not", "no operator here", "x = !a"),
    ("a:\n if a and b goto a else a\n", 2, 7, "and", "a condition is a single name", "compute it first"),
    ("a:\n if f(x) goto a else a\n", 2, 6, "(", "a condition is a single name", "t = f(a)"),
    ("a:\n x = a if c else b\n", 2, 8, "if", "does not choose", "if c goto L else M"),
    ("a:\n x = p[0]\n", 2, 7, "[", "no indices", "ptradd p, i"),
    ("a:\n p[0] = x\n", 2, 3, "[", "no indices", "store q, x"),
    ("a:\n print p[0]\n", 2, 9, "[", "no indices", "ptradd p, i"),
    ("a:\n print a + 1\n", 2, 10, "+", "single name", "t = a + b"),
    ("a:\n f(a + 1)\n", 2, 6, "+", "an argument is a single name", "t = a + b"),
    ("a:\n f(g(a))\n", 2, 5, "(", "an argument is a single name", "t = f(a)"),
    ("a:\n return x + 1\n", 2, 11, "+", "a returned value is a single name", "t = a + b"),
    ("a:\n return x, y\n", 2, 10, ",", "returns a single value", "return x"),
    ("a:\n return f(x)\n", 2, 10, "(", "a returned value is a single name", "t = f(a)"),
    ("a:\n return -x\n", 2, 9, "-", "is not a returned value", "t = -a"),
    ("a:\nb:\n x = φ(a: 1)\n", 3, 6, "φ", "spelled out", "phi(a: x.1, b: x.2)"),
    ("a:\n x++\n", 2, 3, "+", "++ is not an operator", "x = x + 1"),
    ("a:\n x--\n", 2, 3, "-", "-- is not an operator", "x = x - 1"),
    ("a:\n x, y = 1, 2\n", 2, 3, ",", "assigns to one name", "one assignment a line"),
    ("a:\n %x = 3\n", 2, 2, "%", "no sign in front", "write x"),
    ("a:\n y = %x\n", 2, 6, "%", "is not a value", "without a sign in front: x"),
    ("a:\n jump a\n", 2, 2, "jump", "not a word", "goto L"),
    ("a:\n branch c\n", 2, 2, "branch", "not a word", "if c goto L else M"),
    ("// don't\na:\n", 1, 1, "//", "starts no comment", "#"),
    ("a:\n // one\n", 2, 2, "//", "starts no comment", "#"),
    ("a:\n x = a ≤ b\n", 2, 8, "≤", "no meaning", "<="),
    ("0>1 1>2", 1, 2, ">", "edge of a graph", "sw.cfg"),
    ("a -> b", 1, 3, "-", "edge of a graph", "sw.cfg"),
    ("a:\n a -> b\n", 2, 4, "-", "edge of a graph", "goto L"),
    ("a:\n x = True\n", 2, 6, "True", "Python's word", "written true"),
    ("a:\n x = a & False\n", 2, 10, "False", "Python's word", "written false"),
    ("a:\n x = None\n", 2, 6, "None", "Python's word", "written undef"),
    ("a:\n True = 3\n", 2, 2, "True", "Python's word", "written true"),
    ("a:\n goto None\n", 2, 7, "None", "Python's word", "written undef"),
    # a mark at the start of the text is skipped and not counted
    ("\ufeffa:\na:\n", 2, 1, "a", "second block", "of its own"),
    ("\ufeff + 3\n", 1, 2, "+", "outside any block", "label"),
]


@pytest.mark.parametrize("case", MALFORMED, ids=[repr(c[0])[:60] for c in MALFORMED])
def test_malformed_text_is_told_where_and_what(case: tuple[str, int, int, str, str, str]) -> None:
    text, line, column, offending, message, hint = case
    with pytest.raises(ParseError) as caught:
        sw.parse(text)
    error = caught.value
    assert (error.line, error.column, error.text) == (line, column, offending), str(error)
    assert message in error.message
    assert hint in error.hint
    assert str(error).startswith(f"line {line}, column {column}: ")


@pytest.mark.parametrize("text", [None, 3, b"a:\n", ["a:"]])
def test_what_is_no_text_is_refused(text: object) -> None:
    with pytest.raises(TypeError, match="the text of a program is a string"):
        sw.parse(text)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the text of a program is a string"):
        sw.parse_program(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("sign", ["", "-"])
def test_ints_are_read_up_to_the_stated_length_and_any_is_written(sign: str) -> None:
    head = "func f() ints=python:\na:\n  x = "
    longest = f"{head}{sign}{'9' * 4000}\n"
    assert str(sw.parse(longest)) == longest
    larger = Const("int", int(f"{sign}1") * 10**5000)
    assert str(larger) == f"{sign}1{'0' * 5000}"
    assert repr(larger) == f"Const(type='int', value={sign}1{'0' * 5000})"


def test_words_of_other_languages_name_variables() -> None:
    text = "func f(and, not, mod):\na:\n  is = and + not\n  if not goto and else a\nand:\n  return not\n"
    assert str(sw.parse(text)) == text


def test_many_blocks_phi_operands_and_cases_are_read_in_linear_time() -> None:
    n = 20_000
    labels = [f"b{i}" for i in range(n)]
    chain = "".join(f"{b}:\n  goto z\n" for b in labels)
    phi = ", ".join(f"{b}: 1" for b in labels)
    cases = ", ".join(f"{i}: a" for i in range(n))
    texts = [f"{chain}z:\n  x = phi({phi})\n", f"a:\n  switch x [{cases}] else a\n"]
    start = time.perf_counter()
    blocks, _ = [sw.parse(text) for text in texts]
    assert len(blocks.blocks) == n + 1
    # About 2 s where nothing else runs; looking through lists took minutes.
    assert time.perf_counter() - start < 20


def test_two_functions_of_one_name_are_refused() -> None:
    with pytest.raises(ParseError) as caught:
        sw.parse_program("func f():\na:\nfunc f():\na:\n")
    assert (caught.value.line, caught.value.column) == (3, 1)


def test_an_error_survives_pickling() -> None:
    import pickle

    with pytest.raises(ParseError) as caught:
        sw.parse("a:\n goto b\n")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
