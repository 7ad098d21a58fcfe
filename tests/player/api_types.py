"""The API's types in TypeScript: `python -m tests.player.api_types` writes them, from the service's own description."""

from __future__ import annotations

import json
import subprocess

from fairshoe.page import BUILT
from fairshoe.service.api.description import described
from fairshoe.service.app import GROUPS

from ..verifier.node import node

WEB = BUILT.parent
PATH = WEB / "player" / "built" / "api.ts"


def api_types() -> str:
    document = described(GROUPS)
    forms = {"schemas": document["components"]["schemas"]}
    command = [node(), WEB / "node_modules/openapi-typescript/bin/cli.js"]
    command += ["--root-types", "--root-types-no-schema-prefix", "--root-types-keep-casing"]
    given = json.dumps(document | {"paths": {}, "components": forms})
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    PATH.write_text(api_types(), encoding="utf-8")
