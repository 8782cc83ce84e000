// Six numerical functions with branches that only few inputs reach.
//
// Each keeps the decisions that its method is known for, with loops where a library would do,
// since the branches are what the service is there for. What a function does not take is
// `Refused`; what has no value (a zero divided by zero, say) is NaN.

const EULER = 0.5772156649;
const TINY = 1e-30;
const MOST_STEPS = 100;

/** The function does not take such values, or finds no end with them. */
export class Refused extends Error {}

/** 0 no triangle, 1 scalene, 2 isosceles, 3 equilateral. */
export function triangle(a, b, c) {
  if (a <= 0 || b <= 0 || c <= 0) return 0;
  if (a === b && b === c) return 3;
  if (a >= b && a >= c && a - b >= c) return 0;
  if (b >= a && b >= c && b - a >= c) return 0;
  if (c >= a && c >= b && c - a >= b) return 0;
  if (a === b || b === c || a === c) return 2;
  return 1;
}

// Bessel functions

const BIG = 1e10;
const SMALL = 1e-10;
const SERIES_TERMS = 40;
const HANKEL_TERMS = 16;

/** The Bessel function of the first kind of order n. */
export function bessj(n, x) {
  if (n <= 2 || n > 1000) throw new Refused("the order is out of range");
  const size = Math.abs(x);
  if (size === 0) return 0;
  const result = size > n ? besselUpward(n, size) : besselDownward(n, size);
  if (x < 0 && n % 2 === 1) return -result;
  return result;
}

function besselUpward(n, x) {
  let below = besselJ0(x);
  let current = besselJ1(x);
  for (let order = 1; order < n; order++) {
    [below, current] = [current, ((2 * order) / x) * current - below];
  }
  return current;
}

/** Miller's way: begin high up with anything, and put it right by the sum of the even orders. */
function besselDownward(n, x) {
  const start = Math.floor((n + Math.round(Math.sqrt(40 * n))) / 2) * 2;
  let above = 0;
  let current = 1;
  let total = 0;
  let wanted = 0;
  for (let order = start - 1; order >= 0; order--) {
    [above, current] = [current, ((2 * (order + 1)) / x) * current - above];
    if (Math.abs(current) > BIG) {
      above *= SMALL;
      current *= SMALL;
      total *= SMALL;
      wanted *= SMALL;
    }
    if (order % 2 === 0) total += current;
    if (order === n) wanted = current;
  }
  return wanted / (2 * total - current);
}

function besselJ0(x) {
  if (x < 8) return besselSeries(0, x);
  return besselHankel(0, x);
}

function besselJ1(x) {
  if (x < 8) return besselSeries(1, x);
  return besselHankel(1, x);
}

function besselSeries(order, x) {
  let term = (x / 2) ** order;
  let total = term;
  for (let k = 1; k < SERIES_TERMS; k++) {
    term *= -(x * x) / (4 * k * (k + order));
    total += term;
  }
  return total;
}

/** The expansion for large arguments; its terms go in turn to the cosine and the sine. */
function besselHankel(order, x) {
  const parts = [0, 0];
  let term = 1;
  for (let k = 0; k < HANKEL_TERMS; k++) {
    const sign = Math.floor(k / 2) % 2 ? -1 : 1;
    parts[k % 2] += sign * term;
    term *= (4 * order * order - (2 * k + 1) ** 2) / (8 * (k + 1) * x);
  }
  const angle = x - ((2 * order + 1) * Math.PI) / 4;
  const amplitude = Math.sqrt(2 / (Math.PI * x));
  return amplitude * (parts[0] * Math.cos(angle) - parts[1] * Math.sin(angle));
}

// The exponential integral

/** The exponential integral of order n. */
export function expint(n, x) {
  if (n < 0 || x < 0 || (x === 0 && (n === 0 || n === 1))) {
    throw new Refused("the integral does not exist");
  }
  if (n === 0) return Math.exp(-x) / x;
  if (x === 0) return 1 / (n - 1);
  if (x > 1) return expintFraction(n, x);
  return expintSeries(n, x);
}

function expintFraction(n, x) {
  let b = x + n;
  let c = 1 / TINY;
  let d = 1 / b;
  let result = d;
  for (let step = 1; step <= MOST_STEPS; step++) {
    const a = -step * (n - 1 + step);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    const factor = c * d;
    result *= factor;
    if (Math.abs(factor - 1) < 1e-7) return result * Math.exp(-x);
  }
  throw new Refused("the fraction does not converge");
}

function expintSeries(n, x) {
  let result = n === 1 ? -Math.log(x) - EULER : 1 / (n - 1);
  let power = 1;
  for (let k = 1; k <= MOST_STEPS; k++) {
    power *= -x / k;
    let term;
    if (k === n - 1) {
      term = power * (digamma(n) - Math.log(x));
    } else {
      term = -power / (k - n + 1);
    }
    result += term;
    if (Math.abs(term) < Math.abs(result) * 1e-7) return result;
  }
  throw new Refused("the series does not converge");
}

