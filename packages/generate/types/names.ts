/** `DistributedService` as a constant is called for it: `distributedService`. */
export function camelOf(kind: string): string {
  return kind.charAt(0).toLowerCase() + kind.slice(1);
}
