import type { ChangeStem } from '../../functions/table.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedServiceSpec } from '../../resources/distributed-service/types.ts';
import { distributedService, message, object, serverProfile } from '../build/objects.ts';

const owned = (kind: string, name: string) => ({
  ownerReferences: [
    { apiVersion: kind === 'Message' ? 'myorg.dev/v1' : 'frp.io/v1', kind, name, uid: 'u', controller: true },
  ],
});
const labelled = { labels: { 'frp.io/service': 'web' } };
const profileLabels = { labels: { 'frp.io/server-profile': 'default' } };
const supplied: Partial<DistributedServiceSpec> = {
  security: { mtls: { enabled: true, autoGenerate: false, secretName: 'mine' } },
};

const since = { status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z' };
const awaiting = (secret: string) => ({
  conditions: [
    { type: 'ConfigurationValid', reason: 'TokenSecretNotFound', message: `Secret ${secret} does not exist`, ...since },
  ],
});

interface Row {
  readonly sentence: string;
  readonly stem: ChangeStem;
  readonly subject: KubeObject;
  readonly parents: readonly string[];
  /** What there is in the cluster besides. */
  readonly cluster?: readonly KubeObject[];
}

export const web = 'DistributedService shop/web';
/** Whom an event concerns, by what its object carries and by what is there. */
export const rows: readonly Row[] = [
  {
    sentence: 'a labelled Pod concerns its service',
    stem: 'pod-changed',
    subject: object('Pod', 'p', { metadata: labelled }),
    parents: [web],
  },
  {
    sentence: 'the Pod of a tunnel concerns its service',
    stem: 'pod-changed',
    subject: object('Pod', 'frp-web-1', {
      metadata: { labels: { 'frp.io/tunnel': 'web', 'knudge.dev/owner-uid': 'u' }, ...owned('ReplicaSet', 'frp-web') },
    }),
    parents: [web],
  },
  {
    sentence: "a Message's Pod concerns the Message",
    stem: 'pod-changed',
    subject: object('Pod', 'msg-hello', { metadata: owned('Message', 'hello') }),
    parents: ['Message shop/hello'],
  },
  {
    sentence: 'a Pod of anybody else concerns nobody',
    stem: 'pod-changed',
    subject: object('Pod', 'p', { metadata: owned('ReplicaSet', 'x') }),
    parents: [],
  },
  {
    sentence: 'a Pod that is both concerns both',
    stem: 'pod-changed',
    subject: object('Pod', 'p', { metadata: { ...labelled, ...owned('Message', 'hello') } }),
    parents: [web, 'Message shop/hello'],
    cluster: [distributedService('web'), message('hello')],
  },
  {
    sentence: 'a Pod that says it is both, where neither is there, concerns nobody',
    stem: 'pod-changed',
    subject: object('Pod', 'p', { metadata: { ...labelled, ...owned('Message', 'hello') } }),
    parents: [],
  },
  {
    sentence: 'a labelled Service concerns its service',
    stem: 'service-changed',
    subject: object('Service', 's', { metadata: labelled }),
    parents: [web],
  },
  {
    sentence: 'our Service concerns its owner',
    stem: 'service-changed',
    subject: object('Service', 's', { metadata: owned('DistributedService', 'web') }),
    parents: [web],
  },
  {
    sentence: 'our labelled Service concerns its owner once',
    stem: 'service-changed',
    subject: object('Service', 's', { metadata: { ...labelled, ...owned('DistributedService', 'web') } }),
    parents: [web],
  },
  {
    sentence: 'our ConfigMap concerns its owner',
    stem: 'config-map-changed',
    subject: object('ConfigMap', 'c', { metadata: owned('DistributedService', 'web') }),
    parents: [web],
  },
  {
    sentence: 'a server profile concerns every service of its namespace that uses it',
    stem: 'config-map-changed',
    subject: serverProfile(),
    cluster: [
      distributedService('web'),
      distributedService('api', { serverProfile: 'other' }),
      distributedService('db', {}, { namespace: 'bank' }),
    ],
    parents: [web],
  },
  {
    sentence: "a server profile of the controller's namespace concerns every service that uses it",
    stem: 'config-map-changed',
    subject: object('ConfigMap', 'frps', { metadata: { namespace: 'knudge', ...profileLabels } }),
    cluster: [distributedService('web'), distributedService('db', {}, { namespace: 'bank' })],
    parents: ['DistributedService bank/db', web],
  },
  {
    sentence: 'any other ConfigMap concerns nobody',
    stem: 'config-map-changed',
    subject: object('ConfigMap', 'c'),
    cluster: [distributedService('web')],
    parents: [],
  },
  {
    sentence: 'our Secret concerns its owner',
    stem: 'secret-changed',
    subject: object('Secret', 'frp-web-tls', { metadata: owned('DistributedService', 'web') }),
    parents: [web],
  },
  {
    sentence: 'a Secret that says that it is ours, and has no name that we give, concerns nobody',
    stem: 'secret-changed',
    subject: object('Secret', 's', { metadata: owned('DistributedService', 'web') }),
    parents: [],
  },
  {
    sentence: 'a Secret that a service names concerns it',
    stem: 'secret-changed',
    subject: object('Secret', 'mine'),
    cluster: [distributedService('web', supplied), distributedService('api')],
    parents: [web],
  },
  {
    sentence:
      'the Secret with the token of a server concerns those of its namespace who use that server, or wait for it',
    stem: 'secret-changed',
    subject: object('Secret', 'token'),
    cluster: [
      serverProfile('default', { gate: 'false', tokenSecret: 'token' }),
      serverProfile('other'),
      { ...distributedService('web'), status: { serverProfile: 'shop/frps-default' } } as KubeObject,
      { ...distributedService('api'), status: { serverProfile: 'shop/frps-other' } } as KubeObject,
      { ...distributedService('waits'), status: awaiting('shop/token') } as KubeObject,
      { ...distributedService('waits-for-another'), status: awaiting('shop/token-2') } as KubeObject,
    ],
    parents: ['DistributedService shop/waits', web],
  },
  {
    sentence: 'the authority of a server profile concerns those who use the profile',
    stem: 'secret-changed',
    subject: object('Secret', 'frp-default-ca', {
      metadata: { labels: { 'frp.io/certificate-authority': 'default' } },
    }),
    cluster: [distributedService('web'), distributedService('api', { serverProfile: 'other' })],
    parents: [web],
  },
  {
    sentence: 'our Deployment concerns its owner',
    stem: 'deployment-changed',
    subject: object('apps/v1 Deployment', 'frp-web', { metadata: owned('DistributedService', 'web') }),
    parents: [web],
  },
  {
    sentence: 'any other Deployment concerns nobody',
    stem: 'deployment-changed',
    subject: object('apps/v1 Deployment', 'x', { metadata: labelled }),
    parents: [],
  },
  {
    sentence: 'a slice of our selector Service concerns its service',
    stem: 'endpoint-slice-changed',
    subject: object('discovery.k8s.io/v1 EndpointSlice', 'x', { metadata: labelled }),
    parents: [web],
  },
  {
    sentence: 'a DistributedService concerns itself',
    stem: 'distributed-service-changed',
    subject: distributedService('web'),
    parents: [web],
  },
  {
    sentence: 'a Message concerns itself',
    stem: 'message-changed',
    subject: object('myorg.dev/v1 Message', 'hello'),
    parents: ['Message shop/hello'],
  },
];
