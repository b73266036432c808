import type { Access } from '../../controller/cluster/access.ts';
import type { Transport } from '../../controller/cluster/call.ts';
import { outsideCluster } from '../../controller/cluster/outside.ts';
import { createTransport } from '../../controller/cluster/transport.ts';
import { type CustomResourceDefinition, isDefinition } from '../../controller/domain/custom-resource.ts';
import { asKnudgeError, KnudgeError } from '../../controller/domain/errors.ts';
import type { KubeObject } from '../../controller/domain/kube-object.ts';

/** Milliseconds for the first answer of a cluster. */
const patience = 4000;

/**
 * A user's own cluster, by a kubeconfig. Writes nothing to it; throws a sentence if it does not answer or
 * lacks one of these CustomResourceDefinitions.
 */
export async function useExisting(
  kubeconfig: string,
  { objects, version }: { readonly objects: readonly KubeObject[]; readonly version: string },
): Promise<Access> {
  const access = await outsideCluster({ kubeconfig });
  if (!/^https?:$/.test(protocolOf(access.server))) {
    throw new KnudgeError(
      'misuse',
      `${kubeconfig} names the server ${access.server}, which is not an address: an address begins with https://`,
    );
  }
  const transport = createTransport({ access, version, timeoutMs: patience });
  try {
    await ask(transport, '/version').catch((error: unknown) => {
      throw new KnudgeError(
        'unavailable',
        `The cluster of ${kubeconfig} does not answer: ${asKnudgeError(error).message}`,
      );
    });
    for (const definition of objects.filter(isDefinition)) await insistOn(transport, definition);
  } finally {
    transport.close();
  }
  return access;
}

function protocolOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : '';
}

async function insistOn(transport: Transport, { metadata, spec }: CustomResourceDefinition): Promise<void> {
  const { group, names, versions } = spec;
  const wanted = versions.filter(({ served }) => served);
  const missing: string[] = [];
  for (const { name } of wanted) {
    const served = await resourcesOf(transport, `/apis/${group}/${name}`);
    if (!served.includes(names.plural)) missing.push(name);
  }
  if (missing.length === 0) return;
  const which = missing.length < wanted.length ? ` in version ${missing.join(', ')}` : '';
  const sentence = `The CRD ${metadata.name} is not in this cluster${which}: kubectl apply -k crds`;
  throw new KnudgeError('misuse', sentence);
}

/** The plurals that a version serves; empty if the version is not served. */
async function resourcesOf(transport: Transport, path: string): Promise<readonly string[]> {
  try {
    const { resources = [] } = (await ask(transport, path)) as { readonly resources?: readonly { name: string }[] };
    return resources.map(({ name }) => name);
  } catch (error) {
    if (asKnudgeError(error).code === 'gone') return [];
    throw error;
  }
}

function ask(transport: Transport, path: string): Promise<unknown> {
  return transport({ method: 'GET', verb: 'get', resource: 'discovery', target: path, path });
}
