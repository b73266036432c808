import type { CloudEvent } from './cloud-event.ts';
import { type Hop, subjectOf } from './hop.ts';

/** How a piece of a line looks; on a screen without colours each gives its text back. */
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

/** The line that a person sees of a hop; undefined for what goes as it should and is told by another. */
export function lineOf(hop: Hop, style: Style): string | undefined {
  const { bad, odd, dim } = style;
  switch (hop.kind) {
    case 'sent':
      return hop.attempts === 1 ? undefined : `${nameOf(hop.event)} → Broker ${odd(`at try ${hop.attempts}`)}`;
    case 'lost':
      return `${nameOf(hop.event)} ${bad(`is lost: ${oneLine(hop.why)}`)}`;
    case 'delivered':
      return delivered(hop, style);
    case 'dead-lettered':
      if (isOfLog(hop.trigger)) return undefined;
      return `${nameOf(hop.event)} → ${shortOf(hop.trigger)} ${bad('gave up')} → dead letter to ${hop.to}`;
    case 'dropped':
      return `${nameOf(hop.event)} → ${shortOf(hop.trigger)} ${bad(`gave up, and it is lost: ${oneLine(hop.why)}`)}`;
    case 'woke':
      return dim(`${hop.function} woke in ${ms(hop.coldMs)}${several(hop.instances)}`);
    case 'slept':
      return dim(`${hop.function} sleeps${several(hop.instances)}`);
    case 'crashed':
      return `${hop.function} ${bad(`crashed: it ${oneLine(howEnded(hop.why))}`)}`;
    case 'said':
      return said(hop, style);
    case 'warning':
      return odd(`${hop.about}: ${oneLine(hop.text)}`);
    case 'watching':
      return dim(`${hop.source} watches ${hop.what}`);
    case 'blind':
      return `${hop.source} ${bad(`cannot watch ${hop.what}: ${oneLine(hop.why)}`)}`;
  }
}

/** `Pod web-1 added → pod-changed (cold 240 ms) → DistributedService shop/web: 2 writes`. */
function delivered(hop: Extract<Hop, { kind: 'delivered' }>, { bad, odd, good }: Style): string | undefined {
  if (isKept(hop) || (isOfLog(hop.trigger) && [202, 503].includes(hop.status))) return undefined;
  const cold = hop.headers['knudge-cold-ms'];
  const waited = cold === undefined ? '' : ` ${odd(`(cold ${cold} ms)`)}`;
  const attempt = hop.attempt === 1 ? '' : ` ${odd(`(try ${hop.attempt})`)}`;
  const way = `${nameOf(hop.event)} → ${shortOf(hop.trigger)}${waited}${attempt} → `;
  if (hop.status >= 200 && hop.status < 300) return `${way}${outcomeOf(hop.headers, good)}`;
  const status = hop.status === 0 ? 'no answer' : String(hop.status);
  return `${way}${bad(hop.why === undefined ? status : `${status}: ${oneLine(hop.why)}`)}`;
}

/** The event log took it, as it takes every event: who asked nothing of the cluster and is done has only kept it. */
function isKept({ status, headers }: Extract<Hop, { kind: 'delivered' }>): boolean {
  return status < 300 && headers['knudge-outcome'] === 'done; reads=0; writes=0';
}

/** That it is late or away the event log says by itself, once: each event that it then does not take is no news. By Trigger and Subscription. */
function isOfLog(trigger: string): boolean {
  return ['event-recorded', 'event-log'].includes(shortOf(trigger));
}

/** From the headers that a function answers with: docs/events.md. */
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
function nameOf(event: CloudEvent): string {
  const { type = '' } = event.attributes;
  const subject = subjectOf(event);
  if (subject === undefined) return type;
  const last = type.slice(type.lastIndexOf('.') + 1);
  return `${subject.kind} ${subject.name} ${Object.hasOwn(verbs, last) ? verbs[last] : `(${type})`}`;
}

/** Everything of ours is in one namespace. */
function shortOf(trigger: string): string {
  return trigger.slice(trigger.lastIndexOf('/') + 1);
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

function several(instances: number): string {
  return instances > 1 ? `, ${instances} are awake` : '';
}

/** Of a log in JSON only what a person must know; whatever else is said, as it is. */
function said({ function: name, line }: Extract<Hop, { kind: 'said' }>, style: Style): string | undefined {
  const entry = entryOf(line);
  if (entry === undefined) return `${name}: ${line}`;
  if (name === 'event-log' && entry.outcome === 'unavailable') return undefined;
  const text = `${name}: ${textOf(entry)}`;
  if (entry.level === 'error' || entry.level === 'fatal') return style.bad(text);
  return entry.level === 'warn' ? style.odd(text) : undefined;
}

/** `ended with exit code 3: one line | another`; of the lines those that `said` would show. */
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

function textOf({ msg, err }: Entry): string {
  return err?.message === undefined ? msg : `${msg}: ${oneLine(err.message)}`;
}

interface Entry {
  readonly level: string;
  readonly msg: string;
  /** Of a line about one event. */
  readonly outcome?: string;
  readonly err?: { readonly message?: string };
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

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
