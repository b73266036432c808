import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldPath } from '../../controller/cluster/yaml.ts';
import { KnudgeError } from '../../controller/domain/errors.ts';
import { addKinds, kindsDefinedBy } from '../../controller/domain/known-kinds.ts';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import type { MeshSpec } from '../mesh-spec.ts';
import { readApiServerSource } from './api-server-source.ts';
import { readBroker } from './broker.ts';
import { checkSubscription, readChannel } from './channel.ts';
import { readContainerSource } from './container-source.ts';
import { type Fault, type Manifest, readObjects, yamlFiles } from './documents.ts';
import { type Field, openFields } from './field.ts';
import { readFunction } from './function.ts';
import { identityOf, inOrder, typeOf } from './order.ts';
import { withOverlay } from './overlay.ts';
import { readPingSource } from './ping-source.ts';
import { readTrigger } from './trigger.ts';

interface Where {
  /** The folder of the project, which holds crds/, eventing/, deploy/ and functions/. */
  readonly root: string;
  /** A folder of deploy/overlays. */
  readonly overlay?: string;
}

/** Where the manifests of a project are, below its folder. */
export const manifestFolders = ['crds', 'deploy', 'eventing'] as const;
const overlays = 'deploy/overlays';
const components = 'deploy/components';
/** Objects that only a cluster needs: an FRP server, and what surrounds the functions and wakes none of them. */
const others = ['admission', 'disruption-budgets', 'first-resync', 'frps', 'frps-mutual-tls', 'network-policies'].map(
  (name) => `deploy/${name}`,
);

/**
 * The objects of crds/, eventing/ and deploy/, checked as Knative's webhooks would. Throws one `misuse` with a
 * line for each fault: file, line, field, what is wrong and what to do. From then on clients of this process know how the API server
 * serves the custom resources among them.
 */
export function readManifests({ root, overlay }: Where): MeshSpec {
  const faults: Fault[] = [];
  const files = manifestFolders.flatMap((folder) =>
    existsSync(join(root, folder)) ? yamlFiles(root, folder, [overlays, components, ...others]) : [],
  );
  const base = files.flatMap((file) => readObjects(root, file, faults));
  const folder = overlay === undefined ? undefined : overlayFolder(root, overlay);
  const passedOver = folder === undefined ? [] : objectsIn(root, others, faults);
  const manifests =
    folder === undefined ? base : withOverlay(base, { root, folder, base: manifestFolders, passedOver, faults });
  refuseTwins(manifests, faults);
  const spec = specOf(manifests, { root, faults });
  if (faults.length > 0) throw new KnudgeError('misuse', [...new Set(faults)].join('\n'));
  addKinds(kindsDefinedBy(spec.objects));
  return spec;
}

function objectsIn(root: string, places: readonly string[], faults: Fault[]): readonly KubeObject[] {
  return places
    .flatMap((folder) => (existsSync(join(root, folder)) ? yamlFiles(root, folder) : []))
    .flatMap((file) => readObjects(root, file, faults))
    .map(({ object }) => object);
}

function overlayFolder(root: string, overlay: string): string {
  const all = existsSync(join(root, overlays)) ? readdirSync(join(root, overlays)) : [];
  if (all.includes(overlay)) return `${overlays}/${overlay}`;
  throw new KnudgeError('misuse', `there is no overlay ${overlay}; ${overlays} has ${all.join(', ') || 'no overlays'}`);
}

function refuseTwins(manifests: readonly Manifest[], faults: Fault[]): void {
  const seen = new Map<string, string>();
  for (const manifest of manifests) {
    const identity = identityOf(manifest.object);
    const { file, line } = manifest.placeOf(['metadata', 'name']);
    const twin = seen.get(identity);
    if (twin === undefined) seen.set(identity, `${file}:${line}`);
    else openFields(manifest, faults).at('metadata').at('name').refuse(`${identity} is in ${twin} already`);
  }
}

/** What the mesh is to run, of manifests that were read; faults are added to the list. */
export function specOf(
  manifests: readonly Manifest[],
  { root, faults }: { readonly root: string; readonly faults: Fault[] },
): MeshSpec {
  const of = (type: string): readonly Field[] =>
    manifests.filter(({ object }) => typeOf(object) === type).map((manifest) => openFields(manifest, faults));
  const [services, brokerFields] = [of('serving.knative.dev/Service'), of('eventing.knative.dev/Broker')];
  const channels = of('messaging.knative.dev/InMemoryChannel');
  const subscriptions = of('messaging.knative.dev/Subscription');
  const known = { functions: keysOf(services), brokers: keysOf(brokerFields), channels: keysOf(channels) };
  for (const one of subscriptions) checkSubscription(one, known);
  const manifestOf = (object: KubeObject) => manifests.find((one) => one.object === object);
  const brokers = brokerFields.map((field) => readBroker(field, known));
  return {
    brokers,
    channels: channels.map((field) => readChannel(field, { known, subscriptions })),
    triggers: of('eventing.knative.dev/Trigger').map((field) => readTrigger(field, { known, brokers })),
    sources: [
      ...of('sources.knative.dev/ApiServerSource').map((field) => readApiServerSource(field, known)),
      ...of('sources.knative.dev/ContainerSource').flatMap((field) => readContainerSource(field, { known, root })),
    ],
    pings: of('sources.knative.dev/PingSource').map((field) => readPingSource(field, known)),
    functions: services.map(readFunction),
    objects: inOrder(manifests.map(({ object }) => object)),
    placeOf: (object, sentence) => {
      const place = manifestOf(object)?.placeOf(fieldIn(sentence));
      return place === undefined ? 'a manifest' : `${place.file}:${place.line}`;
    },
    fileOf: (object) => manifestOf(object)?.placeOf(['metadata', 'name']).file,
  };
}

/** `… is invalid: spec.ports[0].port: …`; the name of the object if no field is named. */
function fieldIn(sentence: string): FieldPath {
  const [, field = 'metadata.name'] = / is invalid: ([A-Za-z][\w.[\]]*): /.exec(sentence) ?? [];
  return field.split(/[.[\]]+/).flatMap((key) => (key === '' ? [] : [/^\d+$/.test(key) ? Number(key) : key]));
}

/** The `namespace/name` of each. */
function keysOf(fields: readonly Field[]): ReadonlySet<string> {
  return new Set(
    fields.map((field) => {
      const metadata = field.at('metadata');
      return `${metadata.at('namespace').text('default')}/${metadata.at('name').text()}`;
    }),
  );
}
