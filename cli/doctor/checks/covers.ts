import type { Right } from '../../../packages/controller/domain/rights.ts';

/** The rights that none of the others covers; a wildcard among the others covers all it stands for. */
export function without(rights: readonly Right[], others: readonly Right[]): readonly Right[] {
  return rights.filter((right) => !others.some((other) => covers(other, right)));
}

function covers(other: Right, { verb, group, resource, subresource, name, namespace }: Right): boolean {
  const fits = (pattern: string, value: string): boolean => pattern === '*' || pattern === value;
  const isResource = other.resource === '*' || (other.resource === resource && fits(other.subresource, subresource));
  const isPlace = other.namespace === '' || other.namespace === namespace;
  const isName = other.name === '' || other.name === name;
  return fits(other.verb, verb) && fits(other.group, group) && isResource && isPlace && isName;
}
