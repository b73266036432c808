import type { Failure } from './seek.ts';
import { describeTrouble } from './trouble.ts';

const mostFindings = 10;

/** All that a person needs to see a failure with their own eyes. */
export function describeFailure({ seed, path, content, stormed, shrinks }: Failure, commit: string): string {
  const [operations, troubles] = content;
  const found = stormed.findings.slice(0, mostFindings).map(({ oracle, what, at }) => `${oracle}: ${what}${where(at)}`);
  return [
    `SEED=${seed} COMMIT=${commit} PATH=${path}`,
    `made smaller ${shrinks} times: ${operations.length} operations and ${troubles.length} troubles are left`,
    ...stormed.deeds.map((deed) => `  a person ${deed}`),
    ...troubles.map((trouble) => `  ${describeTrouble(trouble)}`),
    ...found.map((line) => `  => ${line}`),
    `again: node test/faults/storm/storm.ts --seeds 1 --from ${seed} --path ${path}`,
  ].join('\n');
}

function where(at: number | undefined): string {
  return at === undefined ? '' : ` (at ${at})`;
}
