"""The operator table: every operator's values and traps, for 64-bit and unbounded ints, and its types."""

from __future__ import annotations

import math
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssawidgets.ir import parse
from ssawidgets.ir.model import BINARY, INT_MAX, INT_MIN, UNDEF, Const
from ssawidgets.ir.types import infer_types
from ssawidgets.opt.operators import (
    CLASS_OF,
    MAX_BITS,
    SIGNATURES,
    Pointer,
    Trap,
    UndefTrap,
    arity,
    evaluate,
    fold,
    result_type,
    semantics,
    wrap,
)

INF, NAN = math.inf, math.nan
BOTH = ("i64", "python")

# op, operands, result: the same for both kinds of ints
COMMON = [
    ("+", (2, 3), 5),
    ("-", (2, 3), -1),
    ("*", (-4, 3), -12),
    ("/", (7, 2), 3),
    ("/", (-7, 2), -3),
    ("/", (7, -2), -3),
    ("/", (-7, -2), 3),
    ("%", (7, 2), 1),
    ("%", (-7, 2), -1),
    ("%", (7, -2), 1),
    ("%", (-7, -2), -1),
    ("//", (7, 2), 3),
    ("//", (-7, 2), -4),
    ("//", (7, -2), -4),
    ("//", (-7, -2), 3),
    ("%%", (7, 2), 1),
    ("%%", (-7, 2), 1),
    ("%%", (7, -2), -1),
    ("%%", (-7, -2), -1),
    ("/", (0, -5), 0),
    ("&", (12, 10), 8),
    ("|", (12, 10), 14),
    ("^", (12, -1), -13),
    ("&", (True, False), False),
    ("|", (True, False), True),
    ("^", (True, True), False),
    ("<<", (3, 2), 12),
    ("<<", (0, 63), 0),
    (">>", (-5, 1), -3),
    (">>", (-1, 63), -1),
    (">>", (5, 0), 5),
    ("<", (1, 2), True),
    ("<=", (2, 2), True),
    (">", (1, 2), False),
    (">=", (1, 2), False),
    ("==", (1, 1), True),
    ("!=", (1, 1), False),
    ("==", (True, False), False),
    ("!=", (True, False), True),
    ("<", ("a", "b"), True),
    ("==", ("a", "a"), True),
    (">=", ("é", "z"), True),
    ("==", (Pointer(1, 2), Pointer(1, 2)), True),
    ("!=", (Pointer(1, 2), Pointer(2, 2)), True),
    ("neg", (5,), -5),
    ("not", (True,), False),
    ("int2char", (65,), "A"),
    ("int2char", (0x10FFFF,), "\U0010ffff"),
    ("char2int", ("é",), 233),
    ("+", (0.5, 0.25), 0.75),
    ("-", (0.0, 0.0), 0.0),
    ("*", (-1.0, 0.0), -0.0),
    ("+", (1e308, 1e308), INF),
    ("-", (INF, INF), NAN),
    ("/", (1.0, 4.0), 0.25),
    ("//", (-7.5, 2.0), -4.0),
    ("%%", (-7.5, 2.0), 0.5),
    ("%", (-7.5, 2.0), -1.5),
    ("%", (INF, 2.0), NAN),
    ("%", (3.0, INF), 3.0),
    ("neg", (0.0,), -0.0),
    ("<", (NAN, 1.0), False),
    (">=", (NAN, 1.0), False),
    ("==", (NAN, NAN), False),
    ("!=", (NAN, NAN), True),
    ("==", (0.0, -0.0), True),
]
I64 = [
    ("+", (INT_MAX, 1), INT_MIN),
    ("-", (INT_MIN, 1), INT_MAX),
    ("*", (INT_MAX, 2), -2),
    ("*", (INT_MIN, INT_MIN), 0),
    ("*", (2**32, 2**31), INT_MIN),
    ("/", (INT_MIN, -1), INT_MIN),
    ("%", (INT_MIN, -1), 0),
    ("//", (INT_MIN, -1), INT_MIN),
    ("%%", (INT_MIN, -1), 0),
    ("neg", (INT_MIN,), INT_MIN),
    ("<<", (1, 63), INT_MIN),
    ("<<", (3, 63), INT_MIN),
    ("<<", (-1, 62), -(2**62)),
]
UNBOUNDED = [
    ("+", (INT_MAX, 1), 2**63),
    ("-", (INT_MIN, 1), -(2**63) - 1),
    ("*", (2**64, 2**64), 2**128),
    ("/", (-(10**40), 3), -(10**40 // 3)),
    ("//", (INT_MIN, -1), 2**63),
    ("neg", (INT_MIN,), 2**63),
    ("<<", (1, 100), 2**100),
    ("<<", (0, 10**30), 0),
    (">>", (2**100, 99), 2),
    (">>", (-1, 10**30), -1),
]
# float divisions by zero: IEEE in a Func of ours, a trap in one from Python
FLOAT_ZERO = [
    ("/", (1.0, 0.0), INF),
    ("/", (-1.0, 0.0), -INF),
    ("/", (1.0, -0.0), -INF),
    ("/", (0.0, 0.0), NAN),
    ("/", (NAN, 0.0), NAN),
    ("//", (1.0, 0.0), INF),
    ("//", (-1.0, 0.0), -INF),
    ("%%", (1.0, 0.0), NAN),
    ("%", (1.0, 0.0), NAN),
]
TRAPS = [
    ("/", (1, 0), BOTH, "division by zero"),
    ("%", (1, 0), BOTH, "division by zero"),
    ("//", (1, 0), BOTH, "division by zero"),
    ("%%", (0, 0), BOTH, "division by zero"),
    ("<<", (1, 64), ("i64",), "shift by 64, outside 0 to 63"),
    (">>", (1, 64), ("i64",), "shift by 64, outside 0 to 63"),
    ("<<", (1, -1), ("i64",), "shift by -1, outside 0 to 63"),
    (">>", (1, -1), ("i64",), "shift by -1, outside 0 to 63"),
    ("<<", (1, -1), ("python",), "shift by -1, below 0"),
    (">>", (1, -1), ("python",), "shift by -1, below 0"),
    ("<<", (0, -1), BOTH, "shift by -1"),
    ("<<", (1, MAX_BITS), ("python",), "an int grew beyond 1,000,000 bits"),
    ("<<", (-1, MAX_BITS), ("python",), "an int grew beyond 1,000,000 bits"),
    ("<<", (1, -(1 << 20_000)), ("python",), "shift by <negative int of 6,021 digits>, below 0"),
    (">>", (1, -(1 << 20_000)), ("python",), "shift by <negative int of 6,021 digits>, below 0"),
    ("int2char", (10**60,), ("python",), "int2char of <int of 61 digits>, which"),
    ("*", (1 << (MAX_BITS - 1), 2), ("python",), "an int grew beyond 1,000,000 bits"),
    ("*", (1 << (MAX_BITS - 1), -2), ("python",), "an int grew beyond 1,000,000 bits"),
    ("*", (1 << (MAX_BITS - 1), 4), ("python",), "an int grew beyond 1,000,000 bits"),
    ("*", (1 << (MAX_BITS - 1), -4), ("python",), "an int grew beyond 1,000,000 bits"),
    ("int2char", (-1,), BOTH, "int2char of -1, which is no Unicode character"),
    ("int2char", (0x110000,), BOTH, "int2char of 1114112"),
    ("int2char", (0xD800,), BOTH, "int2char of 55296"),
    ("int2char", (0xDFFF,), BOTH, "int2char of 57343"),
    ("+", (1, True), BOTH, "+ takes two ints or floats, not int and bool"),
    ("+", (1, 1.0), BOTH, "+ takes two ints or floats, not int and float"),
    ("+", (True, True), BOTH, "+ takes two ints or floats, not bool and bool"),
    ("+", ("a", "b"), BOTH, "+ takes two ints or floats, not char and char"),
    ("&", (1.0, 1.0), BOTH, "& takes two ints or bools, not float and float"),
    ("<", (True, False), BOTH, "< takes two ints, floats or chars, not bool and bool"),
    ("<", (Pointer(1, 0), Pointer(1, 1)), BOTH, "not ptr and ptr"),
    ("==", (1, True), BOTH, "== takes two ints, bools, floats, chars or ptrs, not int and bool"),
    ("==", (1, 1.0), BOTH, "not int and float"),
    ("<<", (1.0, 1), BOTH, "<< takes two ints, not float and int"),
    ("not", (1,), BOTH, "! takes a bool, not int"),
    ("neg", (True,), BOTH, "- takes an int or a float, not bool"),
    ("int2char", ("a",), BOTH, "int2char takes an int, not char"),
    ("char2int", (65,), BOTH, "char2int takes a char, not int"),
    ("+", (1,), BOTH, "+ takes 2 operands, not 1"),
    ("neg", (1, 2), BOTH, "- takes 1 operand, not 2"),
]


def exact(value: object) -> object:
    return (type(value), Const("float", value)) if isinstance(value, float) else (type(value), value)


@pytest.mark.parametrize(
    ("ints", "op", "args", "wanted"),
    [(i, *row) for i in BOTH for row in COMMON]
    + [("i64", *row) for row in I64]
    + [("python", *row) for row in UNBOUNDED]
    + [(i, *row) for i in BOTH for row in FLOAT_ZERO],
)
def test_values(ints, op, args, wanted):
    assert exact(evaluate(op, args, ints)) == exact(wanted)


def test_the_largest_ints_of_python():
    half = 2 ** (MAX_BITS // 2)
    for sign in (1, -1):
        assert evaluate("*", (half - 1, sign * (half + 1)), "python") == sign * (2**MAX_BITS - 1)
        assert evaluate("<<", (sign, MAX_BITS - 1), "python") == sign * 2 ** (MAX_BITS - 1)


def test_ints_too_long_to_be_written_fold_to_none_where_they_trap():
    huge = Const("int", 1 << 20_000)
    minus = Const("int", -huge.value)
    for op, args in (("<<", (huge, minus)), (">>", (huge, minus)), ("int2char", (huge,))):
        assert fold(op, args, "python") is None
    assert fold("+", (huge, minus), "python") == Const("int", 0)


@pytest.mark.parametrize(
    ("op", "args", "ints", "reason"), [(o, a, i, r) for o, a, ii, r in TRAPS for i in ii]
)
def test_traps_say_why(op, args, ints, reason):
    with pytest.raises(Trap) as info:
        evaluate(op, args, ints)
    assert reason in info.value.reason
    assert not isinstance(info.value, UndefTrap)


@pytest.mark.parametrize(("op", "args"), [row[:2] for row in FLOAT_ZERO])
def test_float_division_by_zero_traps_in_a_func_from_python(op, args):
    with pytest.raises(Trap, match="division by zero"):
        evaluate(op, args, "python", "python")


@pytest.mark.parametrize("op", SIGNATURES)
@pytest.mark.parametrize("ints", BOTH)
def test_undef_traps_before_anything_else(op, ints):
    # `undef / 0` and `undef << -1` are traps on undef; == and ! do not take it for a value either.
    for args in [(UNDEF, 0), (UNDEF, -1), (0, UNDEF), (UNDEF, UNDEF), (UNDEF, True), (UNDEF, 0.0)]:
        with pytest.raises(UndefTrap, match="undef"):
            evaluate(op, args[: arity(op)] if args[0] is UNDEF else args, ints)


def test_what_is_no_operator_raises_a_key_error():
    for name in ("**", "call", "copy"):
        with pytest.raises(KeyError):
            evaluate(name, (1, 2))
        with pytest.raises(KeyError):
            result_type(name, ("int", "int"))


def test_every_operator_of_the_notation_is_in_the_table_and_no_other():
    assert set(SIGNATURES) == {*BINARY, "neg", "not", "int2char", "char2int"}
    assert {op for op in SIGNATURES if arity(op) == 2} == set(BINARY)


@pytest.mark.parametrize("ints", BOTH)
@pytest.mark.parametrize("lang", [None, "python"])
def test_signatures_and_semantics_agree(ints, lang):
    samples = {"int": 3, "bool": True, "float": 1.5, "char": "c", "ptr": Pointer(1, 0)}
    for op, table in semantics(ints, lang).items():
        assert set(table) == {CLASS_OF[t] for t in SIGNATURES[op]}
        for kind, result in SIGNATURES[op].items():
            value = evaluate(op, (samples[kind],) * arity(op), ints, lang)
            assert type(value) is CLASS_OF[result], (op, kind)
            assert result_type(op, (kind,) * arity(op)) == result
        for kind in set(samples) - set(SIGNATURES[op]):
            assert result_type(op, (kind,) * arity(op)) is None


def test_result_type_of_mixed_types_or_a_wrong_count_is_none():
    assert result_type("+", ("int", "float")) is None
    assert result_type("+", ("int",)) is None
    assert result_type("not", ("bool", "bool")) is None


def test_the_types_inferred_from_a_program_are_those_the_table_gives():
    consts = {"int": "3", "bool": "true", "float": "1.5", "char": "'c'"}
    for op in SIGNATURES:
        for kind, text in consts.items():
            line = {
                "neg": "r = -a",
                "not": "r = !a",
                "int2char": "r = int2char a",
                "char2int": "r = char2int a",
            }.get(op, f"r = a {op} b")
            types = infer_types(parse(f"e:\n  a = {text}\n  b = {text}\n  {line}"))
            wanted = SIGNATURES[op].get(kind)
            assert bool(types.problems) == (wanted is None), (op, kind)
            if wanted:
                assert types.of["r"] == wanted, (op, kind)


INT = st.integers(INT_MIN, INT_MAX) | st.sampled_from([INT_MIN, INT_MAX, 0, 1, -1, 2**32])


@given(INT, INT)
def test_i64_is_the_last_64_bits_of_the_exact_result(a, b):
    for op, exactly in (("+", operator.add), ("-", operator.sub), ("*", operator.mul)):
        got = evaluate(op, (a, b))
        assert INT_MIN <= got <= INT_MAX and (got - exactly(a, b)) % 2**64 == 0


@given(INT, INT)
def test_division_laws(a, b):
    if b == 0:
        return
    for ints in BOTH:
        q, r = evaluate("/", (a, b), ints), evaluate("%", (a, b), ints)
        assert evaluate("+", (evaluate("*", (q, b), ints), r), ints) == a
        assert abs(r) < abs(b) and (r == 0 or (r < 0) == (a < 0))
        q, r = evaluate("//", (a, b), ints), evaluate("%%", (a, b), ints)
        assert evaluate("+", (evaluate("*", (q, b), ints), r), ints) == a
        assert abs(r) < abs(b) and (r == 0 or (r < 0) == (b < 0))
    assert evaluate("//", (a, b), "python") == a // b
    assert evaluate("%%", (a, b), "python") == a % b


@given(INT, st.integers(0, 63))
def test_shifts(a, count):
    assert evaluate("<<", (a, count)) == wrap(a * 2**count)
    assert evaluate(">>", (a, count)) == a // 2**count


FLOAT = st.floats()


@given(FLOAT, FLOAT)
def test_float_results_are_pythons(a, b):
    for op, of_python in (("+", operator.add), ("-", operator.sub), ("*", operator.mul), ("<", operator.lt)):
        assert exact(evaluate(op, (a, b))) == exact(of_python(a, b))
    if b != 0.0:
        for op, of_python in (("/", operator.truediv), ("//", operator.floordiv), ("%%", operator.mod)):
            for lang in (None, "python"):
                assert exact(evaluate(op, (a, b), "python", lang)) == exact(of_python(a, b))


@given(st.integers())
def test_wrap(a):
    assert INT_MIN <= wrap(a) <= INT_MAX and (wrap(a) - a) % 2**64 == 0


class TestFold:
    def test_gives_constants_by_type(self):
        assert fold("<", (Const("int", 1), Const("int", 2))) == Const("bool", True)
        assert fold("neg", (Const("float", 0.0),)) == Const("float", -0.0)
        assert fold("int2char", (Const("int", 97),)) == Const("char", "a")

    @pytest.mark.parametrize(
        ("op", "args", "ints", "reason"), [(o, a, i, r) for o, a, ii, r in TRAPS for i in ii]
    )
    def test_folds_nothing_that_traps(self, op, args, ints, reason):
        if any(isinstance(a, Pointer) for a in args):
            return
        kinds = {cls: kind for kind, cls in CLASS_OF.items()}
        assert fold(op, tuple(Const(kinds[type(a)], a) for a in args), ints) is None

    def test_knows_the_kind_of_ints_and_the_language(self):
        big = (Const("int", INT_MAX), Const("int", 1))
        assert fold("+", big) == Const("int", INT_MIN)
        assert fold("+", big, "python") == Const("int", 2**63)
        zero = (Const("float", 1.0), Const("float", 0.0))
        assert fold("/", zero) == Const("float", INF)
        assert fold("/", zero, "python", "python") is None
