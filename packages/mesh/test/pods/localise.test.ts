import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPodAddresses, podHere, serviceHere } from '../../pods/addresses.ts';
import { localise } from '../../pods/localise.ts';

const services: Readonly<Record<string, string>> = {
  'server.knudge.svc.cluster.local': '127.96.0.7',
  'server.knudge.svc': '127.96.0.7',
  'gate.knudge.svc.cluster.local': '127.0.0.1:8305',
  '10.96.0.7': '127.96.0.7',
};
const place = {
  id: 'abc',
  address: '127.18.0.5',
  mounts: new Map([
    ['/etc/app', '/here/app'],
    ['/etc/app/tls', '/here/tls'],
  ]),
  lookUp: (host: string) => services[host],
};

const rows: readonly [sentence: string, text: string, wanted: string][] = [
  ['a file below a mount', '"/etc/app/a.json"', '"/here/app/a.json"'],
  ['the longest mount', '/etc/app/tls/tls.crt', '/here/tls/tls.crt'],
  ['the mount itself', '{"path": "/etc/app"}', '{"path": "/here/app"}'],
  ['a path that only begins like a mount', '/etc/application /etc/app-2', '/etc/application /etc/app-2'],
  ['a path that only ends like a mount', '/other/etc/app/a /x./etc/app', '/other/etc/app/a /x./etc/app'],
  ['the loopback', 'http://127.0.0.1:7500/', 'http://127.18.0.5:7500/'],
  ['every address of the Pod', '"0.0.0.0"', '"127.18.0.5"'],
  ['an address that only contains it', '10.127.0.0.1 1127.0.0.1 127.0.0.10', '10.127.0.0.1 1127.0.0.1 127.0.0.10'],
  ['another Pod', '198.18.1.2:80', '127.18.1.2:80'],
  ['a network beside that of Pods', '198.19.1.2', '198.19.1.2'],
  ['the address of a Service', '10.96.0.7', '127.96.0.7'],
  ['an address of elsewhere', '10.0.0.5 192.168.1.4', '10.0.0.5 192.168.1.4'],
  ['the name of a Service', 'server.knudge.svc.cluster.local:7000', '127.96.0.7:7000'],
  ['its short name', '"server.knudge.svc"', '"127.96.0.7"'],
  ['a function, with its port', 'http://gate.knudge.svc.cluster.local/x', 'http://127.0.0.1:8305/x'],
  ['a name that no Service has', 'nobody.knudge.svc', 'nobody.knudge.svc'],
  ['a longer name', 'a.server.knudge.svc', 'a.server.knudge.svc'],
  ['an abstract socket', '{"path": "@admin"}', '{"path": "@admin-abc"}'],
  ['a field whose name begins so', '{"@type": "@x y"}', '{"@type": "@x y"}'],
];

describe('a text of a Pod is made one for this machine', () => {
  for (const [sentence, text, wanted] of rows) it(sentence, () => assert.equal(localise(text, place), wanted));

  it('also where nothing is mounted', () => {
    assert.equal(localise('/etc/app 127.0.0.1', { ...place, mounts: new Map() }), '/etc/app 127.18.0.5');
  });

  it('what was put in is not read again', () => {
    const mounts = new Map([['/a', '/a/127.0.0.1/a']]);
    assert.equal(localise('/a/b', { ...place, mounts }), '/a/127.0.0.1/a/b');
  });
});

describe('addresses', () => {
  it('of Pods and Services are loopback here, and no others', () => {
    assert.equal(podHere('198.18.255.1'), '127.18.255.1');
    for (const other of ['198.18.1', '1198.18.1.1', '198.18.1.1.1', '10.0.0.1', 'pod'])
      assert.equal(podHere(other), undefined);
    assert.equal(serviceHere('10.96.1.2'), '127.96.1.2');
  });

  it('are given once, one that is asked for if it is free', () => {
    const addresses = createPodAddresses(0);
    assert.equal(addresses.take(), '198.18.0.1');
    assert.equal(addresses.take('198.18.0.2'), '198.18.0.2');
    assert.equal(addresses.take('198.18.0.2'), '198.18.0.3');
    assert.equal(addresses.take('10.0.0.9'), '198.18.0.4');
    addresses.free('198.18.0.1');
    assert.equal(addresses.take(), '198.18.0.5');
    assert.equal(addresses.take('198.18.0.1'), '198.18.0.1');
    assert.equal(createPodAddresses(7).take('198.18.0.9'), '198.18.7.1');
  });

  it('end somewhere', () => {
    const addresses = createPodAddresses(3);
    const all = Array.from({ length: 254 }, () => addresses.take());
    assert.equal(new Set(all).size, 254);
    assert.equal(addresses.take(), undefined);
    addresses.free('198.18.3.9');
    assert.equal(addresses.take(), '198.18.3.9');
  });
});
