import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { bareCopy } from '../../../packages/controller/testing/calls/bare-copy.ts';
import type { ChildRole } from '../../../resources/distributed-service/names.ts';
import * as cast from '../scenarios/cast.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { inWorld } from './world.ts';

const nothing = async (): Promise<void> => undefined;
const from = await givenOf(cast.aboutWeb({ name: 'every-child', given: cast.withEveryChild, when: nothing }));

interface Row {
  readonly what: string;
  readonly role: ChildRole;
  /** The copy that is put in the child's place, with all its labels. */
  readonly made: (live: KubeObject) => KubeObject;
}

const labels = { 'example.com/app': 'web' };

/** What the API server lets nobody change once it is there. */
const rows: readonly Row[] = [
  { what: 'the Service of the selector with an address of its own', role: 'backends', made: bareCopy },
  {
    what: 'the tunnel with another selector',
    role: 'tunnel',
    made: (live) => {
      const copy = bareCopy(live) as KubeObject & { readonly spec: { readonly template: object } };
      const template = { ...copy.spec.template, metadata: { labels } };
      return { ...copy, spec: { ...copy.spec, selector: { matchLabels: labels }, template } } as KubeObject;
    },
  },
];

for (const { what, role, made } of rows) {
  test(`X3: ${what}, made again by somebody from what was there, is taken for ours and made anew`, async () => {
    await inWorld({ from }, async ({ user, see, resync, state, rest }) => {
      const ref = cast.childRef(place, role);
      const before = see(ref);
      await user.delete(ref);
      await user.create(made(before));
      // Without its owner the copy may wake nobody.
      await resync();
      const words = ({ spec }: ReturnType<typeof see>): unknown => [spec?.['selector'], spec?.['clusterIP'] === 'None'];
      assert.deepEqual(words(see(ref)), words(before));
      assert.equal(state(), 'Running');
      await rest();
    });
  });
}

test('X3: a tunnel that somebody made again from a copy loses what is wanted no more all the same', async () => {
  await inWorld({ from }, async ({ user, see, resync, state, rest }) => {
    const ref = cast.childRef(place, 'tunnel');
    const before = see(ref);
    await user.delete(ref);
    await user.create(bareCopy(before));
    await resync();
    const mounts = (): string => JSON.stringify(see(ref).spec);
    assert.match(mounts(), /etc\/knudge\/identity/);
    await user.patch(refOf(cast.profile(place)), { data: { gate: 'false' } });
    await resync();
    assert.doesNotMatch(mounts(), /etc\/knudge\/identity/);
    assert.equal(state(), 'Running');
    await rest();
  });
});
