"""What `from_python` refuses: each with its line, column, offending text, and what to write instead.

In the programs below, ⟦ and ⟧ stand around the piece of source that the error must point at.
"""

from __future__ import annotations

import math

import pytest

from ssawidgets.frontends import PythonError, from_python
from ssawidgets.ir import ParseError

REFUSED = [
    # statements
    ("def f(n):\n    ⟦del n⟧", "del is not taken", "give it a new value"),
    ("def f(n):\n    ⟦assert n > 0⟧\n    return n", "assert is not taken", "test with if"),
    ("def f(n):\n    ⟦raise ValueError⟧", "raise is not taken", "return a value that tells"),
    ("def f(n):\n    ⟦try:⟧\n        n = 1\n    finally:\n        pass", "try is not taken", "with if"),
    ("def f(n):\n    ⟦with n:⟧\n        pass", "with is not taken", "leave it out"),
    ("def f(n):\n    ⟦import math⟧", "import is not taken", "from_python(f, g)"),
    ("def f(n):\n    ⟦from math import gcd⟧", "import is not taken", "from_python(f, g)"),
    ("def f(n):\n    ⟦global n2⟧", "global is not taken", "pass the value as a parameter"),
    ("def f(n):\n    if n:\n        ⟦match n:⟧\n            case 1: pass", "match is not taken", "if and elif"),
    ("def f(n):\n    ⟦def g(): pass⟧", "a function inside a function", "top level"),
    ("def f(n):\n    ⟦class C: pass⟧", "a class is not taken", "parameters"),
    ("⟦async def f(n):⟧\n    return n", "an async function", "plain def"),
    ("⟦class C:⟧\n    pass", "a class is not taken", "parameters"),
    ("⟦import math⟧\ndef f(n):\n    return n", "import is not taken", "from_python(f, g)"),
    ("⟦x = 3⟧\ndef f(n):\n    return n", "outside any function", "def f(n)"),
    ("def f(n):\n    return n\n⟦print(f(3))⟧", "outside any function", "def f(n)"),
    ("def f(n):\n    return n\n⟦def f(n):⟧\n    return 2", "a second function is named f; the first is on line 1", "a name of its own"),
    # heads of functions
    ("def f(*⟦args⟧):\n    return 1", "collects arguments", "one by one"),
    ("def f(**⟦options⟧):\n    return 1", "collects arguments", "one by one"),
    ("def f(n, m=⟦1⟧):\n    return n", "a default value", "pass the value at every call"),
    ("def f(n, *, ⟦m⟧):\n    return n", "keyword-only", "before the *"),
    ("def f(n, xs: ⟦list[int]⟧):\n    return n", "the type list[int]", "int, bool or float"),
    ("def f(s: ⟦str⟧):\n    return 1", "the type str", "int, bool or float"),
    ("def f(n) -> ⟦tuple⟧:\n    return 1", "the type tuple", "int, bool or float"),
    ("@⟦cache⟧\ndef f(n):\n    return n", "a decorator", "without it"),
    # assignments
    ("def f(n):\n    ⟦n[0]⟧ = 1", "an index or slice", "a variable of its own"),
    ("def f(n):\n    ⟦n.x⟧ = 1", "an attribute", "as a parameter"),
    ("def f(n):\n    ⟦n.x⟧ += 1", "an attribute", "as a parameter"),
    ("def f(n):\n    a, b = ⟦n⟧", "only a tuple written out", "both sides spelled out"),
    ("def f(n):\n    ⟦a, b = 1, 2, 3⟧", "2 names on the left, 3 values on the right", "each name"),
    ("def f(n):\n    a, ⟦(b, c)⟧ = 1, (2, 3)", "a tuple within a tuple", "one by one"),
    ("def f(n):\n    a, ⟦*b⟧ = 1, 2", "unpacking with *", "one by one"),
    ("def f(n):\n    a, b = 1, ⟦*n⟧", "unpacking with *", "one by one"),
    ("def f(n):\n    ⟦a = b, c = 1, 2⟧", "several targets with a tuple", "one assignment a line"),
    ("def f(n):\n    a = ⟦1, 2⟧", "a tuple as a value", "a, b = b, a"),
    ("def f(n):\n    if (⟦m := n⟧) > 1:\n        return m\n    return 0", "inside an expression (:=)", "own before"),
    # types
    ("def f(n):\n    x = 1\n    x = ⟦2.5⟧", "x is an int (line 2), and a float here", "give x a float on line 2 too"),
    ("def f(n):\n    n = ⟦2.5⟧", "n is an int (line 1), and a float here", "declare the parameter as n: float"),
    ("def f(n):\n    x = 1.5\n    x = ⟦2⟧", "x is a float (line 2), and an int here", "write 2.0"),
    ("def f(n):\n    x: float = ⟦0⟧", "x is a float (line 2), and an int here", "write 0.0"),
    ("def f(n):\n    x = True\n    x = ⟦n⟧", "x is a bool (line 2), and an int here", "a second variable"),
    ("def f(n, x: float):\n    x, n = 1.5, ⟦x⟧", "n is an int (line 1), and a float here", "n: float"),
    ("def f(n, x: float):\n    return ⟦n + x⟧", "+ mixes an int and a float", "as x: float"),
    ("def f(n, x: float):\n    ⟦x += n⟧", "+ mixes a float and an int", "as x: float"),
    ("def f(n, ok: bool):\n    return ⟦n + ok⟧", "+ mixes an int and a bool", "1 if x else 0"),
    ("def f(n, ok: bool):\n    return ⟦n == ok⟧", "== mixes an int and a bool", "1 if x else 0"),
    ("def f(ok: bool):\n    return ⟦ok + ok⟧", "+ on bools", "1 if x else 0"),
    ("def f(ok: bool):\n    return ⟦ok < True⟧", "< on bools", "1 if x else 0"),
    ("def f(ok: bool):\n    return ⟦-ok⟧", "- on a bool", "not x"),
    ("def f(ok: bool):\n    return ⟦~ok⟧", "~ on a bool", "not x"),
    ("def f(x: float):\n    return ⟦~x⟧", "~ on a float", "for ints"),
    ("def f(x: float):\n    return ⟦x << 1⟧", "<< on floats", "for ints"),
    ("def f(x: float):\n    return x < ⟦9007199254740993⟧", "no float is exactly 9007199254740993", "the float that is meant"),
    (f"def f(x: float):\n    return x < ⟦{10**400}⟧", "no float is exactly", "the float that is meant"),
    ("def f(n, m):\n    return ⟦n / m⟧", "/ on ints", "//"),
    ("def f(n):\n    ⟦n /= 2⟧\n    return n", "/ on ints", "//"),
    ("def f(n, m):\n    return ⟦n ** m⟧", "this power", "a loop that multiplies"),
    ("def f(n):\n    return ⟦n ** 11⟧", "this power", "a loop that multiplies"),
    ("def f():\n    return ⟦2 ** -1⟧", "this power", "a loop that multiplies"),
    ("def f(n):\n    return ⟦n ** -1⟧", "this power", "a loop that multiplies"),
    ("def f(x: float):\n    return ⟦x ** 2⟧", "this power", "a loop that multiplies"),
    ("def f(n, m):\n    return ⟦n @ m⟧", "@ is not taken", "use *"),
    ("def f(n, ok: bool):\n    return ⟦n and ok⟧", "and gives an int or a bool", "x != 0"),
    ("def f(n, x: float):\n    return ⟦n or x⟧", "or gives an int or a float", "x != 0"),
    ("def f(n, x: float):\n    return ⟦x if n else 0⟧", "this gives a float or an int", "write 0.0"),
    ("def f(n, ok: bool):\n    return ⟦n if ok else ok⟧", "this gives an int or a bool", "one type"),
    # returns
    ("def f(n):\n    if n:\n        return 1.5\n    return ⟦2⟧", "f returns a float elsewhere, and an int here", "write 2.0"),
    ("def f(n) -> float:\n    return ⟦n⟧", "f returns a float elsewhere, and an int here", "of one type"),
    ("def f(n):\n    if n:\n        ⟦return⟧\n    return 1", "returns a value elsewhere, and none here", "return a value here too"),
    ("def f(n):\n    if n:\n        ⟦return None⟧\n    return 1", "and none here", "return a value here too"),
    ("def f(n):\n    ⟦if n:⟧\n        return 1", "its end can be reached without one", "end it with a return"),
    ("def f(n):\n    n = n + 1\n    ⟦while n > 0:⟧\n        return n", "its end can be reached", "end it with a return"),
    # values
    ("def f(n):\n    return ⟦[1, 2]⟧", "a list is not taken", "a variable of its own"),
    ("def f(n):\n    return ⟦{1: 2}⟧", "a dict is not taken", "a variable of its own"),
    ("def f(n):\n    return ⟦{1, 2}⟧", "a set is not taken", "a variable of its own"),
    ("def f(n):\n    return ⟦(1, 2)⟧", "a tuple as a value", "a, b = b, a"),
    ("def f(n):\n    return ⟦n[0]⟧", "an index or slice", "a variable of its own"),
    ("def f(n):\n    return ⟦n.real⟧", "an attribute", "as a parameter"),
    ("def f(n):\n    return ⟦lambda: 1⟧", "a lambda", "a def"),
    ("def f(n):\n    return ⟦[i for i in n]⟧", "a comprehension", "a loop"),
    ("def f(n):\n    print(⟦\"hello\"⟧, n)", "a string is not taken", "print(x)"),
    ("def f(n):\n    print(⟦f\"{n}\"⟧)", "an f-string", "print(a, b)"),
    ("def f(n):\n    x = ⟦None⟧", "None is no value", "-1"),
    ("def f(n):\n    return ⟦2j⟧", "2j is not taken", "ints, bools and floats"),
    ("def f(n):\n    ⟦yield n⟧", "yield is not taken", "print the values"),
    ("def f(n):\n    return ⟦n is 3⟧", "is is not taken", "=="),
    ("def f(n):\n    return ⟦n is not 3⟧", "is not is not taken", "!="),
    ("def f(n):\n    return ⟦n in (1, 2)⟧", "in is not taken", "x == 1 or x == 2"),
    ("def f(n):\n    return ⟦n not in (1, 2)⟧", "not in is not taken", "x != 1 and x != 2"),
    # names and calls
    ("def f(n):\n    return n + ⟦LIMIT⟧", "LIMIT is not a variable", "as a parameter"),
    ("def f(n):\n    ⟦LIMIT⟧\n    return n", "LIMIT is not a variable", "as a parameter"),
    ("def f(n):\n    return ⟦f⟧", "the function f is used as a value", "call it: f(…)"),
    ("def f(n):\n    return ⟦abs⟧", "the function abs is used as a value", "call it"),
    ("def f(n):\n    return ⟦g⟧(n)", "there is no function g here", "from_python(f, g)"),
    ("def f(n):\n    return ⟦abs(n)⟧", "Python's abs is not taken", "x if x >= 0 else -x"),
    ("def f(n):\n    return ⟦max(n, 2)⟧", "Python's max is not taken", "a if a > b else b"),
    ("def f(n):\n    return ⟦int(n)⟧", "Python's int is not taken", "a // b"),
    ("def f(n):\n    return ⟦float(n)⟧", "Python's float is not taken", "x: float"),
    ("def f(n):\n    return ⟦len(n)⟧", "Python's len is not taken", "as a parameter"),
    ("def f(n):\n    return ⟦n.bit_length⟧()", "an attribute", "as a parameter"),
    ("def f(n):\n    return ⟦n⟧(1)", "n is a variable here, not a function", "from_python(f, g)"),
    ("def f(n):\n    return ⟦f(n, 1)⟧", "f takes 1 argument, not 2", "write f(n)"),
    ("def f(n):\n    return f(n=⟦1⟧)", "an argument passed by name", "in order"),
    ("def f(n):\n    return f(⟦*n⟧)", "unpacking with *", "one by one"),
    ("def f(n):\n    return f(⟦1.5⟧)", "f takes an int as n, not a float", "declare it in f as n: float"),
    ("def f(x: float):\n    return f(⟦1⟧)", "f takes a float as x, not an int", "write 1.0"),
    ("def g(n):\n    print(n)\ndef f(n):\n    return ⟦g(n)⟧", "g returns no value", "let g return one"),
    ("def f(n):\n    x = ⟦print(n)⟧", "print returns no value", "a line of its own"),
    ("def f(n):\n    print(n, end=⟦\"\"⟧)", "print with end", "print(a, b)"),
    # loops
    ("def f(n):\n    for i in ⟦[1, 2]⟧:\n        pass", "other than range", "for i in range(…)"),
    ("def f(n):\n    for i in ⟦n⟧:\n        pass", "other than range", "for i in range(…)"),
    ("def f(n, range):\n    for i in ⟦range(n)⟧:\n        pass", "other than range", "for i in range(…)"),
    ("def f(n):\n    for ⟦i, j⟧ in range(n):\n        pass", "several variables", "for i in range(…)"),
    ("def f(n):\n    for i in ⟦range()⟧:\n        pass", "1 to 3 arguments, not 0", "range(start, stop, step)"),
    ("def f(n):\n    for i in ⟦range(1, 2, 3, 4)⟧:\n        pass", "1 to 3 arguments, not 4", "range(start, stop, step)"),
    ("def f(n):\n    for i in range(⟦*n⟧):\n        pass", "unpacking with *", "one by one"),
    ("def f(n):\n    for i in range(stop=⟦n⟧):\n        pass", "no named arguments", "range(start, stop, step)"),
    ("def f(x: float):\n    for i in range(⟦x⟧):\n        pass", "range takes ints, not a float", "ints"),
    ("def f(n, x: float):\n    for i in range(n, n, ⟦x⟧):\n        pass", "range takes ints, not a float", "ints"),
    ("def f(n):\n    for i in range(⟦True⟧):\n        pass", "range takes ints, not a bool", "ints"),
    ("def f(n):\n    i = 0.5\n    for ⟦i⟧ in range(n):\n        pass", "i is a float (line 2), and an int here", "another variable"),
    ("def f(n):\n    for i in range(1, n, ⟦0⟧):\n        pass", "a step of 0 never gets anywhere", "above or below 0"),
    ("def f(n):\n    for i in range(1, n, ⟦-0⟧):\n        pass", "a step of 0", "above or below 0"),
    ("def f(n):\n    return ⟦range(n)⟧", "Python's range is not taken", "only in for"),
    # what is refused in code that never runs is still refused
    ("def f(n):\n    return n\n    x = ⟦[1]⟧", "a list is not taken", "a variable of its own"),
    # columns count characters, not bytes
    ("def f(n):\n    größe = n + ⟦[1]⟧", "a list is not taken", "a variable of its own"),
    # not Python at all
    ("def f(n):\n    return ⟦)⟧", "this is not Python: unmatched ')'", "Python itself accepts"),
    # a form feed ends no line, other than for str.splitlines
    ("\x0c\ndef f(n):\n    return ⟦)⟧", "this is not Python: unmatched ')'", "Python itself accepts"),
    ("def f(n):\n    s = '\x85'\n    return ⟦)⟧", "this is not Python: unmatched ')'", "Python itself accepts"),
    # what the grammar takes and the compiler does not
    ("def f(n):\n    ⟦continue⟧", "continue stands in no loop", "while or for"),
    ("def f(n):\n    if n:\n        ⟦break⟧\n    return 1", "break stands in no loop", "while or for"),
    ("def f(n):\n    for i in range(n):\n        pass\n    else:\n        ⟦continue⟧", "continue stands in no loop", "while or for"),
]  # fmt: skip


