import type { Optional } from '@marcbachmann/cel-js';
import { Environment } from '@marcbachmann/cel-js';
import { registerAddresses } from './cel-addresses.ts';
import { isSame } from './cel-equal.ts';
import type { Register } from './cel-native.ts';
import { registerQuantities } from './cel-quantities.ts';
import { registerUrls } from './cel-urls.ts';

type Ordered = bigint | number | string;

/**
 * An environment with functions that Kubernetes adds to CEL (KEP-2876): addresses, URLs, quantities, lists and
 * texts. A rule that needs others (two-variable macros, format, sets, semver, the authorizer) does not compile: its definition is refused.
 */
export function celEnvironment(): Environment {
  const env = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false });
  const register: Register = (signature, handler) => env.registerFunction(signature, handler as never);
  registerAddresses(env, register);
  registerQuantities(env, register);
  registerUrls(env, register);
  // Two that hold nothing are the same, and two that hold the same.
  env.registerOperator('optional<dyn> == optional<dyn>', isSameOptional);
  registerLists(register);
  registerStrings(register);
  return env;
}

function isSameOptional(one: Optional, other: Optional): boolean {
  if (!one.hasValue() || !other.hasValue()) return one.hasValue() === other.hasValue();
  return isSame(one.value(), other.value());
}

function registerLists(register: Register): void {
  for (const type of ['int', 'double', 'string']) {
    const list = `list<${type}>`;
    register(`${list}.isSorted(): bool`, (items: readonly Ordered[]) =>
      items.every((item, index) => index === 0 || (items[index - 1] ?? item) <= item),
    );
    register(`${list}.min(): ${type}`, (items: readonly Ordered[]) => best(items, (one, other) => one < other));
    register(`${list}.max(): ${type}`, (items: readonly Ordered[]) => best(items, (one, other) => one > other));
    register(`${list}.indexOf(${type}): int`, (items: readonly Ordered[], item: Ordered) =>
      BigInt(items.indexOf(item)),
    );
  }
  register('list<int>.sum(): int', (items: readonly bigint[]) => items.reduce((sum, item) => sum + item, 0n));
  register('list<double>.sum(): double', (items: readonly number[]) => items.reduce((sum, item) => sum + item, 0));
}

function best(items: readonly Ordered[], isBetter: (one: Ordered, other: Ordered) => boolean): Ordered {
  const [first, ...rest] = items;
  if (first === undefined) throw new Error('min and max need a list that is not empty');
  return rest.reduce((found, item) => (isBetter(item, found) ? item : found), first);
}

function registerStrings(register: Register): void {
  register('string.replace(string, string): string', (text: string, from: string, to: string) =>
    text.replaceAll(from, () => to),
  );
  register('string.charAt(int): string', (text: string, index: bigint) => [...text][Number(index)] ?? '');
  register('string.reverse(): string', (text: string) => [...text].toReversed().join(''));
  register('string.find(string): string', (text: string, pattern: string) => new RegExp(pattern).exec(text)?.[0] ?? '');
  register(
    'string.findAll(string): list<string>',
    (text: string, pattern: string) => text.match(new RegExp(pattern, 'g')) ?? [],
  );
}
