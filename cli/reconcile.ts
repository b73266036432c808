import type { Command } from 'commander';
import { requestedType } from '../packages/controller/domain/change.ts';
import { asKnudgeError } from '../packages/controller/domain/errors.ts';
import { describe, type ObjectRef } from '../packages/controller/domain/kube-object.ts';
import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import { kindNamed } from '../packages/mesh/parent-kinds.ts';
import { root } from './about.ts';
import { type BrokerOptions, sendToBroker, withBroker } from './broker.ts';
import { leaf, placeIn, usageError } from './leaf.ts';
import { show } from './show.ts';

/** `knudge reconcile`: asks after one object, as the resync asks after all. */
export function reconcileCommand(): Command {
  const command = leaf('reconcile', 'ask after one DistributedService or Message')
    .argument('<kind>', 'such as DistributedService, messages, message or msg')
    .argument('<namespace/name>', 'of the object');
  return withBroker(command).action(reconcile);
}

async function reconcile(word: string, at: string, options: BrokerOptions): Promise<void> {
  const { apiVersion: apiversion, kind } = kindOf(word);
  const { namespace, name } = placeOf(at);
  const sent = await sendToBroker({ type: requestedType, extensions: { apiversion, kind, namespace, name } }, options);
  const object = describe({ apiVersion: apiversion, kind, namespace, name });
  const text = `${sent.broker} took the event ${sent.id}: ${object} is asked after`;
  show({ ...sent, type: requestedType, kind, namespace, name }, () => text, options);
}

function kindOf(word: string): ReturnType<typeof kindNamed> {
  const { objects } = readManifests({ root });
  try {
    return kindNamed(word, objects);
  } catch (error) {
    throw usageError(asKnudgeError(error).message);
  }
}

function placeOf(text: string): Pick<ObjectRef, 'namespace' | 'name'> {
  const place = placeIn(text);
  if (place !== undefined) return place;
  throw usageError(`'${text}' names no object: say its namespace and its name, such as default/hello`);
}
