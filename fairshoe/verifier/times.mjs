// Times as a log has them: 2026-01-01T00:00:00.244000Z, always with six decimals.

const FORM = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\.(\d{3})(\d{3})Z$/;

/** @param {unknown} text @returns {number | null} microseconds since 1970; null where it is no such time */
export function microseconds(text) {
  const found = typeof text === "string" ? FORM.exec(text) : null;
  if (!found) return null;
  const milliseconds = Date.parse(`${found[1]}.${found[2]}Z`);
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, 19) !== found[1]) return null;
  return milliseconds * 1000 + Number(found[3]);
}

/** @param {number} at in microseconds @returns {string} to the millisecond */
export const momentText = (at) => new Date(at / 1000).toISOString();

/** @param {number} count @returns {number} in microseconds */
export const seconds = (count) => count * 1e6;

export const HOUR = seconds(3600);
export const DAY = 24 * HOUR;
export const MONTH = 30 * DAY;

/** @param {number[]} times that do not fall @param {number} at @returns {number} the place of the last that is not later; -1 where each is */
export function placeUpTo(times, at) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The log's own time: it stands still from an hour after an entry to the next one. */
export class OwnTime {
  constructor() {
    /** where each longer gap begins, where it ends, and how long those before it stood still @type {number[]} */
    this.begins = [];
    /** @type {number[]} */ this.ends = [];
    /** @type {number[]} */ this.before = [];
    this.still = 0;
  }

  /** @param {number} from @param {number} to two neighbouring entries */
  pass(from, to) {
    if (to - from <= HOUR) return;
    this.begins.push(from);
    this.ends.push(to);
    this.before.push(this.still);
    this.still += to - from - HOUR;
  }

  /** @param {number} at @returns {number} what it was then */
  at(at) {
    const place = placeUpTo(this.begins, at);
    if (place < 0) return at;
    const gap = Math.min(at, this.ends[place]) - this.begins[place];
    return at - this.before[place] - Math.max(0, gap - HOUR);
  }
}
