"""Random programs in Bril, as JSON objects: every instruction, on graphs that no compiler would make.

Programs are well typed, each variable having one type in a function, and otherwise untidy: labels that nothing leads to, code
after `jmp` and `ret`, both ways of a `br` to one label, jumps to the first label, blocks without labels, empty
blocks, variables never defined, division by what may be zero, memory freed early. Many runs stop or do not end.
"""

from __future__ import annotations

from random import Random
from typing import Any

Object = dict[str, Any]

POOLS: dict[str, list[str]] = {
    "int": ["i", "j", "k", "n.0"],
    "bool": ["b", "%c"],
    "float": ["x", "y"],
    "char": ["ch", "print"],
    "p": ["p", "q"],  # ptr<int>
    "pp": ["pp"],  # ptr<ptr<int>>
}
TYPES: dict[str, Any] = {"p": {"ptr": "int"}, "pp": {"ptr": {"ptr": "int"}}}
ARITHMETIC = ["add", "sub", "mul", "div"]
COMPARISONS = ["eq", "lt", "le", "gt", "ge"]


def bril_type(pool: str) -> Any:
    return TYPES.get(pool, pool)


def random_bril(rng: Random, most_blocks: int = 8) -> Object:
    """A program of one to three functions; `main` has int parameters. Deterministic for the state of `rng`."""
    count = rng.choice([1, 1, 2, 3])
    names = ["main", "f.1", "goto"][:count]
    signatures: list[tuple[str, list[str], str | None]] = []
    for i, name in enumerate(names):
        pools = ["int"] * rng.randrange(3) if i == 0 else rng.choices(list(POOLS), k=rng.randrange(4))
        signatures.append((name, pools, None if i == 0 else rng.choice([None, *POOLS])))
    # The last first: a function is called with the parameters it turned out to have.
    functions = [function(rng, i, signatures, most_blocks) for i in reversed(range(count))]
    rng.shuffle(functions)
    return {"functions": functions}


