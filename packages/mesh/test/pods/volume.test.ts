import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { KubeObject } from '../../../controller/domain/kube-object.ts';
import type { Pod, VolumeSpec } from '../../pods/pod-spec.ts';
import { podVolumes } from '../../pods/pod-volumes.ts';
import { createVolume } from '../../pods/volume.ts';

const folder = mkdtempSync(join(tmpdir(), 'knudge-volume-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const textOf = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');

it('a volume changes as a whole, by the rename of one link', () => {
  const volume = createVolume(join(folder, 'whole'));
  const at = join(folder, 'whole');
  const files = new Map<string, string | Buffer>([
    ['a', '1'],
    ['gone', 'x'],
    ['deep/b', Buffer.from('2')],
  ]);
  volume.write(files);
  const first = readlinkSync(join(at, '..data'));
  assert.equal(readlinkSync(join(at, 'a')), '..data/a');
  assert.equal(textOf('whole', 'deep/b'), '2');
  assert.equal(statSync(join(at, 'a')).mode & 0o777, 0o600);
  assert.equal(statSync(at).mode & 0o777, 0o700);
  volume.write(files);
  assert.equal(readlinkSync(join(at, '..data')), first);
  volume.write(
    new Map([
      ['a', '2'],
      ['new', '3'],
    ]),
  );
  const second = readlinkSync(join(at, '..data'));
  assert.notEqual(second, first);
  assert.deepEqual(readdirSync(at).sort(), [second, '..data', 'a', 'new'].sort());
  assert.equal(textOf('whole', 'a') + textOf('whole', 'new'), '23');
});

const objects: Readonly<Record<string, object>> = {
  'ConfigMap config': { data: { 'a.json': 'at 127.0.0.1', other: 'x' }, binaryData: { raw: 'AAE=' } },
  'Secret key': { data: { token: Buffer.from('at 127.0.0.1').toString('base64') } },
};

function volumesOf(name: string, volumes: readonly VolumeSpec[]) {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [], volumes } } as Pod;
  return podVolumes(pod, {
    folder: join(folder, name),
    find: (kind, wanted) => objects[`${kind} ${wanted}`] as KubeObject | undefined,
    localise: (text) => text.replace('127.0.0.1', 'here'),
  });
}

const configMap = { name: 'config' };
const secret = { secretName: 'key' };

describe('the volumes of a Pod', () => {
  it('have the texts of a ConfigMap for this machine, and a Secret as it is', () => {
    assert.deepEqual(
      volumesOf('both', [
        { name: 'c', configMap },
        { name: 's', secret },
      ]).refresh(),
      [],
    );
    assert.equal(textOf('both/c/a.json'), 'at here');
    assert.equal(textOf('both/s/token'), 'at 127.0.0.1');
    assert.deepEqual([...readFileSync(join(folder, 'both/c/raw'))], [0, 1]);
  });

  it('have only the items that are named, where they are wanted', () => {
    const items = [{ key: 'other', path: 'sub/o' }];
    assert.deepEqual(volumesOf('items', [{ name: 'c', configMap: { ...configMap, items } }]).refresh(), []);
    assert.equal(textOf('items/c/sub/o'), 'x');
    assert.deepEqual(
      readdirSync(join(folder, 'items/c')).filter((name) => !name.startsWith('.')),
      ['sub'],
    );
  });

  it('are empty where they should be, or what they are made of may be missing', () => {
    const none = volumesOf('empty', [
      { name: 'e', emptyDir: {} },
      { name: 't', projected: {} },
      { name: 'o', configMap: { name: 'nobody', optional: true } },
    ]);
    assert.deepEqual(none.refresh(), []);
    for (const name of ['e', 't', 'o']) assert.deepEqual(readdirSync(join(folder, 'empty', name)), []);
  });

  const missing: readonly [sentence: string, volume: VolumeSpec, says: string][] = [
    ['no ConfigMap', { name: 'c', configMap: { name: 'nobody' } }, 'ConfigMap nobody not found'],
    ['no Secret', { name: 's', secret: { secretName: 'nobody' } }, 'Secret nobody not found'],
    ['no key', { name: 's', secret: { ...secret, items: [{ key: 'k', path: 'k' }] } }, 'Secret key has no key k'],
    ['another sort', { name: 'v' }, 'volume v is neither a ConfigMap, a Secret nor an emptyDir'],
  ];
  for (const [sentence, volume, says] of missing) {
    it(`say what is missing: ${sentence}`, () => assert.deepEqual(volumesOf(sentence, [volume]).refresh(), [says]));
  }
});