def place(marked: str) -> tuple[int, int, str, str]:
    """Line, column and text of the marked piece, and the source without marks."""
    before, rest = marked.split("⟦")
    text = rest.split("⟧")[0]
    return (
        before.count("\n") + 1,
        len(before) - before.rfind("\n"),
        text,
        marked.replace("⟦", "").replace("⟧", ""),
    )


@pytest.mark.parametrize(("marked", "message", "hint"), REFUSED, ids=[r[1][:40] for r in REFUSED])
def test_refused(marked, message, hint):
    line, column, text, source = place(marked)
    with pytest.raises(PythonError) as info:
        from_python(source)
    error = info.value
    assert (error.line, error.column, error.text) == (line, column, text)
    assert message in error.message and hint in error.hint
    assert str(error) == f"line {line}, column {column}: {error.message}\n  hint: {error.hint}"


def test_there_are_many():
    assert len(REFUSED) >= 100


def test_it_is_a_parse_error_and_a_value_error():
    with pytest.raises(ParseError):
        from_python("def f(:")
    with pytest.raises(ValueError):
        from_python("")


@pytest.mark.parametrize("value", ["+".join(["n"] * 20_000), "-" * 200_000 + "n"], ids=["sum", "signs"])
def test_a_text_nested_too_deeply_to_be_read(value):
    with pytest.raises(PythonError, match="nested too deeply") as info:
        from_python(f"def f(n):\n    return {value}")
    assert "on a line of its own" in info.value.hint


