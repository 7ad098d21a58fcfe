import { readFileSync } from "node:fs";
import { Client } from "fairshoe";

const HOUSE = "http://127.0.0.1:8000"; // it was started with --cors-origin http://127.0.0.1:8001
const [token] = readFileSync("house.txt", "utf8").match(/fs_\S+/);
const players = ["ann", "bob"];
const client = new Client(HOUSE, token);
const policy = { hash: 900, seed: 900 }; // seconds in which a player must have opened the link
const game = await client.createShoe(players, { shoe: "high-3", deck: "french:1", policy }).catch((error) => {
  if (error.status !== 409) throw error;
  return client.shoe("high-3"); // it exists: this program was ended, and goes on
});
for (const [player, secret] of Object.entries(game.tokens)) {
  const given = new URLSearchParams({ house: HOUSE, shoe: game.name, token: secret });
  console.log(player, `http://127.0.0.1:8001/player.html#${given}`);
}
while (!["draw", "over"].includes(game.state.stage)) await game.wait(); // a minute without the service is waited for
for (const [i, player] of players.entries()) await game.draw(3, { to: player, pos: 3 * i }); // again: the same cards
while (Object.keys(game.state.shown).length < 2) await game.wait();
const [ann, bob] = Object.values(game.state.shown).map((label) => "23456789TJQKA".indexOf(label[0]));
if (game.state.stage !== "over") await game.reveal();
console.log(ann === bob ? "a draw" : ann > bob ? "ann wins" : "bob wins");
