// The constants of SHA-2: the first 64 bits after the point of square and cube roots of the first primes (FIPS 180-4).

/** @type {bigint[]} */
const primes = [];
for (let n = 2n; primes.length < 80; n++) if (primes.every((p) => n % p)) primes.push(n);

/**
 * @param {bigint} p
 * @param {bigint} power 2 or 3
 * @returns {bigint} the root's first 64 bits after the point: ⌊p^(1/power) · 2^64⌋ mod 2^64
 */
function fraction(p, power) {
  const target = p << (64n * power);
  let low = 0n;
  let high = 1n << 70n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** power <= target) low = middle;
    else high = middle;
  }
  return low & 0xffffffffffffffffn;
}

/** Of the first 8 primes, square roots. */
export const squareRoots = primes.slice(0, 8).map((p) => fraction(p, 2n));

/** Of the first 80 primes, cube roots. SHA-256 takes the first 64, and of each the upper half. */
export const cubeRoots = primes.map((p) => fraction(p, 3n));
