// A worker that judges hands, so that a page stays quick.

import { judgeWhole } from "./hands.ts";

onmessage = async ({ data: [id, asked] }) => postMessage([id, await judgeWhole(asked)]);
