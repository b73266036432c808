import type { ReplayResult } from '../../packages/event-log/replay/replay.ts';
import { countOf } from '../words.ts';

interface Ending {
  readonly title: string;
  readonly total: number;
  readonly passed: number;
  readonly next: string | undefined;
}

export interface Summary {
  readonly value: object;
  readonly text: string;
}

/** The result of a replay, for programs and for people. */
export function summaryOf(result: ReplayResult, { title, total, passed, next }: Ending): Summary {
  const { sent, refused, shortened, end, last } = result;
  const gone = end === 'all' ? Math.max(total - sent - refused, 0) : 0;
  const value = {
    sent,
    refused,
    ...(shortened !== undefined && { shortened }),
    passed,
    gone,
    total,
    end,
    ...(last !== undefined && { after: last }),
    next,
  };
  const parts = [
    `${countOf(sent, 'event')} of ${title} sent`,
    ...(shortened !== undefined ? [`${shortened} of them only in part, because the log keeps no more of them`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(gone > 0 ? [`${gone} removed from it meanwhile`] : []),
    ...(passed > 0 ? [`${countOf(passed, 'tick')} of the resync skipped`] : []),
  ];
  const why = end === 'stopped' ? 'stopped: ' : '';
  return { value, text: [`${why}${parts.join(', ')}`, ...hintOf(result, { total, next })].join('\n') };
}

function hintOf(
  { sent, refused, last }: ReplayResult,
  { total, next }: Pick<Ending, 'total' | 'next'>,
): readonly string[] {
  if (next === undefined) return [];
  const place = last === undefined ? '' : `The last one was at place ${last}; ${total - sent - refused} are left. `;
  return [`${place}To go on: ${next}`];
}

/** The command that continues, quoted for a shell: the same with --resume, or without it if nothing was sent. */
export function again(args: readonly string[], hasBegun: boolean): string {
  const isResume = args.includes('--resume');
  return ['npx knudge', ...withoutToken(args).map(quoted), ...(hasBegun && !isResume ? ['--resume'] : [])].join(' ');
}

/** A token is not printed; KNUDGE_TOKEN gives it as well. */
function withoutToken(args: readonly string[]): readonly string[] {
  return args.filter((arg, index) => !/^--token(=|$)/.test(arg) && args[index - 1] !== '--token');
}

function quoted(text: string): string {
  return /^[\w./:@=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
