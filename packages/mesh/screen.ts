import type { CloudEvent } from './cloud-event.ts';
import { type Hop, subjectOf } from './hop.ts';

/** Colours for pieces of a line; on a screen without colours each function returns its text. */
export interface Style {
  readonly bad: (text: string) => string;
  readonly odd: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
}

export const plain: Style = { bad: same, odd: same, dim: same, good: same };

export const coloured: Style = { bad: paint(31), odd: paint(33), dim: paint(2), good: paint(32) };

function same(text: string): string {
  return text;
}

function paint(code: number): (text: string) => string {
  return (text) => `\u001b[${code}m${text}\u001b[0m`;
}

/** Whether a function was woken and has changed nothing: the event was about what is right already. */
export function isWithoutChange(hop: Hop): boolean {
  if (hop.kind !== 'delivered' || hop.status < 200 || hop.status >= 300 || isKept(hop)) return false;
  const outcome = hop.headers['knudge-outcome'];
  if (outcome === undefined || outcome.startsWith('gone')) return false;
  return countIn(outcome, 'writes') === 0 && countIn(outcome, 'sent') === 0;
}

/** The line for a hop; undefined if all went well and another line shows it. A short one leaves out what it says twice. */
export function lineOf(hop: Hop, style: Style, isShort = false): string | undefined {
  const { bad, odd, dim } = style;
  switch (hop.kind) {
    case 'sent':
      return hop.attempts === 1 ? undefined : `${nameOf(hop.event)} → Broker ${odd(`at try ${hop.attempts}`)}`;
    case 'lost':
      return `${nameOf(hop.event)} ${bad(`is lost: ${oneLine(hop.why)}`)}`;
    case 'delivered':
      return delivered(hop, style, isShort);
    case 'dead-lettered':
      if (isOfLog(hop.trigger)) return undefined;
      return `${nameOf(hop.event)} → ${shortOf(hop.trigger)} ${bad('gave up')} → dead letter to ${hop.to}`;
    case 'dropped':
      return `${nameOf(hop.event)} → ${shortOf(hop.trigger)} ${bad(`gave up, and it is lost: ${oneLine(hop.why)}`)}`;
    case 'woke':
      return dim(`${hop.function} woke in ${ms(hop.coldMs)}${several(hop.pids.length)}`);
    case 'slept':
      return dim(`${hop.function} sleeps${several(hop.pids.length)}`);
    case 'crashed':
      return `${hop.function} ${bad(`crashed: it ${oneLine(howEnded(hop.why))}`)}`;
    case 'said':
      return said(hop, style);
    case 'warning':
      return odd(`${hop.about}: ${oneLine(hop.text)}`);
    case 'reloaded':
      return style.good(`reloaded: ${oneLine(hop.what)}`);
    case 'watching':
      return dim(`${hop.source} watches ${hop.what}`);
    case 'blind':
      return `${hop.source} ${bad(`cannot watch ${hop.what}: ${oneLine(hop.why)}`)}`;
  }
}

type Delivered = Extract<Hop, { kind: 'delivered' }>;

/** `Pod web-1 added → pod-changed (cold 240 ms) → Shop shop/web: 2 writes`. */
function delivered(hop: Delivered, { bad, odd, good }: Style, isShort: boolean): string | undefined {
  if (isKept(hop) || (isOfLog(hop.trigger) && [202, 503].includes(hop.status))) return undefined;
  const cold = hop.headers['knudge-cold-ms'];
  const waited = cold === undefined ? '' : ` ${odd(`(cold ${cold} ms)`)}`;
  const attempt = hop.attempt === 1 ? '' : ` ${odd(`(try ${hop.attempt})`)}`;
  const name = nameOf(hop.event, isShort);
  const way = `${name} → ${shortOf(hop.trigger)}${waited}${attempt} → `;
  if (hop.status >= 200 && hop.status < 300) {
    const outcome = outcomeOf(hop.headers, good);
    const kind = `${subjectOf(hop.event)?.kind} `;
    return `${way}${isShort && outcome.startsWith(kind) ? outcome.slice(kind.length) : outcome}`;
  }
  const status = hop.status === 0 ? 'no answer' : String(hop.status);
  return `${way}${bad(hop.why === undefined ? status : `${status}: ${oneLine(hop.why)}`)}`;
}

