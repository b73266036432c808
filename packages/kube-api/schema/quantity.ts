const form = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/;
const units: Readonly<Record<string, readonly [base: bigint, power: number]>> = {
  n: [10n, -9],
  u: [10n, -6],
  m: [10n, -3],
  k: [10n, 3],
  M: [10n, 6],
  G: [10n, 9],
  T: [10n, 12],
  P: [10n, 15],
  E: [10n, 18],
  Ki: [1024n, 1],
  Mi: [1024n, 2],
  Gi: [1024n, 3],
  Ti: [1024n, 4],
  Pi: [1024n, 5],
  Ei: [1024n, 6],
};

export function isQuantity(text: string): boolean {
  return form.test(text);
}

/** A quantity such as `500m`, `1.5Gi` or `2e3` in billionths, rounded up as Kubernetes does; undefined for other texts. */
export function parseQuantity(text: string): bigint | undefined {
  const [, sign, digits = '', exponent, unit] = form.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const [integer = '', fraction = ''] = digits.split('.');
  const [base, power] =
    unit === undefined ? ([10n, Number(exponent?.slice(1) ?? 0)] as const) : (units[unit] ?? [10n, 0]);
  const scale = base === 10n ? power + 9 : 9;
  const number = BigInt(`${integer}${fraction}` || '0') * (base === 10n ? 1n : base ** BigInt(power));
  const shift = scale - fraction.length;
  const value = shift >= 0 ? number * 10n ** BigInt(shift) : divideUp(number, 10n ** BigInt(-shift));
  return sign === '-' ? -value : value;
}

function divideUp(number: bigint, divisor: bigint): bigint {
  return (number + divisor - 1n) / divisor;
}