function digamma(n) {
  let result = -EULER;
  for (let k = 1; k < n; k++) result += 1 / k;
  return result;
}

// The F distribution

const ONE_OVER_PI = 0.3183098862;

/** The cumulative distribution function of F with m and n degrees of freedom. */
export function fisher(m, n, x) {
  if (m > 1000 || n > 1000) throw new Refused("too many degrees of freedom");
  const firstM = leastDegrees(m);
  const firstN = leastDegrees(n);
  const w = (m * x) / n;
  const z = 1 / (1 + w);
  let [p, d] = fisherStart(firstM, firstN, w, z);
  if (firstM === 1) {
    for (let degrees = firstN + 2; degrees <= n; degrees += 2) {
      d *= z * (1 + 1 / (degrees - 2));
      p += (2 * w * (1 + w) * d) / (degrees - 1);
    }
  } else {
    const power = z ** Math.trunc((n - 1) / 2);
    p += ((2 / firstN) * d * w * (power - 1)) / (z - 1);
    d *= (n * power) / firstN;
  }
  for (let degrees = firstM + 2; degrees <= m; degrees += 2) {
    d *= (w * z * (degrees - 2 + n)) / (degrees - 2);
    p -= (2 * (1 + w) * d) / (degrees - 2 + n);
  }
  if (p < 0) return 0;
  if (p > 1) return 1;
  return p;
}

/** 1 for odd numbers and 2 for even ones, but 3 for negative odd ones. */
function leastDegrees(k) {
  return 2 - (k % 2);
}

/** The probability for the least degrees of freedom, and its derivative by w. */
function fisherStart(firstM, firstN, w, z) {
  if (firstM === 1) {
    if (firstN === 1) {
      const root = Math.sqrt(w);
      return [2 * ONE_OVER_PI * Math.atan(root), (ONE_OVER_PI * z) / root];
    }
    const p = Math.sqrt(w * z);
    return [p, (p * z) / (2 * w)];
  }
  if (firstN === 1) {
    const root = Math.sqrt(z);
    return [1 - root, (z * root) / 2];
  }
  return [w * z, z * z];
}

// The incomplete gamma function

const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360];

/** The upper regularised incomplete gamma function. */
export function gammq(a, x) {
  if (x < 0 || a <= 0) throw new Refused("the function does not exist there");
  if (x < a + 1) return 1 - gammaSeries(a, x);
  return gammaFraction(a, x);
}

function gammaSeries(a, x) {
  if (x === 0) return 0;
  let divisor = a;
  let term = 1 / a;
  let total = term;
  for (let step = 0; step < MOST_STEPS; step++) {
    divisor += 1;
    term *= x / divisor;
    total += term;
    if (Math.abs(term) < Math.abs(total) * 3e-7) return total * gammaScale(a, x);
  }
  throw new Refused("the series does not converge");
}

function gammaFraction(a, x) {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let result = d;
  for (let step = 1; step <= MOST_STEPS; step++) {
    const numerator = -step * (step - a);
    b += 2;
    d = numerator * d + b;
    if (Math.abs(d) < TINY) d = TINY;
    c = b + numerator / c;
    if (Math.abs(c) < TINY) c = TINY;
    d = 1 / d;
    const factor = c * d;
    result *= factor;
    if (Math.abs(factor - 1) < 3e-7) return result * gammaScale(a, x);
  }
  throw new Refused("the fraction does not converge");
}

function gammaScale(a, x) {
  return Math.exp(-x + a * Math.log(x) - logGamma(a));
}

/** Stirling's series, for which small arguments are too small: they are moved up. */
function logGamma(small) {
  let a = small;
  let product = 1;
  for (; a < 10; a++) product *= a;
  let result = (a - 0.5) * Math.log(a) - a + Math.log(2 * Math.PI) / 2;
  let power = a;
  for (const coefficient of STIRLING) {
    result += coefficient / power;
    power *= a * a;
  }
  return result - Math.log(product);
}

// The remainder

/** The remainder by taking away again and again; -1 where there was nothing to take away. */
export function remainder(a, b) {
  if (a > 10_000 || a < -10_000 || b > 10_000 || b < -10_000) {
    throw new Refused("a number is out of range");
  }
  if (a === 0) return -1;
  if (b === 0) return -1;
  let left = a;
  let result = -1;
  if (a > 0) {
    if (b > 0) {
      while (left >= b) {
        left -= b;
        result = left;
      }
    } else {
      while (left >= -b) {
        left += b;
        result = left;
      }
    }
  } else if (b > 0) {
    while (-left >= b) {
      left += b;
      result = left;
    }
  } else {
    while (left <= b) {
      left -= b;
      result = -left;
    }
  }
  return result;
}
