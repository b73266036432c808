const serves = 'frp.io/service';
const owned = 'knudge.dev/owner-uid';
const everything = '';

/** What Knudge's own source watches: the same as the ApiServerSources in eventing/sources (test/house/watches.test.ts). */
export const watches = [
  {
    mode: 'Resource',
    resources: [
      { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', selector: everything },
      { apiVersion: 'frp.io/v1beta1', kind: 'Claim', selector: everything },
      { apiVersion: 'myorg.dev/v1', kind: 'Message', selector: everything },
      { apiVersion: 'v1', kind: 'Pod', selector: serves },
      { apiVersion: 'v1', kind: 'Pod', selector: owned },
      { apiVersion: 'v1', kind: 'Service', selector: serves },
      { apiVersion: 'v1', kind: 'Service', selector: owned },
      { apiVersion: 'v1', kind: 'ConfigMap', selector: 'frp.io/server-profile' },
      { apiVersion: 'v1', kind: 'ConfigMap', selector: owned },
      { apiVersion: 'apps/v1', kind: 'Deployment', selector: owned },
      { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', selector: serves },
    ],
  },
  // Names alone: what a Secret holds is not even read.
  { mode: 'Reference', resources: [{ apiVersion: 'v1', kind: 'Secret', selector: everything }] },
] as const;