def test_text_without_a_function():
    for source in ("", "\n\n", '"""only a docstring"""', "# nothing"):
        with pytest.raises(PythonError, match="there is no function here") as info:
            from_python(source)
        assert (info.value.line, info.value.column) == (1, 1)


def test_places_in_a_function_object_are_those_of_its_file():
    def wrong(n):
        return [n]

    with pytest.raises(PythonError) as info:
        from_python(wrong)
    first = wrong.__code__.co_firstlineno
    assert (info.value.line, info.value.column, info.value.text) == (first + 1, 16, "[n]")


def test_places_in_indented_text():
    with pytest.raises(PythonError) as info:
        from_python("""
            def f(n):
                return [n]
        """)
    assert (info.value.line, info.value.column) == (3, 24)


def decorated_by(function):
    return function


@decorated_by
def decorated(n):
    return n


class Holder:
    def method(self, n):
        return n

    @classmethod
    def of_the_class(cls, n):
        return n


@pytest.mark.parametrize("method", [Holder().method, Holder.of_the_class])
def test_a_method_is_refused_as_one(method):
    with pytest.raises(PythonError) as info:
        from_python(method)
    name = method.__name__
    assert info.value.message == f"{name} is a method, bound to an object or a class"
    assert f"write a plain function, def {name}(…): …" in info.value.hint
    assert info.value.line == method.__code__.co_firstlineno


