"""Makes the mutants of a package: one small change to the syntax tree of one of its modules each.

Changed are: statements (left out), conditions (negated), comparisons (`<` and `<=`, `==` and `!=`, …), `and` and `or`
(swapped, or one side left out), arithmetic, constants (one more, one less, the other truth, another text), what a
function returns (None, or the argument of the same type), whole functions (which then do nothing), the conditions of
comprehensions, arguments that have a default (left out), `min` and `max`, `any` and `all`.

Not changed is what no test should look at: docstrings, annotations, decorators, imports, `__all__`, what stands under
`if TYPE_CHECKING`, texts for people (with a blank in them), and what an error says. A name that is bound to nothing
fails at once, so assignments to plain names stay.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from copy import copy
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

ROOT = Path(__file__).parents[2]

SHIFTED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
INVERSE = SHIFTED | {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
LEFT_OUT = (ast.Expr, ast.AugAssign, ast.Delete, ast.Raise, ast.Break, ast.Continue)
"""Statements that a mutant does without; so are assignments to attributes and items, and a bare `return`."""


Node = TypeVar("Node", bound=ast.AST)


class Mutant(NamedTuple):
    """`old`, a node of `tree`, becomes `new`."""

    module: str
    path: Path
    tree: ast.Module
    old: ast.AST
    new: ast.AST

    @property
    def where(self) -> str:
        path = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path
        return f"{path}:{self.old.lineno}"  # type: ignore[attr-defined]

    def __str__(self) -> str:
        line = self.path.read_text(encoding="utf-8").split("\n")[self.old.lineno - 1].strip()  # type: ignore[attr-defined]
        return f"{self.where}  {text(self.old)}  →  {text(self.new)}    in  {line}"


def modules_of(package: str) -> dict[str, Path]:
    """The modules of a package, those of packages inside it left out, with their files. Imports only its parents."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise SystemExit(f"no package {package!r}")
    folder = Path(next(iter(found.submodule_search_locations)))
    return {f"{package}.{path.stem}": path for path in sorted(folder.glob("*.py")) if path.stem != "__init__"}


def mutants_of(modules: dict[str, Path]) -> list[Mutant]:
    """Every mutant of these modules, in the order of their lines."""
    known = defaults_in(sorted((ROOT / "fairshoe").rglob("*.py")))
    made: list[Mutant] = []
    for module, path in modules.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        seen = set()
        for old, new in changes(tree, known):
            place = (old.lineno, old.col_offset, ast.dump(new))  # type: ignore[attr-defined]
            if place not in seen:
                seen.add(place)
                made.append(Mutant(module, path, tree, old, new))
    return made


def text(node: ast.AST) -> str:
    """A node on one line."""
    if isinstance(node, ast.FunctionDef):
        said = [line for line in node.body if not is_text(line)]
        return f"def {node.name}: " + ("…" if len(said) > 1 else text(said[0]))
    return " ".join(ast.unparse(node).split())[:90]


# What may be left out of a call.

Defaults = dict[str, tuple[list[str], set[str]]]
"""The name of a function or class → its positional parameters, and the parameters that have a default."""


def defaults_in(paths: Iterable[Path]) -> Defaults:
    found: Defaults = {}
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                names = [arg.arg for arg in node.args.args]
                some = set(names[len(names) - len(node.args.defaults) :])
                kept = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
                some |= {arg.arg for arg, default in kept if default is not None}
                found[node.name] = [name for name in names if name not in ("self", "cls")], some
            elif isinstance(node, ast.ClassDef):
                fields = [item for item in node.body if isinstance(item, ast.AnnAssign)]
                fields = [item for item in fields if not ast.unparse(item.annotation).startswith("ClassVar")]
                names = [ast.unparse(item.target) for item in fields]
                found[node.name] = names, {ast.unparse(item.target) for item in fields if item.value is not None}
    return found


# The changes.


def changes(node: ast.AST, known: Defaults) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Each change to a node or what is under it: the node before and after."""
    match node:
        case ast.FunctionDef():
            yield from ((node, new) for new in emptied(node))
            yield from ((old, new) for old in returns(node) for new in returned(node, old))
        case ast.stmt() if left_out(node):
            yield node, ast.Pass()
    if isinstance(node, ast.expr):
        yield from ((node, new) for new in expressions(node, known))
    elif isinstance(node, ast.If | ast.While) and not for_types(node):
        yield node.test, negated(node.test)
    elif isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield node, altered(node, op=ARITHMETIC[type(node.op)]())
    for child in parts(node):
        yield from changes(child, known)


def parts(node: ast.AST) -> Iterable[ast.AST]:
    """The nodes directly under this one that may be changed."""
    match node:
        case ast.FunctionDef():
            return [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body]
        case ast.ClassDef():
            return node.body
        case ast.AnnAssign():
            return [node.value] if node.value else []
        case ast.If() if for_types(node):
            return node.orelse
        case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.Import() | ast.ImportFrom() | ast.Raise():
            return []
        case ast.JoinedStr():
            return [part for part in node.values if isinstance(part, ast.FormattedValue)]
        case ast.Expr() if is_text(node):
            return []
    return ast.iter_child_nodes(node)


def is_text(node: ast.AST) -> bool:
    """Whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def for_types(node: ast.If | ast.While) -> bool:
    return ast.unparse(node.test) == "TYPE_CHECKING"


