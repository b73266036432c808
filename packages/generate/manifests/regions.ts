import { anyParent, childRules, isFunction, isNamedAsChild, isOurs } from './admission.ts';
import { type Facts, log, resync } from './facts.ts';
import { accountIn, secured, sending, subjectsOfLog, subjectsOfSenders } from './secure.ts';
import { sourceFiles } from './source.ts';
import { indented, inLine, listed } from './text.ts';

type Places = Readonly<Record<string, string>>;

/** What is made within files that people write, by file and by the name that the file has for the place. */
const regions: Readonly<Record<string, (facts: Facts) => Places>> = {
  'deploy/admission/children.yaml': (facts) => ({
    children: childRules(facts, ['UPDATE', 'DELETE']),
    owners: folding(
      '- name: is-owned-by-a-resource-of-ours\n  expression',
      `oldObject.metadata.?ownerReferences.orValue([]).exists(owner, owner.?controller.orValue(false)\n&& ${isOurs(facts)})`,
    ),
    accounts: folding('- name: not-by-a-function\n  expression', `!(${isFunction(facts)})`),
    message: folding(
      '- messageExpression',
      `'this is a child of ${anyParent(facts.parentKinds)}, and Knudge alone changes it: change its owner, the '
+ oldObject.metadata.ownerReferences.filter(owner, owner.?controller.orValue(false))
.map(owner, owner.kind + ' ' + owner.name).join(', ')`,
    ),
  }),
  'deploy/admission/itself.yaml': (facts) => ({
    children: childRules(facts, ['CREATE', 'UPDATE', 'DELETE']),
    accounts: folding('- name: by-a-function\n  expression', isFunction(facts)),
    owners: folding(
      '- name: isChild\n  expression',
      `variables.versions.all(one,
one.metadata.?ownerReferences.orValue([]).exists(owner, owner.?controller.orValue(false))
? one.metadata.ownerReferences.exists(owner, owner.?controller.orValue(false)
&& ${isOurs(facts)})
: request.operation != 'CREATE' && 'knudge.dev/owner-uid' in one.metadata.?labels.orValue({}))`,
    ),
    names: folding('- name: isNamedAsChild\n  expression', isNamedAsChild(facts)),
  }),
  'deploy/components/deliveries/kustomization.yaml': ({ controller, reporters, reportersAlone, accountOf }) => ({
    others: `name: ${reportersAlone.join('|')}\n`,
    functions: `name: ${reporters.join('|')}\n`,
    policies: listed(
      [...new Set(reportersAlone.map(accountOf))].map(
        (account) => `{op: add, path: /spec/from/-, value: {sub: "${accountIn(controller.name, account)}"}}`,
      ),
    ),
  }),
  'deploy/components/deliveries/marks.yaml': ({ controller, reportersAlone }) => ({
    marks: reportersAlone.map((one) => markOf(controller.name, one)).join('---\n'),
  }),
  'deploy/components/deliveries/network-policy.yaml': ({ reportersAlone }) => ({
    others: `values: ${inLine(reportersAlone)}\n`,
  }),
  'deploy/components/kafka/kustomization.yaml': ({ senders, sendersApart }) => ({
    senders: `name: ${[...new Set([...senders, ...sendersApart])].join('|')}\n`,
  }),
  'deploy/components/prometheus/network-policy.yaml': ({ servicesOfAnyCut }) => ({
    services: valuesOf(servicesOfAnyCut),
  }),
  'deploy/components/single-namespace/kustomization.yaml': (facts) => ({
    roles: `name: ${facts.controller.name}-(${withRoles(facts).join('|')})\n`,
    services: valuesOf(facts.servicesOfAnyCut),
    lists: `name: ${[...facts.shared, '.*-changed', resync].join('|')}\n`,
  }),
  // In the repository of Knudge the overlays and the chart change this image, by its name there.
  'deploy/functions/event-log.yaml': ({ hasEngine, image }): Places =>
    hasEngine ? {} : { image: `image: ${image}\n` },
  'deploy/first-resync/job.yaml': ({ parentStems }) => ({
    role: `resourceNames: ${inLine([resync, ...parentStems])}\n`,
    job: `- name: TRIGGERS\n  value: ${[resync, ...parentStems].join(' ')}\n`,
  }),
  'deploy/network-policies/broker.yaml': (facts) => ({
    others: othersThan(facts, (name) => facts.senders.includes(name)),
  }),
  'deploy/network-policies/tunnels.yaml': (facts) => ({
    others: othersThan(facts, (name) => facts.shared.map(facts.accountOf).includes(facts.accountOf(name))),
  }),
  'deploy/overlays/secure/event-policies.yaml': (facts) => ({
    senders: listed(subjectsOfSenders(facts).map((one) => `sub: ${one}`)),
  }),
  'deploy/overlays/secure/kustomization.yaml': (facts) => ({
    functions: secured(facts),
    log: subjectsOfLog(facts),
    senders: sending(facts),
  }),
  'deploy/overlays/single-namespace/renamed/replacements.yaml': ({ senders, shared, sendersApart }) => ({
    senders: [...new Set([...shared.filter((name) => senders.includes(name)), ...sendersApart, ...senders])]
      .map(sinkOf)
      .join(''),
  }),
};