def test_function_objects_that_are_not_taken():
    for thing, message in [
        (lambda n: n, "a lambda"),
        (math.gcd, "gcd is not a function written in Python"),
        (int, "int is not a function written in Python"),
        (decorated, "a decorator is not taken"),
    ]:
        with pytest.raises(PythonError) as info:
            from_python(thing)
        assert message in info.value.message
    for thing in (7, None, [1]):
        with pytest.raises(TypeError, match="from_python takes a function or its source as text"):
            from_python(thing)


def test_a_function_whose_source_cannot_be_had():
    scope: dict = {}
    exec("def ghost(n):\n    return n", scope)
    with pytest.raises(PythonError, match="the source of ghost cannot be found") as info:
        from_python(scope["ghost"])
    assert 'from_python("def ghost(…): …")' in info.value.hint


gcd = math.gcd
number = 3


def calls_a_builtin(n):
    return gcd(n, 6)


def calls_a_number(n):
    return number(n)


def test_called_names_that_are_no_python_functions():
    with pytest.raises(
        PythonError,
        match=r"gcd is not a function written in Python \(its type is builtin_function_or_method\)",
    ):
        from_python(calls_a_builtin)
    with pytest.raises(PythonError, match=r"number is not a function written in Python \(its type is int\)"):
        from_python(calls_a_number)


def test_nesting_too_deep_is_said_so():
    for terms in (400, 900, 2000, 30_000):
        short = "def g(n):\n    return n\n"
        with pytest.raises(PythonError, match=r"too deeply|cannot be read|this is not Python") as info:
            from_python(short + "def f(n):\n    return g(n) + " + "+".join(["n"] * terms))
        if terms < 3000:
            assert (info.value.line, info.value.text) == (3, "def f(n):")
            assert "f nests expressions or statements too deeply" in info.value.message
            assert "a line of its own" in info.value.hint
