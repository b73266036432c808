import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { outsideCluster } from '../../packages/controller/cluster/outside.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { CloudEvent, Deliver } from '../../packages/mesh/cloud-event.ts';
import type { Hop } from '../../packages/mesh/hop.ts';
import { readManifests } from '../../packages/mesh/manifests/read-manifests.ts';
import type { Closers, MeshParts } from '../../packages/mesh/mesh-parts.ts';
import { portsFrom } from '../../packages/mesh/ports.ts';
import { startDelivery, startFunctions } from '../../packages/mesh/start-delivery.ts';
import { startSources } from '../../packages/mesh/start-sources.ts';
import { version } from '../../packages/start/version.ts';
import { root } from '../house/files.ts';
import { kubeconfigOf } from './functions.ts';

interface MeshOn {
  readonly kubeconfig: string;
  /** The rendered overlay. */
  readonly objects: readonly KubeObject[];
  readonly namespace: string;
}

/**
 * Runs what the overlay asks for on this machine, against a real API server: sources, Broker, Triggers and functions, each
 * source and function with a token of its ServiceAccount and nothing else.
 */
export async function startMeshOf({ kubeconfig, objects, namespace }: MeshOn) {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-one-'));
  const closers: Closers = [() => rmSync(dir, { recursive: true, force: true })];
  const hops: Hop[] = [];
  const fileOf = async (name: string): Promise<string> => {
    const file = join(dir, `${name}.kubeconfig`);
    writeFileSync(file, await kubeconfigOf(kubeconfig, { namespace, name }), { mode: 0o600 });
    return file;
  };
  mkdirSync(join(dir, 'deploy'));
  const manifests = await Promise.all(objects.map((one) => (isFunction(one) ? withToken(one, fileOf) : one)));
  writeFileSync(join(dir, 'deploy/rendered.yaml'), manifests.map((one) => stringify(one)).join('---\n'));
  const parts: MeshParts = {
    root,
    dir,
    spec: readManifests({ root: dir }),
    firstPort: 0,
    nextPort: portsFrom(0),
    // Pods of a node that runs nothing have addresses that nobody answers at.
    env: { PATH: process.env['PATH'] ?? '', HOME: dir, TUNNEL_TIMEOUT_MS: '0', NODE_NO_WARNINGS: '1' },
    version,
    report: (hop) => void hops.push(hop),
    closers,
  };
  const { places, deliver } = startDelivery(parts, await startFunctions(parts, {}));
  for (const source of parts.spec.sources) {
    const { serviceAccountName } = (objects.find(isSourceOf(source.name)) as Source).spec;
    const access = await outsideCluster({ kubeconfig: await fileOf(serviceAccountName) });
    await startSources({ ...parts, spec: { ...parts.spec, sources: [source], pings: [] } }, access, deliver);
  }
  return {
    hops,
    urls: places.functions.urls,
    /** Sends an event to the Broker of the overlay. */
    send: (event: CloudEvent): ReturnType<Deliver> => deliver({ kind: 'broker', namespace, name: 'knudge' }, event),
    close: async (): Promise<void> => {
      for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
    },
  };
}

interface Source extends KubeObject {
  readonly spec: { readonly serviceAccountName: string };
}

function isSourceOf(name: string): (object: KubeObject) => boolean {
  return ({ kind, metadata }) => kind === 'ApiServerSource' && metadata.name === name;
}

interface KnativeService extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly serviceAccountName: string;
        readonly containers: readonly [{ readonly env: readonly object[] }];
      };
    };
  };
}

function isFunction(object: KubeObject): object is KnativeService {
  return object.apiVersion.startsWith('serving.knative.dev/');
}

/** A Pod finds its token mounted; a process on this machine finds it by a variable. */
async function withToken(service: KnativeService, fileOf: (name: string) => Promise<string>): Promise<KubeObject> {
  const { spec } = service.spec.template;
  const [container] = spec.containers;
  const env = [...container.env, { name: 'KUBECONFIG', value: await fileOf(spec.serviceAccountName) }];
  const template = { ...service.spec.template, spec: { ...spec, containers: [{ ...container, env }] } };
  return { ...service, ...{ spec: { ...service.spec, template } } };
}
