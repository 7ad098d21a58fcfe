"""The modules that a page needs as one script: each once, after those that it imports."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import InputError
from .modules import Module, module_of


def joined_script(entry: str, read: Callable[[str], str]) -> str:
    """The module `entry` and all that it needs, in the order in which a browser would run them (ECMA-262, 16.2.1.5),
    in one scope. `read` gives a module's source by its path. Raises InputError where that scope would mean something
    else."""
    modules: dict[str, Module] = {}
    order: list[Module] = []

    def visit(name: str) -> None:
        modules[name] = module_of(name, read(name))
        for each in modules[name].imports:
            if each.module not in modules:
                visit(each.module)
        order.append(modules[name])

    visit(entry)
    _check_names(order, modules)
    return "\n".join(map(_text, order)) + "\n"


def _text(module: Module) -> str:
    renamed = [f"const {here} = {there};" for each in module.imports for there, here in each.names if here != there]
    return "\n".join([f"// {module.name}", *renamed, module.text])


def _check_names(order: list[Module], modules: dict[str, Module]) -> None:
    """Raise InputError unless each import is an export, and each name at the top level is one module's."""
    owner: dict[str, str] = {}
    for module in order:
        own = list(module.names)
        for each in module.imports:
            for there, here in each.names:
                if there not in modules[each.module].exports:
                    raise InputError(f"imports {there!r}", where=module.name, expected=f"an export of {each.module}")
                if there != here:
                    own.append(here)
        for name in own:
            if name in owner:
                what = f"{name!r} stands at the top level of {owner[name]} too"
                raise InputError(what, where=module.name, expected="another name", remedy="rename one of the two")
            owner[name] = module.name
