import assert from 'node:assert/strict';
import * as cast from '../../faults/scenarios/cast.ts';
import type { Scenario } from './stage.ts';

/** Certificates of a person's own, and what Knudge signs with. */
export const certificates: readonly Scenario[] = [
  {
    name: "a person's own Secret is rotated, then gets the key of another, then is right: each is told, and the new certificate is rolled out",
    play: async (stage) => {
      await stage.put(cast.suppliedSecret(stage.place, 'one'), ...cast.running(stage.place, cast.supplied));
      await stage.runs();
      const before = (await stage.child('tunnel')).metadata.generation;
      await stage.put(cast.suppliedSecret(stage.place, 'two'));
      await stage.wait('the tunnel is started with the new certificate', async () => {
        const { generation } = (await stage.child('tunnel')).metadata;
        return generation !== before;
      });
      await stage.runs();
      const secret = cast.refIn(stage.place, 'Secret', 'own-tls');
      const [one, two] = [cast.suppliedData('one'), cast.suppliedData('two')];
      await stage.patch(secret, { data: { 'tls.crt': two['tls.crt'], 'tls.key': one['tls.key'] } });
      await stage.tells({ state: 'Failed', CertificatesReady: 'SecretInvalid' });
      await stage.patch(secret, { data: two });
      await stage.runs();
    },
  },
  {
    name: 'a server profile is replaced: its authority stays, and so does what it signed',
    play: async (stage) => {
      await stage.put(...cast.running(stage.place, cast.generated));
      await stage.runs();
      const authority = cast.refIn(stage.place, 'Secret', 'frp-default-ca');
      const signed = async () => [(await stage.get(authority)).data, (await stage.child('tls')).data];
      const before = await signed();
      await stage.remove(cast.refIn(stage.place, 'ConfigMap', 'frps-default'));
      await stage.tells({ state: 'Failed', ConfigurationValid: 'ServerProfileNotFound' });
      await stage.put(cast.profile(stage.place));
      await stage.runs();
      assert.deepEqual(await signed(), before);
      assert.deepEqual((await stage.get(authority)).metadata.ownerReferences ?? [], []);
    },
  },
];
