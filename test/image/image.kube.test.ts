import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { processNames } from '../../functions/table.ts';
import { entrypoint } from '../../packages/image/config.ts';
import { output } from '../../tools/debian/commands.ts';
import { craneProgram, push } from '../../tools/image/crane.ts';
import { message } from '../build/objects.ts';
import { statusOf } from '../dataplane/pod/restricted.ts';
import { type Arena, openArena } from '../kube/arena.ts';
import { startContainer } from './container.ts';
import { type RecordedRequest, recordedFor } from './recorded-for.ts';
import { secret, startRegistry } from './registry.ts';
import { type Place, post, withFunction } from './run-function.ts';
import { buildAnew, type UnpackedImage, unpackedImage, withoutRun } from './unpacked.ts';

const silent = (): void => undefined;

let image: UnpackedImage;
let arena: Arena;
let folder: string;

before(async () => {
  assert.equal(process.getuid?.(), 0, 'the image is run in mount namespaces, which only root may make');
  folder = mkdtempSync(join(tmpdir(), 'knudge-image-test-'));
  chmodSync(folder, 0o755);
  image = await unpackedImage();
  arena = await openArena({ stems: [], withSource: false });
});

after(async () => {
  await arena.close();
  image.remove();
  rmSync(folder, { recursive: true });
});

const place = (): Place => ({ arena, folder, root: image.root });

for (const service of processNames) {
  test(`${service} starts from the image as nobody in a read-only root, by its code cache, and answers what was recorded`, async () => {
    const { complaints, code } = await withFunction(service, place(), async (port, { process: { pid = 0 } }) => {
      const status = statusOf(pid);
      for (const line of ['Uid', 'Gid']) assert.equal(status.get(line), '65532 65532 65532 65532');
      assert.match(status.get('CapEff') ?? '', /^0+$/);
      assert.equal(status.get('NoNewPrivs'), '1');
      for (const request of recordedFor(service)) {
        const answer = await post(port, request);
        assert.equal(answer.status, request.status, await answer.text());
      }
    });
    // A cache that V8 does not take is complained of here.
    assert.deepEqual([complaints, code], ['', 0]);
  });
}

/** In the recorded namespace other tests count on its objects being gone. */
function inNamespace(request: RecordedRequest, namespace: string): RecordedRequest {
  const headers = { ...request.headers, 'ce-namespace': namespace };
  const body = request.body.toString().replaceAll('"namespace":"ev"', `"namespace":"${namespace}"`);
  assert.notEqual(body, request.body.toString());
  return { ...request, headers, body: Buffer.from(body) };
}

test('a recorded event makes the object on the API server that it is to make', async () => {
  const [request] = recordedFor('message-changed').map((one) => inNamespace(one, 'from-image'));
  assert.ok(request);
  const at = { namespace: 'from-image', name: request.headers['ce-name'] ?? '' };
  await arena.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: at.namespace } });
  await arena.put(message(at.name, 'from an image', at));
  const { result } = await withFunction('message-changed', place(), async (port) => {
    const answer = await post(port, request);
    return [answer.status, answer.headers.get('knudge-outcome')];
  });
  assert.deepEqual(result, [204, 'done; reads=2; writes=2']);
  const pod = await arena.get('v1', 'Pod', { ...at, name: `msg-${at.name}` });
  assert.match(JSON.stringify(pod), /from an image/);
});

test("V8 takes each function's code cache, by the image's Node.js and its flags, and refuses one of another function", async () => {
  const names = JSON.stringify(processNames);
  const script = `
    const { readFileSync, writeSync } = require('node:fs');
    const { Script } = require('node:vm');
    const at = (name) => '/app/functions/' + name;
    const refused = (bundle, cache) => new Script(
      '(function(require,module,exports,__filename,__dirname){' + readFileSync(at(bundle + '.cjs'), 'latin1') + '\\n})',
      { filename: at(bundle + '.cjs'), cachedData: readFileSync(at(cache + '.cache')) },
    ).cachedDataRejected;
    // First: what is compiled once is not asked for again.
    const other = refused('pod-changed', 'frp-gate');
    const own = ${names}.filter((name) => name !== 'pod-changed' && refused(name, name));
    writeSync(2, JSON.stringify({ own, other }));`;
  const command = [...entrypoint.slice(0, -1), '--eval', script];
  const { complaints } = startContainer({ root: image.root, command });
  assert.deepEqual(JSON.parse(await complaints), { own: [], other: true });
});

