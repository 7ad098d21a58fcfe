// The rules of the six games by their clauses: the examples of docs/rules.md, and what it forbids.
import assert from "node:assert/strict";
import test from "node:test";

import { count } from "../../fairshoe/verifier/cards.mjs";
import { GAMES, wrongOption } from "../../fairshoe/verifier/games.mjs";
import { chineseTotal } from "../../fairshoe/verifier/games/chinese.mjs";
import { Round, Wrong } from "../../fairshoe/verifier/games/round.mjs";

const OPTIONS = {
  banker: { packs: 6, minimum: 2, maximum: 500 },
  boxes: { packs: 8, minimum: 2, maximum: 500 },
  casino: { packs: 6, minimum: 2, maximum: 500, insert: 60 },
  chinese: {
    packs: 1, minimum: 1, maximum: 100, rotation: "three_rounds", first_dealer: 1, direction: "clockwise",
    escape: true, free_hand: false, five_dragon_21_triple: false, twenty_one_double: false,
  },
  lounge: { packs: 6, gift: 1000 },
  pontoon: { packs: 1, minimum: 1, maximum: 5, participants: 7 },
};

/** "A T/h" are ranks; the suits do not matter. @param {string} ranks */
const cardsOf = (ranks) => ranks.split(" ").map((rank) => (rank.length > 1 ? rank : `${rank}c`));

/**
 * A round from the cards in the order dealt and what the seats chose, such as "1 hit" or "1 insure 2".
 * @returns {Round}
 */
function play(name, ranks, choices = "", { bets = [[1, 2]], dealer = 0, pool = 0, chips = 100, shoe = 312, options = {} } = {}) {
  const decisions = choices ? choices.split(", ").map((choice) => {
    const [seat, move, ...rest] = choice.split(" ");
    const chosen = rest.map(Number);
    return move === "reveal" ? { seat: Number(seat), move, chosen } : rest.length ? { seat: Number(seat), move, amount: chosen[0] } : { seat: Number(seat), move };
  }) : [];
  const seats = [...bets.map(([seat]) => seat), dealer];
  const round = new Round({
    options: { ...OPTIONS[name], ...options }, bets: bets.map(([seat, amount]) => ({ seat, amount })),
    chips: new Map(seats.map((seat) => [seat, chips])), dealer, pool, cards: cardsOf(ranks), decisions, pos: 0, size: shoe, shoe, burns: false,
  });
  GAMES[name].play(round);
  assert.equal(round.asked, decisions.length, "every choice is used");
  assert.equal(round.cards.length, round.logged.length, "every card is used");
  return round;
}

const results = (round) => round.hands.map(({ outcome, net, insurance }) => [outcome, net + insurance]);
const refused = (...given) => assert.throws(() => play(...given), Wrong);

test("totals: GE-02, CH-11", () => {
  for (const [ranks, total] of [["A 8", 19], ["A 7 J", 18], ["A A", 12], ["A A 9", 21], ["T 9 3", 22]]) assert.equal(count(cardsOf(ranks)).total, total);
  for (const [ranks, total] of [["A 2 T", 13], ["A 9", 20], ["A A 9", 20], ["A 5 5", 20], ["A 2 3 4", 10], ["A 5", 16], ["A 9 T", 20], ["T 9 3", 22]]) {
    assert.equal(chineseTotal(cardsOf(ranks)), total, ranks);
  }
});

test("options: their ranges, none missing, none too many", () => {
  for (const [name, options] of Object.entries(OPTIONS)) {
    assert.equal(wrongOption(GAMES[name], options), undefined);
    assert.equal(wrongOption(GAMES[name], { ...options, packs: 9 }), "packs");
    assert.equal(wrongOption(GAMES[name], { ...options, more: 1 }), "more");
    for (const option of Object.keys(options)) assert.ok(wrongOption(GAMES[name], Object.fromEntries(Object.entries(options).filter(([one]) => one !== option))));
  }
  assert.equal(wrongOption(GAMES.casino, { ...OPTIONS.casino, packs: 3, insert: 63 }), "insert");
  assert.equal(wrongOption(GAMES.banker, { ...OPTIONS.banker, minimum: 600 }), "maximum");
});

