import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../kube/until.ts';
import { type Counted, drive, given } from './drive.ts';
import { between, type Expectation, exactly, guessed } from './expect.ts';
import { ofBroker, ofSource } from './others.ts';
import { resyncBegan } from './processes.ts';
import { queriesOf } from './queries.ts';

const files = ['functions', 'resync', 'broker-and-dead-letters'];
const queries = queriesOf(files, { namespace: 'knudge', __rate_interval: '10m' });
const endings: (() => void | Promise<void>)[] = [];
let counted: Counted;

/** Seconds that each Message takes at least: a bound of a bucket, and less than the API server takes. */
const slowest = 0.25;

/** The smallest bound of a bucket that holds this many seconds. */
const bucket = (seconds: number): number => [0.5, 1, 2.5, 5, 10, 25].find((bound) => seconds <= bound) ?? 25;
/** How often each answer was given; the good ones only where all are asked for. */
function byAnswer(prefix: string, answers: readonly string[], which: 'failed' | 'all' = 'failed') {
  const wanted = answers.filter((answer) => which === 'all' || answer !== 'done');
  return Object.fromEntries(
    wanted.map((answer) => [`${prefix}${answer}`, wanted.filter((other) => other === answer).length]),
  );
}
/** Each scrape that asks the API server moves it, and only the next scrape shows that; most scrapes ask nothing. */
const moving = 'functions: Requests to the API server: {{verb}} {{code}}';
const now = (): number => Date.now() / 1000;

/** Of this function alone: the others call their first event cold where this test is as young as a process that was started for it. */
function only(stem: string, expectation: Expectation): Expectation {
  return (samples) => expectation(samples.filter(({ labels }) => labels['function'] === stem));
}

/** What each query has to give, from what was counted. */
const expectations: Readonly<Record<string, () => Expectation>> = {
  'functions: DistributedServices: {{state}}': () => exactly(['state'], { Failed: 2, Running: 1 }),
  'functions: Deliveries since the log began: {{function}}': () =>
    exactly(['function'], {
      'distributed-service-changed': given.services,
      'message-changed': 1 + given.messages,
      'pod-changed': 1 + given.cold,
      'resync-due': 1 + given.ticks,
    }),
  'functions: Events answered: {{function}}': () =>
    exactly(['function'], {
      'message-changed': given.messages,
      'distributed-service-changed': given.services,
      'resync-due': given.ticks,
      'event-recorded': counted.recorded + counted.refused,
      'dead-lettered': given.letters,
    }),
  'functions: Events that failed: {{function}}: {{outcome}}': () =>
    exactly(['function', 'outcome'], {
      ...byAnswer('distributed-service-changed ', counted.services),
      ...byAnswer('resync-due ', counted.ticks),
      'event-recorded unavailable': counted.refused,
    }),
  'functions: Reconcile p99: {{kind}}': () => (samples) => {
    const ofMessages = samples.filter(({ labels }) => labels['kind'] === 'Message');
    between(slowest, bucket(Math.max(...counted.seconds)))(ofMessages);
  },
  'functions: Reconciles that failed: {{error_type}}': () => exactly(['error_type'], byAnswer('', counted.services)),
  'functions: Requests to the API server: {{verb}} {{code}}': () => (samples) => {
    const sum = samples.reduce((total, { value }) => total + value, 0);
    assert.equal(sum, counted.apiRequests(), JSON.stringify(samples));
  },
  'functions: Deliveries: {{function}}: {{outcome}}': () =>
    exactly(
      ['function', 'outcome'],
      {
        // What comes for the first time is in no increase.
        ...Object.fromEntries(counted.services.map((answer) => [`distributed-service-changed ${answer}`, 0])),
        'message-changed done': given.messages,
        'pod-changed done': given.cold,
        'resync-due done': given.ticks,
      },
      guessed,
    ),
  'functions: Mean time of a delivery: {{function}}': () => (samples) => {
    const mean = counted.seconds.reduce((sum, one) => sum + one, 0) / counted.seconds.length;
    only('message-changed', between(slowest, mean * (1 + guessed)))(samples);
    only('pod-changed', exactly(['function'], { 'pod-changed': 0.5 }, 0.001))(samples);
  },
  'functions: Cold starts: {{function}}': () =>
    only('pod-changed', exactly(['function'], { 'pod-changed': given.cold }, guessed)),
  'functions: Mean time of a cold start: {{function}}': () =>
    only('pod-changed', exactly(['function'], { 'pod-changed': given.coldMs / 1000 }, 0.001)),
  'resync: Since the last resync: since': () => {
    const since = now() - resyncBegan.getTime() / 1000;
    return between(since - 2, since + 3);
  },
  'resync: Repairs: {{kind}}': () => exactly(['kind'], { Message: given.messages }),
  'resync: Ticks: {{outcome}}': () => exactly(['outcome'], { ...byAnswer('', counted.ticks, 'all') }),
  'resync: Ticks by the log: {{outcome}}': () => exactly(['outcome'], { done: given.ticks }, guessed),
  'broker-and-dead-letters: Open dead letters: open': () => exactly([], { '': given.letters - given.discarded }),
  'broker-and-dead-letters: Dead letters by state: {{state}}': () =>
    exactly(['state'], { open: given.letters - given.discarded, discarded: given.discarded, 'sent-again': 0 }),
  'broker-and-dead-letters: Dead letters that came: {{outcome}}': () => exactly(['outcome'], { done: given.letters }),
  'broker-and-dead-letters: Events recorded: {{outcome}}': () =>
    exactly(['outcome'], { done: counted.recorded, unavailable: counted.refused }),
  'broker-and-dead-letters: What the log did not take: {{what}}': () => exactly(['what'], { event: counted.refused }),
  'broker-and-dead-letters: Events of the source: sent': () => exactly([], { '': ofSource.sent }),
  'broker-and-dead-letters: Events of the source: left out': () => exactly([], { '': ofSource.leftOut }),
  'broker-and-dead-letters: Events of the source: failed tries': () => exactly([], { '': ofSource.failed }),
  'broker-and-dead-letters: Events that wait in the source: waiting': () => exactly([], { '': ofSource.waiting }),
  'broker-and-dead-letters: Lag of the source: lag': () => {
    const lag = now() - counted.stuckSince / 1000;
    return between(lag - 3, lag + 3);
  },
  'broker-and-dead-letters: Blind watches of the source: blind': () => exactly([], { '': ofSource.blind }),
  'broker-and-dead-letters: Dispatches of the Broker: {{http_response_status_code}}': () =>
    exactly(['http_response_status_code'], ofBroker, guessed),
  'broker-and-dead-letters: Dispatch p99 of the Broker: {{job}}': () => between(0.05, 0.1),
};

describe('what the dashboards show of a real run, by a real Prometheus', () => {
  before(async () => {
    counted = await drive((work) => void endings.push(work));
  });
  after(async () => {
    for (const end of endings.toReversed()) await end();
  });

  it('is expected of every query, and of none that there is not', () => {
    assert.deepEqual(queries.map(({ name }) => name).toSorted(), Object.keys(expectations).toSorted());
  });

  for (const { name, expr } of queries) {
    it(`is what was counted: ${name}`, async () => {
      const judge = async (): Promise<void> => expectations[name]?.()(await counted.prometheus.query(expr));
      if (name === moving) await until(name, async () => judge().then(() => true));
      else await judge();
    });
  }
});