def left_out(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.Return(value=None):
            return True
    return isinstance(node, LEFT_OUT) and not is_text(node)


def altered(node: Node, **fields: object) -> Node:
    """A copy with some fields changed."""
    other = copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def negated(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(op=ast.Not()):
            return test.operand
        case ast.Compare(ops=[op]):
            return altered(test, ops=[INVERSE[type(op)]()])
        case ast.Constant():
            return ast.Constant(not test.value)
    return ast.UnaryOp(ast.Not(), test)


def expressions(node: ast.expr, known: Defaults) -> Iterator[ast.AST]:
    match node:
        case ast.Constant():
            yield from (ast.Constant(other) for other in constants(node.value))
        case ast.Compare(ops=ops):
            for index, op in enumerate(ops):
                yield altered(node, ops=[*ops[:index], SHIFTED[type(op)](), *ops[index + 1 :]])
        case ast.BoolOp(values=values):
            yield altered(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
            for index in range(len(values)):
                rest = values[:index] + values[index + 1 :]
                yield altered(node, values=rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.BinOp() if type(node.op) in ARITHMETIC:
            yield altered(node, op=ARITHMETIC[type(node.op)]())
        case ast.IfExp():
            yield altered(node, test=negated(node.test))
        case ast.Call():
            yield from calls(node, known)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            for index, loop in enumerate(node.generators):
                for number, test in enumerate(loop.ifs):
                    before, after = loop.ifs[:number], loop.ifs[number + 1 :]
                    for ifs in (before + after, [*before, negated(test), *after]):
                        loops = [*node.generators]
                        loops[index] = altered(loop, ifs=ifs)
                        yield altered(node, generators=loops)


def constants(value: object) -> list[Any]:
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1, value - 1]
        case str() if " " not in value.strip():
            return [value[1:] or "x"]
    return []


def calls(node: ast.Call, known: Defaults) -> Iterator[ast.AST]:
    name = ast.unparse(node.func).rpartition(".")[2]
    if isinstance(node.func, ast.Name) and name in NAMES:
        yield altered(node, func=ast.Name(NAMES[name], ast.Load()))
    order, optional = known.get(name, ([], set()))
    for index, keyword in enumerate(node.keywords):
        if keyword.arg in optional:
            yield altered(node, keywords=node.keywords[:index] + node.keywords[index + 1 :])
    if order[len(node.args) - 1 : len(node.args)] and order[len(node.args) - 1] in optional:
        yield altered(node, args=node.args[:-1])


# What a function gives.


def returns(function: ast.FunctionDef) -> Iterator[ast.Return]:
    """Its own `return` statements with a value."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Return) and node.value is not None:
            yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            waiting = [*ast.iter_child_nodes(node), *waiting]


def returned(function: ast.FunctionDef, old: ast.Return) -> Iterator[ast.AST]:
    """Other values: the negation of a bool, else None; an argument of the type that is returned."""
    assert old.value is not None
    if type_of(function.returns) == "bool":
        yield ast.Return(negated(old.value))
    elif not (isinstance(old.value, ast.Constant) and old.value.value is None):
        yield ast.Return(ast.Constant(None))
    for name in same_type(function):
        if not (isinstance(old.value, ast.Name) and old.value.id == name):
            yield ast.Return(ast.Name(name, ast.Load()))


def emptied(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The function without what it does, where that is more than one statement."""
    if sum(not is_text(line) for line in function.body) < 2:
        return
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function)):
        yield altered(function, body=[ast.If(ast.Constant(False), [ast.Expr(ast.Yield(None))], [])])
    elif type_of(function.returns) == "None":
        yield altered(function, body=[ast.Pass()])
    for name in same_type(function):
        yield altered(function, body=[ast.Return(ast.Name(name, ast.Load()))])


def same_type(function: ast.FunctionDef) -> list[str]:
    """The parameters that have the type that is returned."""
    wanted = type_of(function.returns)
    return [arg.arg for arg in function.args.args if wanted not in ("", "bool") and type_of(arg.annotation) == wanted]


def type_of(annotation: ast.expr | None) -> str:
    return "" if annotation is None else ast.unparse(annotation)
