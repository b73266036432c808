import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type KubeObject, refOf } from '../../../controller/domain/kube-object.ts';
import { podHere, serviceHere } from '../../pods/addresses.ts';
import { isReady, type LivePod, says, scriptPod, startCluster, until } from './cluster.ts';

const skip = process.platform !== 'linux' && 'only Linux has all of 127.0.0.0/8';
const stops: (() => Promise<void> | void)[] = [];
const cluster =
  skip === false ? await startCluster({ after: (stop) => void stops.push(stop as () => Promise<void>) }) : undefined;
after(async () => {
  for (const stop of stops) await stop();
});

const at = () => cluster ?? assert.fail();
const container = (name: string) => at().pod(name)?.status.containerStatuses?.[0];
const textAt = async (address: string, port = 8080): Promise<string> =>
  fetch(`http://${address}:${String(port)}/`).then(
    (answer) => answer.text(),
    () => '',
  );
const here = (name: string): string => podHere(at().pod(name)?.status.podIP ?? '') ?? '';
const asked = async (path: string): Promise<Response> =>
  fetch(`${at().url}/api/v1/namespaces/shop/pods/${path}`, { headers: { authorization: `Bearer ${at().token}` } });
const logOf = (name: string): string => {
  const folder = readdirSync(at().folder).find((one) => one.startsWith(`shop_${name}_`)) ?? '';
  return readFileSync(join(at().folder, folder, 'main.log'), 'utf8');
};
const probe = { httpGet: { path: '/', port: 'http' }, periodSeconds: 1, failureThreshold: 1 };
const ports = [{ name: 'http', containerPort: 8080 }];

