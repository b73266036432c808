import type { DeadLetter } from './types.ts';

/** Dead letters that failed at the same function for the same reason. */
export interface LetterGroup {
  readonly key: string;
  readonly function: string;
  /** The status and the first line of what was answered. */
  readonly cause: string;
  readonly letters: readonly DeadLetter[];
  readonly times: number;
  readonly first: string;
  readonly last: string;
}

/** Groups dead letters by function, status and the first line of the answer; the group that failed last comes first. */
export function groupsOf(letters: readonly DeadLetter[]): readonly LetterGroup[] {
  const groups = Map.groupBy(letters, (letter) => `${functionOf(letter)}\n${causeOf(letter)}`);
  return [...groups]
    .map(([key, of]) => {
      const [function_ = '', cause = ''] = key.split('\n');
      return {
        key,
        function: function_,
        cause,
        letters: of,
        times: of.reduce((sum, { times }) => sum + times, 0),
        first: of.map(({ first }) => first).reduce((one, other) => (one < other ? one : other)),
        last: of.map(({ last }) => last).reduce((one, other) => (one > other ? one : other)),
      };
    })
    .toSorted((one, other) => other.last.localeCompare(one.last));
}

/** The function's name out of an address as Knative has it: the path where there is one, else the first label of the host. */
export function functionOf({ destination }: Pick<DeadLetter, 'destination'>): string {
  const [, host = '', path = ''] = /^https?:\/\/([^/:]+)[^/]*\/?(.*)$/.exec(destination) ?? [];
  return path || host.split('.')[0] || destination || 'unknown';
}

/** `400 invalid-json: the body is not valid JSON`; where in the body it stood does not matter. */
function causeOf({ status, said }: DeadLetter): string {
  const [line = ''] = (said ?? '').split('\n');
  const general = line.replace(/ at character \d+/g, '').replace(/ \(is it cut off\?\)/, '');
  return [status ?? 'no answer', general].filter(Boolean).join(' ');
}
