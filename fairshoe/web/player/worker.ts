// A worker that judges hands, so that a page stays quick.

import { judge } from "./hands.ts";

onmessage = ({ data: [id, asked] }) => postMessage([id, judge(asked)]);
