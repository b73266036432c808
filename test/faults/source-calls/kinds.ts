import type { ApiCall, ApiFault } from './api.ts';
import type { Write } from './disk.ts';
import type { SinkFault } from './sink.ts';

/** What a source asks of the outside. */
export type CallClass = ApiCall | Write | 'post';

/** A way in which a call can go wrong. */
export interface Kind {
  readonly id: string;
  readonly at: readonly CallClass[];
  /** `kill -9`: instead of the call, or once it was done and before its answer is known. */
  readonly kill?: 'before' | 'after';
  /** The next one starts after this many milliseconds: what happens meanwhile nobody sees. */
  readonly restartMs?: number;
  /** Before the next one starts, the API server has forgotten what happened until then. */
  readonly forgets?: boolean;
  /** Another source starts on the same file. */
  readonly second?: boolean;
  readonly api?: ApiFault;
  readonly sink?: SinkFault;
  /** Milliseconds in which the disk is full. */
  readonly fullMs?: number;
  /** Milliseconds in which the API server, or the Broker, is away. */
  readonly apiAwayMs?: number;
  readonly sinkAwayMs?: number;
}

const requests = ['look', 'list', 'watch'] as const;
const every = [...requests, 'event', 'open', 'own', 'begin', 'commit', 'post'] as const;
const ends = ['commit', 'own', 'post'] as const;
/** What happens within a millisecond of each other comes to the same for another one, which needs as long to start. */
const apart = [...requests, 'event', 'begin', 'post'] as const;

/** An ERROR as the real API server sends it within a watch. */
function errorLine(code: number): string {
  return `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', status: 'Failure', code, message: 'as planned' } })}\n`;
}

const answers = [
  { does: 'answer', status: 500 },
  { does: 'answer', status: 410 },
  { does: 'answer', status: 401 },
  { does: 'answer', status: 403 },
  { does: 'answer', status: 429, headers: { 'retry-after': '3' } },
] as const;

/** Every kind of fault, each at the calls that it can befall. */
export const kinds: readonly Kind[] = [
  { id: 'kill', at: every, kill: 'before', restartMs: 1 },
  { id: 'kill, a while', at: apart, kill: 'before', restartMs: 700 },
  { id: 'kill, a while, expired', at: every, kill: 'before', restartMs: 700, forgets: true },
  { id: 'kill after it', at: ends, kill: 'after', restartMs: 1 },
  { id: 'kill after it, a while, expired', at: ends, kill: 'after', restartMs: 700, forgets: true },
  { id: 'a second one', at: apart, second: true },
  { id: 'a second one, expired', at: apart, second: true, forgets: true },
  ...answers.map((api): Kind => ({ id: `answer ${api.status}`, at: requests, api })),
  { id: 'connection reset', at: [...requests, 'event'], api: { does: 'reset' } },
  { id: 'half of it', at: [...requests, 'event'], api: { does: 'tear' } },
  { id: 'silence', at: [...requests, 'event'], api: { does: 'hang' } },
  { id: 'API server away', at: [...requests, 'event'], api: { does: 'reset' }, apiAwayMs: 20_000 },
  { id: 'ERROR 410', at: ['event'], api: { does: 'say', line: errorLine(410) } },
  { id: 'ERROR 500', at: ['event'], api: { does: 'say', line: errorLine(500) } },
  { id: 'no JSON', at: ['event'], api: { does: 'say', line: '<html>\n' } },
  { id: 'reset, expired', at: ['event'], api: { does: 'reset' }, forgets: true },
  { id: 'disk full', at: ['open', 'own', 'begin', 'commit'], fullMs: 1 },
  { id: 'disk full, a while', at: ['open', 'own', 'begin'], fullMs: 1500 },
  { id: 'refused 503', at: ['post'], sink: { takes: false, answers: { status: 503 } } },
  { id: 'refused 429', at: ['post'], sink: { takes: false, answers: { status: 429 } } },
  { id: 'cut before', at: ['post'], sink: { takes: false, answers: 'reset' } },
  { id: 'cut after', at: ['post'], sink: { takes: true, answers: 'reset' } },
  { id: 'taken, answer 500', at: ['post'], sink: { takes: true, answers: { status: 500 } } },
  { id: 'silence before', at: ['post'], sink: { takes: false, answers: 'hang' } },
  { id: 'silence after', at: ['post'], sink: { takes: true, answers: 'hang' } },
  { id: 'Broker away', at: ['post'], sink: { takes: false, answers: { status: 503 } }, sinkAwayMs: 60_000 },
];

/** The kinds that can befall a call. */
export function kindsAt(call: CallClass): readonly Kind[] {
  return kinds.filter(({ at }) => at.includes(call));
}