def function(
    rng: Random, index: int, signatures: list[tuple[str, list[str], str | None]], most_blocks: int
) -> Object:
    name, pools, returned = signatures[index]
    labels = [rng.choice(["l", "then.", "%b"]) + str(i) for i in range(1 + rng.randrange(most_blocks))]
    params: list[Object] = []
    for pool in pools:
        free = [v for v in POOLS[pool] if v not in [p["name"] for p in params]]
        if free:
            params.append({"name": rng.choice(free), "type": bril_type(pool)})
    items: list[Object] = []

    def var(pool: str) -> str:
        return rng.choice(POOLS[pool])

    def const(pool: str, dest: str) -> Object:
        value: Any = {
            "int": rng.choice([0, 1, 2, -1, 7, -(2**63), 2**63 - 1, rng.randrange(-9, 99)]),
            "bool": rng.random() < 0.5,
            "float": rng.choice([0.0, -0.0, 1.5, -2.25, 1e11, 3e-11, 3, 1e308]),
            "char": rng.choice(["a", "Z", "\n", "é", "'"]),
        }[pool]
        return {"op": "const", "dest": dest, "type": pool, "value": value}

    def value(dest_pool: str) -> Object:
        made: Object = {"dest": var(dest_pool), "type": bril_type(dest_pool)}
        if rng.random() < 0.12:
            return made | {"op": "id", "args": [var(dest_pool)]}
        if dest_pool == "int":
            return made | rng.choice(
                [
                    {"op": rng.choice(ARITHMETIC), "args": [var("int"), var("int")]},
                    {"op": rng.choice(ARITHMETIC), "args": [var("int"), var("int")]},
                    {"op": "char2int", "args": [var("char")]},
                    {"op": "load", "args": [var("p")]},
                ]
            )
        if dest_pool == "bool":
            prefix, pool = rng.choice([("", "int"), ("", "int"), ("f", "float"), ("c", "char")])
            return made | rng.choice(
                [
                    {"op": prefix + rng.choice(COMPARISONS), "args": [var(pool), var(pool)]},
                    {"op": rng.choice(["and", "or"]), "args": [var("bool"), var("bool")]},
                    {"op": "not", "args": [var("bool")]},
                ]
            )
        if dest_pool == "float":
            return made | {"op": "f" + rng.choice(ARITHMETIC), "args": [var("float"), var("float")]}
        if dest_pool == "char":
            return const("char", made["dest"])
        if dest_pool == "p":
            return made | rng.choice(
                [
                    {"op": "alloc", "args": [var("int")]},
                    {"op": "ptradd", "args": [var("p"), var("int")]},
                    {"op": "load", "args": [var("pp")]},
                ]
            )
        return made | {"op": "alloc", "args": [var("int")]}

    def instr() -> Object:
        roll = rng.random()
        if roll < 0.25:
            pool = rng.choice(["int", "bool", "float", "char"])
            return const(pool, var(pool))
        if roll < 0.65:
            return value(rng.choice([*POOLS, "int", "int", "bool", "float"]))
        if roll < 0.82:
            pools = rng.choices(["int", "int", "bool", "float", "char"], k=rng.randrange(3))
            return {"op": "print", "args": [var(pool) for pool in pools]}
        if roll < 0.86:
            return {"op": "store", "args": rng.choice([[var("p"), var("int")], [var("pp"), var("p")]])}
        if roll < 0.87:
            return {"op": "free", "args": [var(rng.choice(["p", "pp"]))]}
        later = signatures[index + 1 :]
        if roll < 0.96 and later:
            callee, pools, result = rng.choice(later)
            made: Object = {"op": "call", "funcs": [callee], "args": [var(pool) for pool in pools]}
            if result is not None:
                made |= {"dest": var(result), "type": bril_type(result)}
            return made
        return {"op": "nop"}

    def start() -> None:
        """Define most variables, so that runs get somewhere."""
        for pool in ("int", "bool", "float", "char"):
            for name in POOLS[pool]:
                if rng.random() < 0.93 and name not in [p["name"] for p in params]:
                    items.append(const(pool, name))
        if rng.random() < 0.8:
            items.append({"op": "const", "dest": "k", "type": "int", "value": rng.choice([1, 2, 3])})
            for name in ("p", "q"):
                if rng.random() < 0.9 and name not in [p["name"] for p in params]:
                    items.append({"op": "alloc", "dest": name, "type": TYPES["p"], "args": ["k"]})
                    if rng.random() < 0.8:
                        items.append({"op": "store", "args": [name, "i"]})
            if rng.random() < 0.9 and "pp" not in [p["name"] for p in params]:
                items.append({"op": "alloc", "dest": "pp", "type": TYPES["pp"], "args": ["k"]})
                if rng.random() < 0.8:
                    items.append({"op": "store", "args": ["pp", "p"]})

    def ret() -> Object:
        return {"op": "ret", "args": [var(returned)]} if returned else {"op": "ret"}

    if rng.random() < 0.8:
        start()
        started = True
    else:
        started = False
    for label in labels:
        items.append({"label": label})
        if not started:
            start()
            started = True
        for _ in range(rng.randrange(5)):
            items.append(instr())
        roll = rng.random()
        if roll < 0.25:
            items.append({"op": "jmp", "labels": [rng.choice(labels)]})
        elif roll < 0.65:
            items.append(
                {"op": "br", "args": [var("bool")], "labels": [rng.choice(labels), rng.choice(labels)]}
            )
        elif roll < 0.78:
            items.append(ret())
        if rng.random() < 0.08:
            items.append(instr())
    if returned and rng.random() < 0.9:
        items.append(ret())
    made: Object = {"name": name, "instrs": items}
    if params or rng.random() < 0.5:
        made["args"] = params
    if returned:
        made["type"] = bril_type(returned)
    # A call passes what the signature says; a parameter that found no free name is left out there too.
    signatures[index] = (
        name,
        [next(k for k in POOLS if bril_type(k) == p["type"]) for p in params],
        returned,
    )
    return made


def args_for(program: Object, seed: int = 0) -> list[int]:
    rng = Random(seed)
    main = next(f for f in program["functions"] if f["name"] == "main")
    return [rng.randrange(-5, 20) for _ in main.get("args", [])]
