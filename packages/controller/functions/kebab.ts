/** `ReplicaSet` as a function, a file or an account is called for it: `replica-set`. */
export function kebabOf(kind: string): string {
  return kind.replace(/(?<=.)(?=[A-Z])/g, '-').toLowerCase();
}
