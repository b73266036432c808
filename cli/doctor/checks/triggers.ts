import { type Found, ok, problem, unchecked, warning } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { applying, delivering } from '../mend.ts';
import { at, nameOf, type Seen, sameAs, type Wanted, wantedOf } from '../seen.ts';
import { judgeReadiness } from './readiness.ts';

/** Checks that every Trigger is ready, retries, and keeps the events that it gives up. */
export function judgeTriggers({ triggers, brokers }: Seen, wanted: Wanted): readonly Found[] {
  if ('why' in triggers) return [unchecked(`the Triggers (${triggers.why})`)];
  const why = 'its function is not woken';
  const expected = wantedOf(wanted, 'eventing.knative.dev', 'Trigger');
  const known = 'why' in brokers ? [] : brokers.value;
  return [
    ...judgeReadiness(expected, triggers.value, { why, make: (one) => applying(one, wanted) }),
    ...triggers.value.flatMap((trigger) => judgeDelivery(trigger, wanted, known)),
  ];
}

function judgeDelivery(trigger: Thing, wanted: Wanted, brokers: readonly Thing[]): readonly Found[] {
  const name = nameOf(trigger);
  const manifest = wantedOf(wanted, 'eventing.knative.dev', 'Trigger').find(sameAs(trigger));
  const todo =
    manifest === undefined
      ? delivering(trigger, wantedOf(wanted, 'eventing.knative.dev', 'Broker')[0])
      : applying(manifest, wanted);
  const { sink, retry, timeout } = deliveryOf(trigger, brokers);
  const wantedRetry = retriesWanted(manifest);
  const findings: Found[] = [];
  if (sink === undefined) {
    findings.push(
      problem(`${name} has no dead-letter sink`, 'an event that is given up is lost without a trace', todo),
    );
  }
  if (wantedRetry && !(typeof retry === 'number' && retry > 0)) {
    findings.push(
      warning(`${name} tries nothing again`, 'one conflict or restart, and its event is a dead letter', todo),
    );
  }
  if (timeout === undefined) {
    findings.push(
      warning(`${name} has no time-out`, 'a function that hangs holds back all later events of its kind', todo),
    );
  }
  return findings.length > 0 ? findings : [ok(`${name} keeps what it gives up, and gives up in time`)];
}

/** A Trigger whose manifest asks for no retries may go without: the event log must not hold back other Triggers. */
function retriesWanted(manifest: Thing | undefined): boolean {
  return at(manifest?.spec, 'delivery', 'retry') !== 0;
}

/** The Trigger's own delivery, merged with the Broker's as Knative does it: its dead-letter sink, and all of it if the Trigger has none. */
function deliveryOf(trigger: Thing, brokers: readonly Thing[]) {
  const broker = brokers.find(
    ({ metadata }) => metadata.namespace === trigger.metadata.namespace && metadata.name === trigger.spec?.['broker'],
  );
  const [own, lent] = [at(trigger.spec, 'delivery'), at(broker?.spec, 'delivery')];
  const isKafka = broker?.metadata.annotations?.['eventing.knative.dev/broker.class'] === 'Kafka';
  const of = (key: string): unknown => at(own, key) ?? (own === undefined || isKafka ? at(lent, key) : undefined);
  return { sink: at(own, 'deadLetterSink') ?? at(lent, 'deadLetterSink'), retry: of('retry'), timeout: of('timeout') };
}
