/** `DistributedService` as a file or an account is called for it: `distributed-service`. */
export function kebabOf(kind: string): string {
  return kind.replace(/(?<=.)(?=[A-Z])/g, '-').toLowerCase();
}

/** `DistributedService` as a constant is called for it: `distributedService`. */
export function camelOf(kind: string): string {
  return kind.charAt(0).toLowerCase() + kind.slice(1);
}
