import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { build } from 'esbuild';
import { structs } from '../../../packages/controller/decide/builtin-shapes.ts';
import { shapesOfChildren } from '../../../packages/image/leave-out.ts';
import { leaveOut, replace } from '../../../tools/build/leave-out.ts';
import { root } from '../../house/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'knudge-left-'));
after(() => rmSync(folder, { recursive: true }));

describe('what is left out of a bundle', () => {
  it('is not missed by the log, also of a field that JSON cannot hold and of a child logger', async () => {
    const contents = `
      import { createLog } from './packages/controller/server/log.ts';
      const log = createLog({ logLevel: 'info', service: 'f', revision: '' });
      class Cycle { self = this; }
      log.child({ event: 'e' }).warn({ authorization: 'x', cycle: new Cycle(), many: 1n }, 'said');`;
    const outfile = join(folder, 'log.cjs');
    const stdin = { contents, resolveDir: root, loader: 'ts' } as const;
    await build({ stdin, outfile, bundle: true, format: 'cjs', platform: 'node', plugins: [leaveOut] });
    const { stdout, stderr } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });
    assert.equal(stderr, '');
    const { event, msg, authorization, cycle } = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual([event, msg, authorization], ['e', 'said', '[redacted]']);
    assert.match(String(cycle), /unable to serialize/);
  });

  it('is not missed by cloudevents, which refuses what it refused before', async () => {
    const contents = `
      import { CloudEvent } from 'cloudevents';
      const given = JSON.parse(process.argv[2]);
      console.log(JSON.stringify(given.map((parts) => {
        try { return new CloudEvent({ id: '1', source: '/s', type: 't', ...parts }).validate(); }
        catch (error) { return [error.message, error.errors]; }
      })));`;
    const times = ['2026-01-01T00:00:00Z', '2026-01-01T24:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01', 'now'];
    const uris = ['https://a.example/s', 'urn:x:y', '//a', 'no', 'http://[::1', ''];
    const given = [
      ...times.map((time) => ({ time })),
      ...uris.flatMap((uri) => [{ dataschema: uri }, { source: uri }]),
    ];
    const answers = [];
    for (const plugins of [[leaveOut], []]) {
      const outfile = join(folder, `events-${plugins.length}.cjs`);
      const stdin = { contents, resolveDir: root } as const;
      const options = {
        stdin,
        outfile,
        bundle: true,
        format: 'cjs',
        platform: 'node',
        plugins,
        metafile: true,
      } as const;
      const { metafile } = await build(options);
      const { stdout } = spawnSync(process.execPath, [outfile, JSON.stringify(given)], { encoding: 'utf8' });
      const bytes = metafile.outputs[Object.keys(metafile.outputs)[0] ?? '']?.bytes ?? 0;
      answers.push({ stdout, bytes });
    }
    const [without, whole] = answers;
    assert.match(whole?.stdout ?? '', /true.*date-time.*uri/);
    assert.equal(without?.stdout, whole?.stdout);
    assert.ok((whole?.bytes ?? 0) - (without?.bytes ?? 0) > 3000);
  });

  it('is replaced by its own text where a bundle replaces twice', async () => {
    const outfile = join(folder, 'twice.cjs');
    const stdin = { contents: `import { one } from 'one'; import { two } from 'two'; console.log(one, two);` };
    const plugins = [replace({ one: `exports.one = 1;` }), replace({ two: `exports.two = 2;` })];
    await build({ stdin, outfile, bundle: true, format: 'cjs', platform: 'node', plugins });
    assert.equal(spawnSync(process.execPath, [outfile], { encoding: 'utf8' }).stdout, '1 2\n');
  });

  it('are the shapes of kinds that are no children, and those of children are as they were', () => {
    const { 'builtin-kinds': kinds, 'builtin-shapes': shapes } = shapesOfChildren([
      { apiVersion: 'v1', kind: 'Service' },
      { apiVersion: 'v1', kind: 'ConfigMap' },
    ]);
    assert.equal(kinds, `export const structOfKind = {"v1/Service":"Service"};`);
    const left = JSON.parse(shapes.replace(/^export const structs = (.*);$/, '$1')) as typeof structs;
    assert.deepEqual(Object.keys(left).sort(), ['ObjectMeta', 'Service', 'ServicePort', 'ServiceSpec']);
    for (const [name, fields] of Object.entries(left)) assert.deepEqual(fields, structs[name]);
  });

  it('leaves all that a child names, however deep', () => {
    const { 'builtin-shapes': shapes } = shapesOfChildren([{ apiVersion: 'apps/v1', kind: 'Deployment' }]);
    for (const struct of ['PodSpec', 'Container', 'ContainerPort', 'Probe'])
      assert.ok(shapes.includes(`"${struct}":`), struct);
    assert.ok(!shapes.includes('"CronJobSpec":'));
  });
});
