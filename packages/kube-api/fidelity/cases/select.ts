import { at, type Case, core, get, post, type Step } from '../case.ts';
import { configMap, pod } from './bodies.ts';

const labels = (tier: string, more: object = {}) => ({ labels: { app: 'web', tier, ...more } });
const three: readonly Step[] = [
  post(core('configmaps'), configMap({}, { name: 'a', ...labels('front', { weight: '1' }) })),
  post(core('configmaps'), configMap({}, { name: 'b', ...labels('back') })),
  post(core('configmaps'), configMap({}, { name: 'c', ...labels('front', { weight: '2' }) })),
];
/** Every namespace has a ConfigMap of its own beside them. */
const ours = `${core('configmaps')}?labelSelector=app%3Dweb`;
const selected = (name: string, selectors: readonly string[]): Case => ({
  name,
  given: three,
  steps: selectors.map((selector) =>
    get(`${core('configmaps')}?labelSelector=${encodeURIComponent(selector)}`, { view: namesOrError }),
  ),
});
const byField = (name: string, plural: string, selectors: readonly string[]): Case => ({
  name,
  given: [
    ...three,
    post(core('pods'), pod({ nodeName: 'nowhere', serviceAccountName: 'default' })),
    post(core('secrets'), { metadata: { name: 'web' }, type: 'example.com/own' }),
  ],
  steps: selectors.map((selector) =>
    get(`${core(plural)}?fieldSelector=${encodeURIComponent(selector).replace('%7Bns%7D', '{ns}')}`, {
      view: namesOrError,
    }),
  ),
});
const metadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Label and field selectors, and what a client accepts. */
export const selectCases: readonly Case[] = [
  selected('equality selects', ['tier=front', 'tier==front', 'tier!=front,app=web', 'tier=none', 'app=web,tier=back']),
  selected('sets select', [
    'tier in (front,back)',
    'tier in (back)',
    'tier notin (front),app',
    'app,tier in (front , none)',
  ]),
  selected('existence selects', ['tier', '!weight,app', 'weight', ' tier , weight ']),
  selected('more and less select', ['weight>1', 'weight<2', 'weight>0,weight<9']),
  selected('a bad label selector is refused', [
    'tier in front',
    'tier=(',
    '=a',
    'a b',
    'tier in ()',
    'weight>x',
    'a=b=c',
    'tier=not ok',
    'x/y/z=1',
    '!',
  ]),
  byField('metadata fields select', 'configmaps', [
    'metadata.name=a',
    'metadata.name!=a,metadata.name!=kube-root-ca.crt',
    'metadata.namespace={ns}',
    'metadata.name=none',
    'metadata.name==b',
  ]),
  byField('the fields of a Pod select', 'pods', [
    'spec.nodeName=nowhere',
    'status.phase=Pending',
    'status.phase!=Pending',
    'spec.restartPolicy=Always',
    'spec.schedulerName=nobody',
    'spec.serviceAccountName=default',
    'spec.hostNetwork=false',
  ]),
  byField('the type of a Secret selects', 'secrets', ['type=example.com/own', 'type=Opaque']),
  byField('a field that does not select is refused', 'configmaps', [
    'data.color=blue',
    'metadata.labels=a',
    'metadata.name',
    'metadata.name>a',
    'type=Opaque',
  ]),
  {
    name: 'the fields of an Event select',
    given: [
      post(core('events'), {
        metadata: { name: 'web.1' },
        involvedObject: { kind: 'Pod', name: 'web', namespace: '{ns}' },
        reason: 'Seen',
        type: 'Normal',
      }),
      post(core('events'), {
        metadata: { name: 'web.2' },
        involvedObject: { kind: 'Service', name: 'web', namespace: '{ns}' },
        reason: 'Lost',
        type: 'Warning',
      }),
    ],
    steps: [
      'involvedObject.kind=Pod',
      'reason=Lost',
      'type!=Normal',
      'involvedObject.name=web,involvedObject.kind=Service',
      'note=x',
    ].map((selector) => get(`${core('events')}?fieldSelector=${encodeURIComponent(selector)}`, { view: namesOrError })),
  },
  {
    name: 'metadata alone is given of one object and of a list',
    given: three,
    steps: [
      get(core('configmaps', 'a'), { headers: { accept: metadata } }),
      get(ours, { headers: { accept: metadataList } }),
      get(core('configmaps', 'none'), { headers: { accept: metadata } }),
      get(`${ours}&limit=1`, { headers: { accept: `${metadataList},application/json` } }),
    ],
  },
  {
    name: 'an answer that nobody can give is not acceptable, and the first that can be given is',
    given: three,
    steps: [
      get(core('configmaps', 'a'), { headers: { accept: 'text/html' } }),
      get(core('configmaps', 'a'), { headers: { accept: 'application/json;as=Chair;g=meta.k8s.io;v=v1' } }),
      get(core('configmaps', 'a'), { headers: { accept: 'text/html, application/json' } }),
      get(core('configmaps', 'a'), { headers: { accept: '*/*' } }),
    ],
  },
];

function itemsOf(body: unknown): readonly unknown[] {
  const items = at(body, 'items');
  return Array.isArray(items) ? items : [];
}

function namesOrError(body: unknown): unknown {
  return at(body, 'kind') === 'Status' ? body : itemsOf(body).map((item) => at(item, 'metadata.name'));
}
