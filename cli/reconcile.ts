import type { Command } from 'commander';
import { requestedType } from '../packages/controller/domain/change.ts';
import { asKnudgeError } from '../packages/controller/domain/errors.ts';
import { describe, type ObjectRef } from '../packages/controller/domain/kube-object.ts';
import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import { kindNamed } from '../packages/mesh/parent-kinds.ts';
import { root } from './about.ts';
import { type BrokerOptions, sendToBroker, withBroker } from './broker.ts';
import { exitCodes } from './exit-codes.ts';
import { leaf, placeIn, usageError } from './leaf.ts';
import { parentsBy } from './parents.ts';
import { show } from './show.ts';
import { waitInCluster } from './wait/cluster.ts';
import { reconcileNow } from './wait/reconcile.ts';

interface Options extends BrokerOptions {
  readonly wait?: boolean;
}

/** `knudge reconcile`: asks for a reconcile of one object, as the resync does for all. */
export function reconcileCommand(): Command {
  const command = leaf('reconcile', `ask for a reconcile of one ${parentsBy('or')}`)
    .argument('<kind>', `${parentsBy('or')}: the kind, its plural, singular or short name, in any case`)
    .argument('<namespace/name>', 'the object');
  return withBroker(command.option('--wait', 'wait for the function, and print its outcome')).action(reconcile);
}

async function reconcile(word: string, at: string, options: Options): Promise<void> {
  const { apiVersion, kind } = kindOf(word);
  const object = { apiVersion, kind, ...placeOf(at) };
  const { namespace, name } = object;
  const extensions = { apiversion: apiVersion, kind, namespace, name };
  const send = () => sendToBroker({ type: requestedType, extensions }, options);
  if (options.wait) return reconcileWaiting(object, { ...options, send });
  const sent = await send();
  const text = `${sent.broker} took the event ${sent.id}: ${describe(object)} will be reconciled`;
  show({ ...sent, type: requestedType, kind, namespace, name }, () => text, options);
}

async function reconcileWaiting(
  object: ObjectRef,
  { send, ...options }: Options & { readonly send: () => ReturnType<typeof sendToBroker> },
): Promise<void> {
  const { kubeconfig, broker } = options;
  if (broker !== undefined)
    throw usageError('--wait looks into the cluster of the Broker: name its --kubeconfig instead of --broker');
  const { failed, ...reconciled } =
    kubeconfig === undefined
      ? await inMesh(object, options)
      : await waitInCluster(object, { ...options, kubeconfig, send });
  const { kind, namespace, name } = object;
  const text = `${describe(object)}: ${reconciled.outcome}`;
  show({ ...reconciled, type: requestedType, kind, namespace, name }, () => text, options);
  if (failed) process.exitCode = exitCodes.failed;
}

async function inMesh(object: ObjectRef, options: Options) {
  const reconciled = await reconcileNow(object, options);
  return { ...reconciled, failed: reconciled.status > 299 };
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
  throw usageError(`'${text}' names no object: give its namespace and its name, such as default/hello`);
}
