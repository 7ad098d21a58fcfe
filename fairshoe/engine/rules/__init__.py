"""The rule sets, one file each. A module in this folder is a rule set as soon as it stands here."""

from importlib import import_module
from pkgutil import iter_modules

from .base import RULES, Rules, check_playable, rules_of

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["RULES", "Rules", "check_playable", "rules_of"]
