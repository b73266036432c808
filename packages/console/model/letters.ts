import type { DeadLetter, Delivery } from './types.ts';

/** Dead letters that failed at the same function for the same reason. */
export interface LetterGroup {
  readonly key: string;
  readonly function: string;
  /** The status and the first line of what was answered. */
  readonly cause: string;
  readonly letters: readonly DeadLetter[];
  readonly times: number;
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
        last: of.map(({ last }) => last).reduce((one, other) => (one > other ? one : other)),
      };
    })
    .toSorted((one, other) => other.last.localeCompare(one.last));
}

/** Letters of a list with what a person did to some of them since, also to those that the list does not have any more; one that failed anew is as the list has it. */
export function withTouched(
  letters: readonly DeadLetter[],
  touched: ReadonlyMap<number, DeadLetter>,
): readonly DeadLetter[] {
  const all = new Map([...touched, ...letters.map((one) => [one.seq, one] as const)]);
  return [...all.values()]
    .map((one) => {
      const own = touched.get(one.seq);
      return own !== undefined && one.state === 'open' && one.times <= own.times ? own : one;
    })
    .toSorted((one, other) => other.seq - one.seq);
}

/** The last answer of the function to each letter since the letter came. */
export function answersOf(
  letters: readonly DeadLetter[],
  deliveries: readonly Delivery[],
): ReadonlyMap<number, Delivery> {
  const found = letters.flatMap((letter) => {
    const own = deliveries.filter(
      (one) =>
        one.id === letter.id && one.function === functionOf(letter) && Date.parse(one.at) > Date.parse(letter.last),
    );
    const last = own.reduce<Delivery | undefined>((best, one) => (best && best.seq > one.seq ? best : one), undefined);
    return last === undefined ? [] : [[letter.seq, last] as const];
  });
  return new Map(found);
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
