import { at, type Case, core, jsonPatch, mergePatch, post, put } from '../case.ts';
import { service } from './bodies.ts';

const path = core('services', 'web');
const refused = (name: string, spec: object): Case => ({
  name,
  steps: [post(core('services'), service(spec as Readonly<Record<string, unknown>>))],
});
/** Of a Service that is there. */
const changed = (name: string, spec: object, ...changes: readonly object[]): Case => ({
  name,
  given: [post(core('services'), service(spec as Readonly<Record<string, unknown>>))],
  steps: changes.map((change) => mergePatch(path, { spec: change })),
});
const http = { name: 'http', port: 80 };
const outside = { type: 'NodePort' };

/** What the ports, addresses and families of a Service may not be, and what of them may not change. */
export const serviceRulesCases: readonly Case[] = [
  refused('two ports of one name are refused', { ports: [http, { name: 'http', port: 81 }] }),
  refused('two ports of one number are refused under two names', { ports: [http, { name: 'web', port: 80 }] }),
  refused('one number serves two protocols', { ports: [http, { name: 'dns', port: 80, protocol: 'UDP' }] }),
  refused('one node port cannot serve two ports', {
    ...outside,
    ports: [
      { ...http, nodePort: 31_777 },
      { name: 'web', port: 81, nodePort: 31_777 },
    ],
  }),
  refused('a node port outside the range is refused', { ...outside, ports: [{ port: 80, nodePort: 80 }] }),
  refused('a Service inside the cluster has no node port', { ports: [{ port: 80, nodePort: 31_778 }] }),
  refused('a Service with a bad protocol of its application is refused', {
    ports: [{ port: 80, appProtocol: 'example.com/a/b' }],
  }),
  refused('a NodePort Service cannot be headless', { ...outside, clusterIP: 'None' }),
  refused('a LoadBalancer Service cannot be headless', { type: 'LoadBalancer', clusterIP: 'None' }),
  refused('an ExternalName Service has no address', {
    type: 'ExternalName',
    externalName: 'web.example.com',
    clusterIP: '10.96.7.7',
  }),
  refused('an ExternalName that is no name of a host is refused', { type: 'ExternalName', externalName: 'a_b' }),
  refused('an unknown session affinity is refused', { sessionAffinity: 'Some' }),
  refused('a session that never ends is refused', {
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 90_000 } },
  }),
  refused('an external address that is none is refused', { externalIPs: ['web', '127.0.0.1'] }),
  refused('the policies of traffic have their words', {
    ...outside,
    internalTrafficPolicy: 'Far',
    externalTrafficPolicy: 'Far',
  }),
  refused('a Service inside the cluster has no policy of external traffic', { externalTrafficPolicy: 'Local' }),
  refused('a clusterIP that is no address is refused', { clusterIP: 'web' }),
  refused('a clusterIP that is not the first of its addresses is refused', {
    clusterIP: '10.96.7.8',
    clusterIPs: ['10.96.7.9'],
  }),
  refused('addresses without a clusterIP are refused', { clusterIPs: ['10.96.7.10'] }),
  refused('two addresses of one family are refused', {
    clusterIP: '10.96.7.11',
    clusterIPs: ['10.96.7.11', '10.96.7.12'],
    ipFamilyPolicy: 'RequireDualStack',
  }),
  refused('three addresses are refused', {
    clusterIP: '10.96.7.13',
    clusterIPs: ['10.96.7.13', 'fd00::1', '10.96.7.14'],
  }),
  refused('an unknown family of addresses is refused', { ipFamilies: ['IPv5'] }),
  refused('a family of addresses is named once', { ipFamilies: ['IPv4', 'IPv4'] }),
  refused('an unknown policy of families is refused', { ipFamilyPolicy: 'Some' }),
  refused('a family that the cluster does not have is refused', { ipFamilies: ['IPv6'] }),
  refused('two families are refused where the cluster has one', { ipFamilyPolicy: 'RequireDualStack' }),
  refused('two families and one policy of one are refused', {
    ipFamilyPolicy: 'SingleStack',
    ipFamilies: ['IPv4', 'IPv6'],
  }),
  refused('an address of another family than the Service is refused', {
    clusterIP: '10.96.7.15',
    ipFamilies: ['IPv6'],
  }),
  {
    name: 'a headless Service without a selector is of any family',
    steps: [
      post(core('services'), service({ clusterIP: 'None', selector: undefined, ipFamilies: ['IPv6'] })),
      post(core('services'), service({ clusterIP: 'None', ipFamilies: ['IPv6'] }, { name: 'selecting' })),
    ],
  },
  changed('a Service does not change its family', {}, { ipFamilies: ['IPv6'] }, { ipFamilies: ['IPv4', 'IPv6'] }),
  changed('a Service does not change its policy to two families', {}, { ipFamilyPolicy: 'RequireDualStack' }),
  changed('a Service may prefer two families', {}, { ipFamilyPolicy: 'PreferDualStack' }),
  changed('a Service does not change its address', {}, { clusterIP: '10.96.7.16' }, { clusterIP: 'web' }),
  changed('a Service does not lose its address', {}, { clusterIP: null, clusterIPs: null }, { clusterIP: '' }),
  changed('a headless Service gets no address', { clusterIP: 'None' }, { clusterIP: '10.96.7.17' }, { clusterIP: '' }),
  changed('a headless Service does not get outside', { clusterIP: 'None' }, { type: 'NodePort' }),
  changed('a Service does not get two ports of one name', { ports: [http] }, { ports: [http, { ...http, port: 81 }] }),
  changed('a Service is not left without ports', {}, { ports: [] }),
  changed('a Service changes its selector and its sessions', {}, { selector: null }, { sessionAffinity: 'ClientIP' }),
  {
    name: 'the addresses of a Service are not taken by others',
    given: [post(core('services'), service({}, { name: 'first' }), { save: { taken: 'spec.clusterIP' } })],
    steps: [post(core('services'), service({ clusterIP: '{taken}' }))],
  },
  {
    name: 'a node port is not taken by two Services',
    given: [
      post(core('services'), service(outside, { name: 'first' }), { save: { taken: 'spec.ports.0.nodePort' } }),
      post(core('services'), service(outside)),
    ],
    steps: [
      jsonPatch(path, '[{"op": "replace", "path": "/spec/ports/0/nodePort", "value": {taken}}]', {
        view: (body) => String(at(body, 'message')).replace(/\d{5}/, 'N'),
      }),
      put(path, service({ ...outside, ports: [{ port: 81 }] })),
    ],
  },
];
