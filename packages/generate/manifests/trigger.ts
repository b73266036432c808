import { storedKind } from '../../controller/domain/known-kinds.ts';
import { type Facts, log } from './facts.ts';
import { changeRow } from './rows.ts';
import { comment, indented } from './text.ts';
import type { Waking } from './triggers.ts';

/** How the events of a change are tried; docs/decisions/0030-an-event-is-tried-for-a-minute-at-most.md. */
const usual = { says: [], retry: 3, delay: 'PT0.4S', timeout: 'PT14S' };

/** The Trigger that hands the events of a function to it. */
export function triggerOf(facts: Facts, { name, stem }: Waking): string {
  const { controller } = facts;
  const { filters = '', tries = usual } = controller.woken[name] ?? {};
  const service = controller.serviceOf(stem);
  const path = service === stem ? '' : `    uri: /${stem}\n`;
  return `apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata:
  name: ${name}
  namespace: ${controller.name}
spec:
  broker: ${controller.name}
  filters:
${indented(`${ofKind(facts, stem)}${filters}`.trimEnd(), 4)}
  subscriber:
    ref:
      apiVersion: serving.knative.dev/v1
      kind: Service
      name: ${service}
${path}${indented(comment(tries.says), 2)}  delivery:
    retry: ${tries.retry}
    backoffPolicy: exponential
    backoffDelay: ${tries.delay}
    timeout: ${tries.timeout}
${controller.serviceNames.includes(log) ? deadLetters : ''}`;
}

const deadLetters = `    deadLetterSink:
      ref:
        apiVersion: serving.knative.dev/v1
        kind: Service
        name: event-log
      uri: /dead-lettered
`;

function ofKind(facts: Facts, stem: string): string {
  const row = changeRow(facts, stem);
  if (row === undefined) return '';
  const { apiVersion, kind } = storedKind(row.kind) ?? { apiVersion: '', kind: '' };
  return `- exact:\n    apiversion: ${apiVersion}\n- exact:\n    kind: ${kind}\n`;
}
