/** Semantic Versioning 2.0.0 without build metadata, whose "+" may not be in the tag of an image. */
const form =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*))?$/;

export function isVersion(text: string): boolean {
  return form.test(text);
}

/** Whether one version comes after the other, in the order of section 11 of the specification. */
export function isHigher(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  const numbers = firstDifference(a.numbers, b.numbers);
  if (numbers !== 0) return numbers > 0;
  // A prerelease is lower than its release.
  if (a.before.length === 0 || b.before.length === 0) return a.before.length === 0 && b.before.length > 0;
  return firstDifference(a.before, b.before) > 0;
}

/** Major and minor, as SECURITY.md names what is supported. */
export function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

interface Parts {
  readonly numbers: readonly string[];
  readonly before: readonly string[];
}

function partsOf(version: string): Parts {
  const [, major = '', minor = '', patch = '', before] = form.exec(version) ?? [];
  return { numbers: [major, minor, patch], before: before?.split('.') ?? [] };
}

function firstDifference(one: readonly string[], other: readonly string[]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const difference = compared(one[index], other[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** More identifiers are higher, numbers are lower than words, and words are ordered by their characters. */
function compared(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return Math.sign(Number(BigInt(one) - BigInt(other)));
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (one === other) return 0;
  return one > other ? 1 : -1;
}
