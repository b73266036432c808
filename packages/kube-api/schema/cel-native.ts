import type { Environment } from '@marcbachmann/cel-js';
import { isSame } from './cel-equal.ts';

/** Adds a function to an environment, by its signature. */
export type Register = (signature: string, handler: (...args: never[]) => unknown) => unknown;

/**
 * Declares a type of objects in an environment and returns the function that makes one of them. The library knows the type of a
 * value by its constructor, so each type gets one of its own.
 */
export function nativeType<T extends object>(
  env: Environment,
  name: string,
  fields: Readonly<Record<string, string>>,
): (own: T) => T {
  const Native = { [name]: class {} }[name] as new () => object;
  env.registerType(name, { ctor: Native, fields });
  env.registerOperator(`${name} == ${name}`, isSame);
  return (own) => Object.assign(new Native(), own) as T;
}
