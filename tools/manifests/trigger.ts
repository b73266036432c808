import { woken } from '../../functions/deployed.ts';
import { type Stem, serviceOf } from '../../functions/table.ts';
import { storedKind } from '../../packages/controller/domain/known-kinds.ts';
import { changeRow } from './facts.ts';
import { comment, indented } from './text.ts';

/** How the events of a change are tried; docs/decisions/0030-an-event-is-tried-for-a-minute-at-most.md. */
const usual = { says: [], retry: 3, delay: 'PT0.4S', timeout: 'PT14S' };

/** The Trigger that hands the events of a function to it. */
export function triggerOf(name: string, stem: Stem): string {
  const { filters = '', tries = usual } = woken[name] ?? {};
  const service = serviceOf(stem);
  const path = service === stem ? '' : `    uri: /${stem}\n`;
  return `apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata:
  name: ${name}
  namespace: knudge
spec:
  broker: knudge
  filters:
${indented(`${ofKind(stem)}${filters}`.trimEnd(), 4)}
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
    deadLetterSink:
      ref:
        apiVersion: serving.knative.dev/v1
        kind: Service
        name: event-log
      uri: /dead-lettered
`;
}

function ofKind(stem: Stem): string {
  const row = changeRow(stem);
  if (row === undefined) return '';
  const { apiVersion, kind } = storedKind(row.kind) ?? { apiVersion: '', kind: '' };
  return `- exact:\n    apiversion: ${apiVersion}\n- exact:\n    kind: ${kind}\n`;
}
