import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { labelKey } from '../../../packages/kube-api/checks/names.ts';
import { object } from '../../build/objects.ts';
import { foreignChildren } from './foreign-children.ts';
import { hostileTexts } from './hostile-texts.ts';
import { type Misuse, quoted, withBackends } from './misuse.ts';
import { misusedInputs } from './misused-inputs.ts';

/** Every misuse of a DistributedService. */
export function misuses(): readonly Misuse[] {
  return [...refusedHosts(), ...labelKeys(), ...noBackends(), ...misusedInputs(), ...foreignChildren()];
}

/** The schema's own rules cannot tell them from others: addresses of clouds, and others in disguise. */
function refusedHosts(): readonly Misuse[] {
  const hosts = [
    ...['100.100.100.200', '168.63.129.16', '192.0.0.192', '240.0.0.1', '250.1.2.3', '255.1.1.1', '64:ff9b::7f00:1'],
    ...[
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::7f00:1',
      '2002:7f00:1::1',
      '2002:a9fe:a9fe::1',
      '2001::1',
      '2001:0:4136:e378::1',
    ],
    ...['fec0::1', 'fd00:ec2::254', 'fd20:ce::254', '::ffff:0:a00:1', 'ip6-localhost', 'ip6-loopback'],
  ];
  return hosts.map((host) => ({
    name: `an endpoint at ${host}`,
    spec: (name) => withBackends(name, { discovery: 'manual', port: 80, endpoints: [{ host: '10.1.2.3' }, { host }] }),
    told: { reason: 'InvalidSpec', message: quoted(host) },
    shape: 'plain',
  }));
}

/** No apply can hold it as it is, since an apply is read as YAML: a key of a label that has a test of its own. */
export const noYaml = '\uffff';

/** What would be a condition of its own in a query to the API server, or what it refuses there. */
function labelKeys(): readonly Misuse[] {
  const keys = ['a b', 'a,b', 'a in (b)', '!a', 'a=b', '/a', 'a/', 'a/b/c', '-a', 'a-', 'A_/b', ...hostileTexts];
  const prefixed = ['a..b/x', 'a.-b/x', 'a-.b/x'];
  const bad = [...prefixed, ...keys].filter(
    (key) => labelKey(key).length > 0 && key.length <= 317 && ![noYaml, '__proto__'].includes(key),
  );
  return [...new Set(bad)].map((key) => ({
    name: `a selector with the key ${JSON.stringify(key)}`,
    spec: (name) =>
      withBackends(name, { discovery: 'selector', port: 80, selector: { matchLabels: { app: 'x', [key]: 'x' } } }),
    told: { reason: /^Invalid(Spec|Object)$/, message: /selector/ },
    shape: 'plain',
  }));
}

function noBackends(): readonly Misuse[] {
  const told = (message: RegExp, reason = 'NoBackendsFound') =>
    ({ told: { reason, message }, shape: 'plain' }) as const;
  const port = { name: 'x', port: 81, protocol: 'TCP' };
  const services: Readonly<Record<string, readonly [spec: object | undefined, message: RegExp]>> = {
    'that is not there': [undefined, /does not exist/],
    'outside of the cluster': [{ type: 'ExternalName', externalName: 'evil.example.com' }, /ExternalName/],
    'without an address': [{ clusterIP: 'None', ports: [port] }, /no cluster address/],
    'without the port': [{ ports: [port] }, /no TCP port/],
    'with the port for udp alone': [{ ports: [{ ...port, port: 80, protocol: 'UDP' }] }, /no TCP port/],
  };
  const hosts = Object.entries(services).map(([what, [spec, message]]): Misuse => {
    const host = (name: string): KubeObject => object('Service', `${name}-h`, { metadata: { namespace: '' }, spec });
    return {
      name: `an endpoint that is a Service ${what}`,
      spec: (name) => withBackends(name, { discovery: 'manual', port: 80, endpoints: [{ host: `${name}-h` }] }),
      bad: (name) => (spec === undefined ? {} : { put: [host(name)] }),
      good: (name) => ({ remove: [host(name)] }),
      ...told(message),
    };
  });
  const auto = { discovery: 'auto', port: 80, replicas: 1 };
  const workloads = ['Deployment', 'StatefulSet', 'ReplicaSet'].map((kind) => ({
    name: `a ${kind} that is not there`,
    spec: (name: string) => withBackends(name, { ...auto, workloadRef: { kind, name: 'nowhere' } }),
    ...told(new RegExp(`${kind} nowhere does not exist`)),
  }));
  const expression = { key: 'app', operator: 'In', values: ['nobody'] };
  return [
    ...hosts,
    ...workloads,
    { name: 'labels that no Pod has', spec: (name) => withBackends(name, auto), ...told(/^0 backends/) },
    {
      name: 'a port name that no Pod has',
      spec: (name) => withBackends(name, { ...auto, port: 'nobody' }),
      ...told(/^0 backends/),
    },
    {
      name: 'a selector that fits nothing',
      spec: (name) =>
        withBackends(name, {
          ...auto,
          discovery: 'selector',
          selector: { matchExpressions: [expression] },
        }),
      ...told(/^0 backends/),
    },
    {
      name: 'more backends wanted than there are',
      spec: (name) =>
        withBackends(name, { discovery: 'manual', port: 80, replicas: 1000, endpoints: [{ host: '10.1.2.3' }] }),
      ...told(/1 of at least 1000/, 'TooFewBackends'),
    },
  ];
}
