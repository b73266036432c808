import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { trafficAt } from '../traffic.ts';
import { knudge, runIn } from './knudge.ts';

test('--traffic without its programs is one sentence that says what installs them, and how long that takes', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-cli-'));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  const { code, out, said } = await runIn(dir, ['dev', '--traffic', '--port', '0'], { XDG_CACHE_HOME: dir }).ended;
  assert.deepEqual({ code, out }, { code: 2, out: '' });
  assert.match(
    said,
    /^--traffic: frps, frpc and Envoy are not installed: run "npm run dataplane -- install" once [^\n]+\n$/,
  );
  assert.match(said, /It takes about four minutes and 150 MB, once\.\n$/);
});

test('--traffic does not run the Pods of a cluster', async (context) => {
  const { code, said } = await knudge(context, 'dev', '--traffic', '--kubeconfig', 'k').ended;
  assert.equal(code, 2);
  assert.match(said, /^--traffic runs Pods of the embedded API: leave out --kubeconfig\n/);
});

interface Data extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly ports?: readonly { readonly port: number }[] };
}

test('the port of the FRP server is one that is free, the same in its Service, its profile and the command', async () => {
  const { objects, sentence } = await trafficAt(0);
  const port = /\n {2}curl http:\/\/web\.localhost:(\d+)\/$/.exec(sentence)?.[1] ?? '';
  const find = (kind: string, name: string) =>
    objects.find((one) => one.kind === kind && one.metadata.name === name) as Data | undefined;
  assert.equal(find('ConfigMap', 'home')?.data?.['vhostHTTPPort'], port);
  assert.match(find('ConfigMap', 'home')?.data?.['ca.crt'] ?? '', /^-----BEGIN CERTIFICATE-----/);
  assert.deepEqual(
    find('Service', 'frps-public')?.spec?.ports?.map((one) => one.port),
    [Number(port)],
  );
  assert.notEqual(find('Secret', 'frps-tls')?.data?.['tls.key'], undefined);
});
