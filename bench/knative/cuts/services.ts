import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { home, type Site } from '../../../test/knative/site.ts';
import { objectsIn } from '../../../test/kube/install.ts';
import { kubectl } from '../../../test/kube/kubectl.ts';
import { knudgeImage } from '../../../tools/knative/knudge.ts';
import { label } from '../services.ts';
import { bundleOfAll } from './bundle.ts';
import { allInOne, alone, stems } from './cuts.ts';

interface Container {
  readonly image: string;
  readonly volumeMounts?: readonly object[];
}

interface Service extends KubeObject {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
}

const collection = `/apis/serving.knative.dev/v1/namespaces/${home}/services`;
const maps = `/api/v1/namespaces/${home}/configmaps`;

/** Makes the Services of the two cuts that deploy/ does not have, and waits until they are Ready; the returned function removes them. */
export async function makeCuts(site: Site): Promise<() => Promise<void>> {
  const { files, binaryData } = await bundleOfAll(allInOne, stems);
  const metadata = { name: allInOne, namespace: home, labels: { [label]: 'yes' } };
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata, binaryData };
  await post(site, maps, map);
  for (const name of alone) await post(site, collection, serviceFrom(`deploy/components/per-function/${name}.yaml`));
  await post(site, collection, withBundle(serviceFrom('deploy/functions/distributed-service.yaml'), files));
  await kubectl('--namespace', home, 'wait', 'ksvc', '--selector', label, '--for=condition=Ready', '--timeout=180s');
  return async () => {
    await kubectl('--namespace', home, 'delete', 'ksvc,configmap', '--selector', label, '--ignore-not-found');
  };
}

async function post(site: Site, path: string, body: KubeObject): Promise<void> {
  const { status, body: told } = await site.api('POST', path, { body });
  if (status !== 201 && status !== 409) throw new Error(`${body.kind} ${body.metadata.name}: ${JSON.stringify(told)}`);
}

/** A Service as its manifest has it, with the image of this cluster. */
function serviceFrom(path: string): Service {
  const [found] = objectsIn(path) as readonly Service[];
  if (found === undefined) throw new Error(`${path} holds no Service`);
  const image = `${knudgeImage.name}:${knudgeImage.tag}`;
  const marked = { ...found, metadata: { ...found.metadata, labels: { ...found.metadata.labels, [label]: 'yes' } } };
  return withContainer(marked, (container) => ({ ...container, image }));
}

/** Its account also has the rights for Messages. Its bundle is mounted beside those of the image, so that it starts as they do. */
function withBundle(service: Service, files: readonly string[]): Service {
  const volumeMounts = files.map((file) => ({
    name: 'bundle',
    mountPath: `/app/functions/${file}`,
    subPath: file,
    readOnly: true,
  }));
  const mounted = withContainer(service, (container) => ({ ...container, volumeMounts }));
  const { template } = mounted.spec;
  const volumes = [{ name: 'bundle', configMap: { name: allInOne } }];
  const spec = { ...mounted.spec, template: { ...template, spec: { ...template.spec, volumes } } };
  return { ...mounted, metadata: { ...mounted.metadata, name: allInOne }, spec };
}

function withContainer(service: Service, change: (container: Container) => Container): Service {
  const { template } = service.spec;
  const spec = { ...template.spec, containers: template.spec.containers.map(change) };
  return { ...service, spec: { ...service.spec, template: { ...template, spec } } };
}
