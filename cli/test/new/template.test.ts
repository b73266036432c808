import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { readManifests } from '../../../packages/mesh/manifests/read-manifests.ts';
import { made } from './made.ts';

/** Such a project with its manifests. */
function shown(name: string) {
  const project = made(name);
  const manifests = project.files().filter((path) => /^(crds|deploy|eventing)\/.*\.yaml$/.test(path));
  return { ...project, manifests, objects: readManifests({ root: project.folder }).objects };
}

const nameOf = ({ kind, metadata }: KubeObject) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

describe('a project that knudge new controller makes', () => {
  const [shop, demo] = [shown('shop'), shown('demo')];
  after(() => {
    for (const { remove } of [shop, demo]) remove('.');
  });

  it('names no namespace, Broker or role of Knudge, nor of the template', () => {
    for (const path of shop.manifests) {
      const text = shop.text(path);
      assert.doesNotMatch(
        text,
        /(namespace|broker|name): (knudge|demo)\b|(\/|namespaces\/|serviceaccount:)(knudge|demo)[/:]/,
      );
      assert.doesNotMatch(text, /value: (knudge|demo)\b/, path);
    }
    assert.match(shop.text('deploy/functions/greeting.yaml'), /name: CONTROLLER_NAMESPACE\n +value: shop\n/);
  });

  it('is in its own namespace, but for objects that are in none, which have its name', () => {
    const outside = shop.objects.filter(({ metadata }) => metadata.namespace !== 'shop').map(nameOf);
    assert.ok(shop.objects.length > outside.length);
    assert.deepEqual(
      outside.filter(
        (name) =>
          !/^(Namespace \/shop|CustomResourceDefinition \/\w+\.shop\.example\.org|\w+ \/shop-[\w-]+)$/.test(name),
      ),
      [],
    );
  });

  it('shares no object with another one', () => {
    const taken = new Set(demo.objects.map(nameOf));
    assert.ok(taken.size > 20);
    assert.deepEqual(
      shop.objects.map(nameOf).filter((name) => taken.has(name)),
      [],
    );
  });

  it('is looked for in its namespace by the command line', () => {
    for (const command of [['doctor'], ['status'], ['events', 'list'], ['resync']])
      assert.match(
        shop.knudge(...command, '--help').stdout.replaceAll(/\s+/g, ' '),
        /--namespace .* \(default: "shop"\)/,
      );
  });
});