describe('a node that runs Pods as processes', { skip }, () => {
  it('waits for what a Pod mounts, starts it, and writes changes into its files', async () => {
    const script = `const { readFileSync } = require('node:fs'); ${says("readFileSync('/app/text')")}`;
    const volumes = [{ name: 'app', configMap: { name: 'texts' } }];
    const mounts = { volumeMounts: [{ name: 'app', mountPath: '/app' }], ports, readinessProbe: probe };
    at().client.create(scriptPod('reader', script, { spec: { volumes }, container: mounts }));
    await until('it waits', () => container('reader')?.state['waiting']?.message !== undefined);
    assert.deepEqual(container('reader')?.state['waiting'], {
      reason: 'ContainerCreating',
      message: 'Pod reader waits: ConfigMap texts not found',
    });
    assert.equal(at().pod('reader')?.status.phase, 'Pending');
    const texts = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'shop', name: 'texts' } };
    const first = at().client.create({ ...texts, data: { text: 'one' } } as KubeObject);
    await until('it is ready', () => isReady(at().pod('reader')));
    const pod = at().pod('reader') as LivePod;
    assert.match(pod.status.podIP ?? '', /^198\.18\.\d+\.\d+$/);
    assert.equal(pod.spec.nodeName, 'this-machine');
    assert.deepEqual([pod.status.phase, container('reader')?.restartCount], ['Running', 0]);
    assert.equal(await textAt(here('reader')), 'one');
    at().client.update({ ...first, data: { text: 'two' } } as KubeObject);
    await until('it has the new text', async () => (await textAt(here('reader'))) === 'two');
  });

  it('gives two Pods the same port, and each its own variables', async () => {
    const env = [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }];
    const wish = { container: { env, ports, readinessProbe: probe }, metadata: { labels: { app: 'twin' } } };
    for (const name of ['twin-a', 'twin-b']) at().client.create(scriptPod(name, says('process.env.NAME'), wish));
    await until('both are ready', () => isReady(at().pod('twin-a')) && isReady(at().pod('twin-b')));
    assert.deepEqual([await textAt(here('twin-a')), await textAt(here('twin-b'))], ['twin-a', 'twin-b']);
  });

  it('stands for the addresses of a Service, and for its load balancer', async () => {
    const spec = { type: 'LoadBalancer', selector: { app: 'twin' }, ports: [{ port: 28_080, targetPort: 'http' }] };
    at().client.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace: 'shop', name: 'twin' },
      spec,
    } as KubeObject);
    const service = at().find('Service', 'twin') as KubeObject & { readonly spec: { readonly clusterIP: string } };
    const inside = serviceHere(service.spec.clusterIP);
    await until('it answers', async () => (await textAt(inside, 28_080)) !== '');
    const four = [];
    for (let count = 0; count < 4; count += 1) four.push(await textAt(inside, 28_080));
    assert.deepEqual(four.toSorted(), ['twin-a', 'twin-a', 'twin-b', 'twin-b']);
    assert.match(await textAt('127.0.0.1', 28_080), /^twin-/);
    await until('its status has the address', () =>
      JSON.stringify(at().find('Service', 'twin')).includes('"ip":"127.0.0.1"'),
    );
    at().client.delete(refOf(service));
    await until('nobody listens', async () => (await textAt('127.0.0.1', 28_080)) === '');
  });

  it('starts a program that ends again: at once, then with back-off', async () => {
    at().client.create(scriptPod('crash', 'console.log("began"); process.exit(3)'));
    await until('it was started three times', () => (container('crash')?.restartCount ?? 0) >= 2);
    await until('it backs off', () => container('crash')?.state['waiting']?.reason === 'CrashLoopBackOff');
    const { lastState, ready } = container('crash') ?? assert.fail();
    assert.deepEqual([lastState['terminated']?.exitCode, lastState['terminated']?.reason, ready], [3, 'Error', false]);
    assert.match(logOf('crash'), /^began\nbegan\n/);
    assert.equal(isReady(at().pod('crash')), false);
  });

  it('has the log of a process', async () => {
    at().client.create(scriptPod('says', "console.log('one'); console.error('two'); setInterval(() => {}, 1e6)"));
    await until('it has said both', async () => (await (await asked('says/log')).text()) === 'one\ntwo\n');
    assert.equal(await (await asked('says/log?container=main&tailLines=1')).text(), 'two\n');
    assert.equal(await (await asked('says/log?tailLines=0')).text(), '');
    assert.equal((await asked('says/log?container=other')).status, 400);
    assert.equal((await asked('nobody/log')).status, 404);
  });

  it('reports what runs once, and does not start it again', async () => {
    for (const [name, code, phase] of [
      ['good', 0, 'Succeeded'],
      ['bad', 1, 'Failed'],
    ] as const) {
      at().client.create(scriptPod(name, `process.exit(${String(code)})`, { spec: { restartPolicy: 'Never' } }));
      await until(`${name} has ended`, () => at().pod(name)?.status.phase === phase);
      assert.deepEqual([container(name)?.restartCount, container(name)?.state['terminated']?.exitCode], [0, code]);
    }
  });

  it('reports a program that cannot be started', async () => {
    at().client.create(scriptPod('nothing', '', { container: { command: ['/no/such/program'] } }));
    await until('it backs off', () => (container('nothing')?.restartCount ?? 0) > 0);
    assert.notEqual(container('nothing')?.lastState['terminated']?.exitCode, 0);
  });

  it('lets a program end at its deletion, and kills one that does not', async () => {
    const gentle = "process.on('SIGTERM', () => { console.log('bye'); process.exit(0) }); setInterval(() => {}, 1e6)";
    const deaf = "process.on('SIGTERM', () => console.log('no')); setInterval(() => {}, 1e6)";
    const spec = { terminationGracePeriodSeconds: 1 };
    for (const [name, script] of [
      ['gentle', gentle],
      ['deaf', deaf],
    ] as const) {
      at().client.create(scriptPod(name, `${script}; console.log('up')`, { spec }));
      await until(`${name} is up`, () => at().pod(name) && container(name)?.ready && logOf(name).includes('up'));
      const began = Date.now();
      at().client.delete(refOf(at().pod(name) as LivePod));
      await until(`${name} is gone`, () => at().pod(name) === undefined);
      assert.match(logOf(name), name === 'deaf' ? /no\n/ : /bye\n/);
      if (name === 'deaf') assert.ok(Date.now() - began >= 1000, 'it had its time');
    }
  });

  it('says that a Pod is not ready while its probe fails, and starts one anew whose liveness fails', async () => {
    const flips = `let bad = false; require('node:http').createServer(({ url }, answer) => {
      if (url === '/flip') bad = !bad;
      answer.writeHead(bad ? 500 : 200).end();
    }).listen(8080, '0.0.0.0')`;
    at().client.create(scriptPod('flips', flips, { container: { ports, readinessProbe: probe } }));
    await until('it is ready', () => isReady(at().pod('flips')));
    await fetch(`http://${here('flips')}:8080/flip`);
    await until('it is not ready', () => !isReady(at().pod('flips')));
    assert.equal(container('flips')?.restartCount, 0);
    await fetch(`http://${here('flips')}:8080/flip`);
    await until('it is ready again', () => isReady(at().pod('flips')));
    at().client.create(
      scriptPod('sick', flips, {
        container: { ports, livenessProbe: probe, startupProbe: { tcpSocket: { port: 8080 } } },
      }),
    );
    await until('it is ready', () => isReady(at().pod('sick')));
    await fetch(`http://${here('sick')}:8080/flip`);
    await until('it was started anew', () => container('sick')?.restartCount === 1 && container('sick')?.ready);
  });

  it('probes with a command too, in the place of the Pod', async () => {
    const volumes = [{ name: 'run', emptyDir: {} }];
    const script =
      "setTimeout(() => require('node:fs').writeFileSync('/run/app/ok', ''), 300); setInterval(() => {}, 1e6)";
    const readinessProbe = { exec: { command: ['cat', '/run/app/ok'] } };
    const mounts = { volumeMounts: [{ name: 'run', mountPath: '/run/app' }], readinessProbe };
    at().client.create(scriptPod('command', script, { spec: { volumes }, container: mounts }));
    await until('it runs', () => container('command') !== undefined);
    assert.equal(isReady(at().pod('command')), false);
    await until('it is ready', () => isReady(at().pod('command')));
  });

  it('leaves Pods of other images to the node that simulates them', async () => {
    at().client.create(scriptPod('other', '', { container: { image: 'busybox:1' } }));
    await until('it is ready', () => isReady(at().pod('other')));
    assert.equal(at().pod('other')?.spec.nodeName, 'fake-node');
    assert.equal((await asked('other/log')).status, 501);
    at().client.delete(refOf(at().pod('other') as LivePod));
    await until('it is gone', () => at().pod('other') === undefined);
    assert.deepEqual(at().warnings, []);
  });
});
