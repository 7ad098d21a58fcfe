import { readFileSync } from "node:fs";
import { Client } from "fairshoe";

const HOUSE = "http://127.0.0.1:8000"; // it was started with --cors-origin http://127.0.0.1:8001
const [token] = readFileSync("house.txt", "utf8").match(/fs_\S+/);
const game = await new Client(HOUSE, token).createShoe(["ann", "bob"], { shoe: "high-3", deck: "french:1" });
for (const [player, secret] of Object.entries(game.tokens)) {
  const given = new URLSearchParams({ house: HOUSE, shoe: game.name, token: secret });
  console.log(player, `http://127.0.0.1:8001/player.html#${given}`);
}
while (game.state.stage !== "draw") await game.wait();
for (const player of ["ann", "bob"]) await game.draw(3, { to: player });
while (Object.keys(game.state.shown).length < 2) await game.wait();
const [ann, bob] = Object.values(game.state.shown).map((label) => "23456789TJQKA".indexOf(label[0]));
await game.reveal();
console.log(ann === bob ? "a draw" : ann > bob ? "ann wins" : "bob wins");
