/** A sentence, what is in the manifests, and the one line that says what is wrong with it. */
export type Refusal = readonly [name: string, files: Readonly<Record<string, string>>, line: string];

/** A line about a field of the spec in a file of eventing/. */
export function at(file: string, line: number, rest: string): string {
  return `eventing/${file}.yaml:${line}: spec.${rest}`;
}