test('nothing in the image belongs to anybody but root or can be written to by others, and there is no shell', () => {
  const list = output('tar', '--list', '--verbose', '--numeric-owner', ...['--file', image.archive]);
  assert.doesNotMatch(list, /^\S+ (?!0\/0 )/m);
  const found = output(
    'find',
    image.root,
    '-xdev',
    '(',
    '-perm',
    '/0022',
    '-o',
    '!',
    '-user',
    '0',
    ')',
    '!',
    '-type',
    'l',
  );
  assert.equal(found.trim(), join(image.root, 'tmp'));
  assert.equal(lstatSync(join(image.root, 'tmp')).mode & 0o7777, 0o1777);
  assert.ok(!existsSync(join(image.root, 'bin/sh')) && !existsSync(join(image.root, 'usr/bin')));
});

test('the certificates of public authorities are found, and names of hosts are looked up', async () => {
  const script = `
    const { writeSync } = require('node:fs');
    require('node:dns').lookup('localhost', (error, address) =>
      writeSync(2, JSON.stringify([require('node:tls').getCACertificates('system').length > 100, address ?? error])));`;
  const hosts = join(folder, 'hosts');
  const root = join(folder, 'with-hosts');
  writeFileSync(hosts, '127.0.0.7 localhost\n');
  cpSync(image.root, root, { recursive: true, verbatimSymlinks: true });
  cpSync(hosts, join(root, 'etc/hosts'));
  const { complaints } = startContainer({
    root,
    command: ['/usr/local/bin/node', '--use-system-ca', '--eval', script],
  });
  assert.deepEqual(JSON.parse(await complaints), [true, '127.0.0.7']);
});

test('objects have no __proto__ there, and what functions load late works without', async () => {
  const script = `
    const at = (name) => '/app/functions/' + name + '.cjs';
    const validity = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2027-01-01T00:00:00Z' };
    require(at('certificates')).issueAuthority({ commonName: 'late', ...validity }).then(({ certificate }) => {
      const { subject } = new (require('node:crypto').X509Certificate)(certificate);
      const [client, verify] = [typeof require(at('postgres')).Client, typeof require(at('tokens')).jwtVerify];
      const said = { proto: typeof {}.__proto__, subject, client, verify };
      require('node:fs').writeSync(2, JSON.stringify(said));
    });`;
  const { complaints } = startContainer({ root: image.root, command: [...entrypoint.slice(0, -1), '--eval', script] });
  assert.deepEqual(JSON.parse(await complaints), {
    proto: 'undefined',
    subject: 'CN=late',
    client: 'function',
    verify: 'function',
  });
});

test('a second build, by another umask and in another place, has the same digest', async () => {
  const [place, umask, temporary] = [join(folder, 'again'), process.umask(0o077), process.env['TMPDIR']];
  mkdirSync(place);
  process.env['TMPDIR'] = place;
  try {
    const { digest, archive, provenance } = await buildAnew(place);
    assert.equal(digest, image.digest);
    assert.deepEqual(output('sha256sum', archive).split(' ')[0], output('sha256sum', image.archive).split(' ')[0]);
    assert.deepEqual(withoutRun(provenance), withoutRun(image.provenance));
  } finally {
    process.umask(umask);
    if (temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporary;
  }
});

test('it is pushed to a registry that wants to know who pushes, and is there what it is here', async () => {
  const crane = await craneProgram(silent);
  const { front, stop } = await startRegistry(crane);
  const name = `${front}/some/knudge:1`;
  const configuration = join(folder, 'docker');
  mkdirSync(configuration);
  process.env['DOCKER_CONFIG'] = configuration;
  try {
    await assert.rejects(push(image.layout, name, silent), /UNAUTHORIZED|401/);
    writeFileSync(join(configuration, 'config.json'), JSON.stringify({ auths: { [front]: { auth: secret } } }));
    await push(image.layout, name, silent);
    const ask = promisify(execFile);
    assert.equal((await ask(crane, ['digest', name])).stdout.trim(), image.digest);
    await ask(crane, ['validate', '--remote', name]);
  } finally {
    delete process.env['DOCKER_CONFIG'];
    stop();
  }
});