/** Whether the event log took it, as it takes every event: a function without reads and writes has only recorded it. */
function isKept({ status, headers }: Delivered): boolean {
  return status < 300 && headers['knudge-outcome'] === 'done; reads=0; writes=0';
}

/** Whether a Trigger or a Subscription belongs to the event log. The log itself says once that it is late or away, so its refusals are not shown. */
export function isOfLog(trigger: string): boolean {
  return ['event-recorded', 'event-log'].includes(shortOf(trigger));
}

/** The outcome in the headers that a function answers with: docs/events.md. */
function outcomeOf(headers: Readonly<Record<string, string>>, good: Style['good']): string {
  const outcome = headers['knudge-outcome'];
  if (outcome === undefined) return 'done';
  const writes = countIn(outcome, 'writes');
  const sent = countIn(outcome, 'sent');
  const work = [
    ...(writes > 0 ? [good(counted(writes, 'write'))] : []),
    ...(sent > 0 ? [good(`${counted(sent, 'event')} sent`)] : []),
  ];
  const parents = headers['knudge-parents'];
  if (parents === undefined) return work.join(', ') || 'nothing of ours';
  return `${parents}: ${work.join(', ') || (outcome.startsWith('gone') ? 'is gone' : 'nothing to do')}`;
}

function countIn(outcome: string, what: string): number {
  return Number(new RegExp(`\\b${what}=(\\d+)`).exec(outcome)?.[1] ?? 0);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

const verbs: Readonly<Record<string, string>> = { add: 'added', update: 'changed', delete: 'deleted' };

/** `Pod web-1 added`, or the type where the event is about no object. */
function nameOf(event: CloudEvent, isShort = false): string {
  const { type = '' } = event.attributes;
  const subject = subjectOf(event);
  if (subject === undefined) return type;
  const last = type.slice(type.lastIndexOf('.') + 1);
  return `${subject.kind} ${subject.name} ${Object.hasOwn(verbs, last) ? verbs[last] : `(${isShort ? shortType(type) : type})`}`;
}

/** `resync.requested`. */
function shortType(type: string): string {
  return type.replace(/^dev\.(knudge|knative\.apiserver)\./, '');
}

/** Without the namespace, which is the same for all. */
function shortOf(trigger: string): string {
  return trigger.slice(trigger.lastIndexOf('/') + 1);
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

function several(instances: number): string {
  return instances > 1 ? `, ${instances} are awake` : '';
}

/** Shortens a JSON log line to its message and error. Any other line is shown unchanged. */
function said({ function: name, line }: Extract<Hop, { kind: 'said' }>, style: Style): string | undefined {
  const entry = entryOf(line);
  if (entry === undefined) return `${name}: ${line}`;
  if (name === 'event-log' && entry.outcome === 'unavailable') return undefined;
  const text = `${name}: ${textOf(entry)}`;
  if (entry.level === 'error' || entry.level === 'fatal') return style.bad(text);
  return entry.level === 'warn' ? style.odd(text) : undefined;
}

/** `ended with exit code 3: one line | another`; only the lines that `said` would show. */
function howEnded(why: string): string {
  const [how = '', ...rest] = why.split(': ');
  const lines = rest.join(': ').split(' | ');
  const shown = lines.flatMap((line) => {
    const entry = entryOf(line);
    if (entry === undefined) return line === '' ? [] : [line];
    return entry.level === 'info' || entry.level === 'debug' ? [] : [textOf(entry)];
  });
  return [how, ...(shown.length > 0 ? [shown.join(' | ')] : [])].join(': ');
}

function textOf({ msg, err, error = err?.message }: Entry): string {
  return typeof error === 'string' ? `${msg}: ${oneLine(error)}` : msg;
}

interface Entry {
  readonly level: string;
  readonly msg: string;
  /** Set in a line about one event. */
  readonly outcome?: string;
  readonly err?: { readonly message?: string };
  /** The same in a line of the resync. */
  readonly error?: unknown;
}

function entryOf(line: string): Entry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line) as Partial<Entry>;
    return typeof entry.level === 'string' && typeof entry.msg === 'string' ? (entry as Entry) : undefined;
  } catch {
    return undefined;
  }
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
