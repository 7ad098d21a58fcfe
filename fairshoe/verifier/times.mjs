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

/** @param {number} count @returns {number} in microseconds */
export const seconds = (count) => count * 1e6;

export const HOUR = seconds(3600);
export const MONTH = seconds(30 * 86400);
