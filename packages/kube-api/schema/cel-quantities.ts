import type { Environment } from '@marcbachmann/cel-js';
import type { Register } from './cel-native.ts';
import { nativeType } from './cel-native.ts';
import { isQuantity, parseQuantity } from './quantity.ts';

interface Quantity {
  /** In billionths. */
  readonly amount: bigint;
}

const one = 1_000_000_000n;
const type = 'kubernetes.Quantity';
const quantityForm = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** quantity() and its methods. */
export function registerQuantities(env: Environment, register: Register): void {
  const make = nativeType<Quantity>(env, type, {});
  register('isQuantity(string): bool', isQuantity);
  register(`quantity(string): ${type}`, (text: string) => {
    const amount = parseQuantity(text);
    if (amount === undefined) throw new Error(quantityForm);
    return make({ amount });
  });
  register(`${type}.isGreaterThan(${type}): bool`, (a: Quantity, b: Quantity) => a.amount > b.amount);
  register(`${type}.isLessThan(${type}): bool`, (a: Quantity, b: Quantity) => a.amount < b.amount);
  register(`${type}.compareTo(${type}): int`, (a: Quantity, b: Quantity) => signOf(a.amount - b.amount));
  register(`${type}.sign(): int`, ({ amount }: Quantity) => signOf(amount));
  register(`${type}.isInteger(): bool`, ({ amount }: Quantity) => amount % one === 0n);
  register(`${type}.asInteger(): int`, ({ amount }: Quantity) => amount / one);
  register(`${type}.add(${type}): ${type}`, (a: Quantity, b: Quantity) => make({ amount: a.amount + b.amount }));
  register(`${type}.sub(${type}): ${type}`, (a: Quantity, b: Quantity) => make({ amount: a.amount - b.amount }));
}

function signOf(amount: bigint): bigint {
  return amount > 0n ? 1n : amount < 0n ? -1n : 0n;
}