/** The files of a project that have such places. */
export function filesWithPlaces({ has }: Pick<Facts, 'has'>): readonly string[] {
  return Object.keys(regions).filter(has);
}

/** A file with its places filled; `path` is its own. Each place that it has must be known, and each that is known must be there. */
export function filled(facts: Facts, path: string, text: string): string {
  const found = new Set<string>();
  const places = new Map(Object.entries(regions[path]?.(facts) ?? {}));
  const { manifests: command } = facts.commands;
  const result = text.replaceAll(place, (_, indent: string, name: string) => {
    found.add(name);
    const content = places.get(name);
    if (content === undefined) throw new Error(`${path}: no place of this file is called ${name}: remove its comments`);
    return `${indent}${beginOf(command)} ${name}\n${indented(content, indent.length)}${indent}# By \`${command}\`, to here\n`;
  });
  const lost = [...places.keys()].filter((name) => !found.has(name));
  if (lost.length > 0)
    throw new Error(`${path} has no place ${lost.join(', ')}: begin one with ${beginOf(command)} <name>`);
  return result;
}

function beginOf(command: string): string {
  return `# By \`${command}\`, from here:`;
}

/** Whatever the command was called when they were filled. */
const place = /^( *)# By `[^`]+`, from here: (\S+)\n[\s\S]*?^\1# By `[^`]+`, to here\n/gm;

/** The accounts with a ClusterRole for what is in namespaces. What the event log may do is of the whole cluster, and written by hand. */
function withRoles(facts: Facts): readonly string[] {
  const { resourceAccounts, accounts } = facts;
  const others = accounts.filter((one) => !resourceAccounts.includes(one) && one !== resync && one !== log);
  return [
    ...resourceAccounts,
    ...accounts.filter((one) => one === resync),
    ...others,
    ...sourceFiles(facts).map(([name]) => name),
    ...(facts.has('deploy/components/source') ? ['source'] : []),
  ];
}

function folding(key: string, text: string): string {
  return `${key}: >-\n${indented(text, 4)}\n`;
}

function valuesOf(names: readonly string[]): string {
  return `values:\n${indented(listed(names), 2)}`;
}

function othersThan({ controller }: Facts, isOne: (service: string) => boolean): string {
  return `values: ${inLine(controller.serviceNames.filter((name) => !isOne(name)).sort())}\n`;
}

function markOf(home: string, name: string): string {
  return `apiVersion: serving.knative.dev/v1
kind: Service
metadata:
  name: ${name}
  namespace: ${home}
  annotations: {knudge.dev/sink: deliveries}
`;
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
