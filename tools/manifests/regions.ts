import { serviceNames } from '../../functions/table.ts';
import { anyParent, childRules, isFunction, isNamedAsChild, isOurs } from './admission.ts';
import { accountOf, apart, parentStems, resourceAccounts, senders, servicesOfAnyCut, together } from './facts.ts';
import { secured, sending, subjectsOfLog, subjectsOfSenders } from './secure.ts';
import { indented, inLine, listed } from './text.ts';

/** What is made within files that people write, by file and by the name that the file has for the place. */
export const regions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'deploy/admission/children.yaml': {
    children: childRules(['UPDATE', 'DELETE']),
    owners: folding(
      '- name: is-owned-by-a-resource-of-ours\n  expression',
      `oldObject.metadata.?ownerReferences.orValue([]).exists(owner, owner.?controller.orValue(false)\n&& ${isOurs()})`,
    ),
    accounts: folding('- name: not-by-a-function\n  expression', `!(${isFunction()})`),
    message: folding(
      '- messageExpression',
      `'this is a child of ${anyParent()}, and Knudge alone changes it: change its owner, the '
+ oldObject.metadata.ownerReferences.filter(owner, owner.?controller.orValue(false))
.map(owner, owner.kind + ' ' + owner.name).join(', ')`,
    ),
  },
  'deploy/admission/itself.yaml': {
    children: childRules(['CREATE', 'UPDATE', 'DELETE']),
    accounts: folding('- name: by-a-function\n  expression', isFunction()),
    owners: folding(
      '- name: isChild\n  expression',
      `variables.versions.all(one,
one.metadata.?ownerReferences.orValue([]).exists(owner, owner.?controller.orValue(false))
? one.metadata.ownerReferences.exists(owner, owner.?controller.orValue(false)
&& ${isOurs()})
: request.operation != 'CREATE' && 'knudge.dev/owner-uid' in one.metadata.?labels.orValue({}))`,
    ),
    names: folding('- name: isNamedAsChild\n  expression', isNamedAsChild()),
  },
  'deploy/components/kafka/kustomization.yaml': {
    senders: `name: ${[...new Set([...senders, ...apart])].join('|')}\n`,
  },
  'deploy/components/prometheus/network-policy.yaml': { services: valuesOf(servicesOfAnyCut) },
  'deploy/components/single-namespace/kustomization.yaml': {
    roles: `name: knudge-(${[...resourceAccounts, 'resync-due', 'frp-gate', 'cluster-objects', 'secret-references', 'source'].join('|')})\n`,
    services: valuesOf(servicesOfAnyCut),
    lists: `name: ${[together, '.*-changed', 'resync-due'].join('|')}\n`,
  },
  'deploy/first-resync/job.yaml': {
    role: `resourceNames: ${inLine(['resync-due', ...parentStems])}\n`,
    job: `- name: TRIGGERS\n  value: ${['resync-due', ...parentStems].join(' ')}\n`,
  },
  'deploy/network-policies/broker.yaml': { others: othersThan((name) => senders.includes(name)) },
  'deploy/network-policies/tunnels.yaml': { others: othersThan((name) => accountOf(name) === together) },
  'deploy/overlays/secure/event-policies.yaml': { senders: listed(subjectsOfSenders().map((one) => `sub: ${one}`)) },
  'deploy/overlays/secure/kustomization.yaml': { functions: secured(), log: subjectsOfLog(), senders: sending() },
  'deploy/overlays/single-namespace/renamed/replacements.yaml': {
    senders: [...new Set<string>([together, ...apart, ...senders])].map(sinkOf).join(''),
  },
};

/** A file with its places filled; `path` is its own. Each place that it has must be known, and each that is known must be there. */
export function filled(path: string, text: string): string {
  const found = new Set<string>();
  const places = new Map(Object.entries(regions[path] ?? {}));
  const result = text.replaceAll(place, (_, indent: string, name: string) => {
    found.add(name);
    const content = places.get(name);
    if (content === undefined) throw new Error(`${path}: nothing is called ${name} in tools/manifests/regions.ts`);
    return `${indent}${begin} ${name}\n${indented(content, indent.length)}${indent}${end}\n`;
  });
  const lost = [...places.keys()].filter((name) => !found.has(name));
  if (lost.length > 0) throw new Error(`${path} has no place ${lost.join(', ')}: begin one with ${begin} <name>`);
  return result;
}

const begin = '# By `npm run manifests`, from here:';
const end = '# By `npm run manifests`, to here';
const place = new RegExp(`^( *)${begin} (\\S+)\\n[\\s\\S]*?^\\1${end}\\n`, 'gm');

function folding(key: string, text: string): string {
  return `${key}: >-\n${indented(text, 4)}\n`;
}

function valuesOf(names: readonly string[]): string {
  return `values:\n${indented(listed(names), 2)}`;
}

function othersThan(isOne: (service: string) => boolean): string {
  return `values: ${inLine(serviceNames.filter((name) => !isOne(name)).sort())}\n`;
}

function sinkOf(name: string): string {
  return `- select:
    group: serving.knative.dev
    kind: Service
    name: ${name}
  fieldPaths: ['spec.template.spec.containers.0.env.[name=K_SINK].value']
  options: { delimiter: /, index: 3 }
`;
}