test("banker", () => {
  assert.deepEqual(results(play("banker", "T A Q K", "1 insure 1")), [["lose", 0]]);
  assert.deepEqual(results(play("banker", "A A K K", "1 insure 1")), [["push", 2]]);
  assert.deepEqual(results(play("banker", "A 9 K 8")), [["natural", 3]]);
  assert.deepEqual(results(play("banker", "8 T 8 T 3 6 T 8", "1 split, 1 hit, 1 hit")), [["win", 2], ["bust", -2]]);
  assert.deepEqual(results(play("banker", "A 7 A 7 T 5 7", "1 split")), [["natural", 2], ["lose", -2]]); // BK-31
  assert.deepEqual(results(play("banker", "T 7 K 7 A 8 7", "1 split, 1 stand")), [["natural", 2], ["lose", -2]]);
  assert.deepEqual(results(play("banker", "T 9 6 8", "1 surrender")), [["surrender", -1]]);
  assert.deepEqual(results(play("banker", "T 6 9 A 2", "1 stand")), [["push", 0]]); // BK-20: soft 17 is hit
  refused("banker", "A 9 8 8 2", "1 double"); // BK-23
  refused("banker", "8 9 8 8 2 3 T", "1 split, 1 surrender"); // BK-26
  refused("banker", "5 9 6 8 T", "1 double", { chips: 3 }); // GE-11
});

test("casino", () => {
  refused("casino", "J T Q 7 2 3", "1 split"); // CA-20
  assert.deepEqual(results(play("casino", "A T A T K 9", "1 split")), [["win", 2], ["push", 0]]); // CA-23
  assert.deepEqual(results(play("casino", "5 T 6 T T", "1 double")), [["win", 4]]);
  assert.deepEqual(results(play("casino", "K A Q K", "1 insure 1")), [["lose", 0]]);
  assert.deepEqual(results(play("casino", "T A 9 6", "1 decline, 1 stand")), [["win", 2]]); // CA-19: soft 17 stands
  assert.deepEqual(results(play("casino", "T 6 6 5 T", "1 hit")), [["bust", -2]]); // CA-33: no card for the dealer
  assert.deepEqual(results(play("casino", "T 9 5 8 6 T", "1 hit, 1 hit")), [["bust", -2]]); // CA-16: 21 may be hit
  refused("casino", "A T 8 7 2", "1 double"); // CA-25
  refused("casino", "T A 9 K", "1 insure 2"); // CA-28: at most half
});

test("boxes", () => {
  assert.deepEqual(results(play("boxes", "5 A 6 K T", "1 decline, 1 double")), [["lose", -4]]); // BX-29
  assert.deepEqual(results(play("boxes", "8 T 8 A T T", "1 split, 1 stand, 1 stand")), [["lose", -2], ["lose", -2]]);
  assert.deepEqual(results(play("boxes", "Q 9 K 8 5 6", "1 split, 1 stand, 1 stand")), [["lose", -2], ["lose", -2]]); // BX-15
  assert.deepEqual(results(play("boxes", "A 7 A 7 K 9 7", "1 split")), [["push", 0], ["lose", -2]]); // BX-18
  assert.deepEqual(results(play("boxes", "A A K K", "1 insure 1")), [["push", 2]]); // BX-32
  assert.deepEqual(results(play("boxes", "A A K 9", "1 insure 1")), [["natural", 2]]);
  assert.deepEqual(results(play("boxes", "A 9 6 8 T", "1 double")), [["push", 0]]); // BX-20: soft too
});

