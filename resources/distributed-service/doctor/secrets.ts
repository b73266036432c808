import { type Found, ok, problem, unchecked } from '../../../packages/controller/doctor/finding.ts';
import type { OwnSeen, Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { markCommand, notForUse, secretOfSentence } from '../parents/secret-use.ts';

/** Checks that every Secret that a service names has the label that allows its use. Older versions of Knudge needed no label. */
export function judgeSecrets({ parents }: OwnSeen): readonly Found[] {
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
