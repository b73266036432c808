import { markCommand, notForUse, secretOfSentence } from '../../../resources/distributed-service/parents/secret-use.ts';
import { type Found, ok, problem, unchecked } from '../finding.ts';
import type { Seen, Thing } from '../seen.ts';

/** Is every Secret that a service names one that it may use? A Knudge before this one asked for no label. */
export function judgeSecrets({ parents }: Seen): readonly Found[] {
  if ('why' in parents) return [unchecked(`the Secrets that services name (${parents.why})`)];
  const found = parents.value.filter(({ kind }) => kind === 'DistributedService').flatMap(refusedTo);
  return found.length > 0 ? found : [ok('each Secret that a service names is marked as one to use')];
}

const reasons: readonly string[] = Object.values(notForUse);

function refusedTo({ metadata, status }: Thing): readonly Found[] {
  const { message = '' } = status?.conditions?.find(({ reason = '' }) => reasons.includes(reason)) ?? {};
  const secret = secretOfSentence(message);
  if (secret === undefined) return [];
  const what = `DistributedService ${metadata.namespace}/${metadata.name} may not use Secret ${secret.namespace}/${secret.name}`;
  return [problem(what, 'it is Failed; a tunnel that runs stays as it is', markCommand(secret))];
}