test("lounge", () => {
  assert.deepEqual(results(play("lounge", "T 7 T 7", "1 stand", { bets: [[1, 1000]], pool: 9000 })), [["lose", 0]]); // LO-27
  assert.deepEqual(results(play("lounge", "T 3 2 2 3 2 3", "1 stand", { bets: [[1, 1000]], pool: 9000 })), [["win", 1000]]); // LO-21
  assert.deepEqual(results(play("lounge", "6 5 A K T", "1 double", { bets: [[1, 1000]], pool: 9000 })), [["lose", 0]]); // LO-17
  const two = play("lounge", "T 9 T 9 T 7", "1 stand, 2 stand", { bets: [[1, 1000], [2, 1000]], pool: 1500 });
  assert.deepEqual(two.hands.map(({ net, short }) => [net, short]), [[1000, 0], [500, 500]]); // LO-06
  assert.equal(two.pool, 0);
  refused("lounge", "A 2 T 7 2", "1 double", { bets: [[1, 1000]], pool: 9000 }); // LO-14
});

test("chinese", () => {
  const seated = { bets: [[2, 1]], dealer: 1 };
  const special = (own, house) => {
    const [a, b] = own.split(" ");
    const [c, d] = house.split(" ");
    return results(play("chinese", `${c} ${a} ${d} ${b}`, "", seated))[0];
  };
  assert.deepEqual(special("A A", "A K"), ["ban-ban", 3]);
  assert.deepEqual(special("A K", "A A"), ["lose", -3]);
  assert.deepEqual(special("A K", "A Q"), ["push", 0]);
  assert.deepEqual(special("7 8", "A A"), ["escape", 0]);
  assert.deepEqual(results(play("chinese", "A 7 A 8", "", { ...seated, options: { escape: false } })), [["lose", -3]]);
  assert.deepEqual(results(play("chinese", "T 2 9 3 4 5 6", "2 hit, 2 hit, 2 hit", seated)), [["5-dragon", 2]]); // CH-30
  assert.deepEqual(results(play("chinese", "T T 6 6 T 9", "2 hit, 2 stand, 1 hit", seated)), [["push", 0]]); // CH-46
  const two = play("chinese", "T T T 7 8 Q 3", "2 stand, 3 stand, 1 reveal 2, 1 hit, 1 reveal 3", { bets: [[2, 1], [3, 1]], dealer: 1 });
  assert.deepEqual(results(two), [["win", 1], ["push", 0]]); // CH-35
  assert.deepEqual(results(play("chinese", "T T 5 5", "2 stop", { ...seated, options: { free_hand: true } })), [["free hand", 0]]);
  const again = play("chinese", "T T 5 9", "1 stop", { ...seated, options: { free_hand: true } });
  assert.deepEqual([results(again), again.void], [[["void", 0]], true]); // CH-24
  refused("chinese", "T T 9 5 9", "2 stand", seated); // CH-27
});

test("pontoon", () => {
  const seated = { bets: [[2, 1]], dealer: 1, shoe: 52 };
  assert.deepEqual(results(play("pontoon", "T T Q K", "2 stand, 1 stand", seated)), [["lose", -1]]); // PO-21
  assert.deepEqual(results(play("pontoon", "7 T 7 9 7", "2 hit", seated)), [["7-7-7", 3]]); // PO-28
  assert.deepEqual(results(play("pontoon", "6 T 8 9 7", "2 hit", seated)), [["8-7-6", 2]]);
  assert.deepEqual(results(play("pontoon", "2 T 3 9 4 5 5 T", "2 hit, 2 hit, 2 hit, 2 hit", seated)), [["5 cards", 2]]); // PO-27
  assert.deepEqual(results(play("pontoon", "2 T 3 9 2 5 4 4", "2 hit, 2 hit, 2 hit, 2 hit, 2 stand", seated)), [["6 cards", 4]]);
  assert.deepEqual(results(play("pontoon", "T T 3 2", "2 stand, 1 stand", seated)), [["win", 1]]); // PO-19
  assert.deepEqual(results(play("pontoon", "A A K K", "", seated)), [["lose", -1]]); // PO-15
  assert.deepEqual(results(play("pontoon", "T A 9 K", "", seated)), [["lose", -2]]); // PO-14
  assert.deepEqual(results(play("pontoon", "A T K 9", "", seated)), [["natural", 2]]);
  assert.deepEqual(results(play("pontoon", "T 9 6 8", "", { ...seated, shoe: 4 })), [["lose", -1]]); // PO-10: no card to hit
});
