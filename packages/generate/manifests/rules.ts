import type { Resource } from '../../controller/decide/resource.ts';
import { storedKind } from '../../controller/domain/known-kinds.ts';
import type { ObjectRef } from '../../controller/domain/kube-object.ts';
import { childrenOf } from '../../controller/functions/child-kinds.ts';
import type { Rule } from '../../controller/functions/manifested.ts';
import type { ChangeRow } from '../../controller/functions/rows.ts';
import { orphanKinds } from '../../controller/resync/orphans.ts';
import type { Facts } from './facts.ts';
import { storedAs } from './rows.ts';
import { comment, inLine } from './text.ts';

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

/** What a rule names: one kind, with the verbs for it. */
interface Right {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
}

const order = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
const tells: Rule = {
  says: ['Reports to people what happened.'],
  group: 'events.k8s.io',
  resources: ['events'],
  verbs: ['create'],
};

/** YAML of the rules of an account whose functions reconcile resources. */
export function rulesOfAccount({ controller, reconciledBy, changesOf }: Facts, account: string): string {
  const reconciled = reconciledBy(account);
  const looked = lookedAt(changesOf(account));
  const needed = reconciled.flatMap(needsOf);
  const given = controller.rights[account]?.rules ?? [];
  const named = given.flatMap(({ group, resources }) => resources.map((one) => `${group}/${one}`));
  const all = [
    ...given,
    ...reconciled.flatMap((one) => rulesFor(needsOf(one), named, aboutMaking(one))),
    ...rulesFor(looked, [...named, ...needed.map(nameOf)], aboutLooking),
    tells,
  ];
  return yamlOf(all.flatMap((rule) => completed(rule, [...needed, ...looked])));
}

/** YAML of the rules of the resync: it lists parents, and of their children those that it looks for orphans by. */
export function rulesOfResync({ parentKinds, childKinds }: Facts): string {
  const says = [
    ['Every parent by its name: metadata alone is asked for.'],
    ['Children whose parent is gone: metadata alone too, and never Secrets.'],
  ];
  const lists = [parentKinds, orphanKinds(childKinds)].flatMap((kinds, index) => {
    const [first, ...others] = byGroup(kinds, ['list']);
    return first === undefined ? [] : [{ ...first, says: says[index] ?? [] }, ...others];
  });
  return yamlOf([...lists, { ...tells, says: ['Reports them to people.'] }]);
}

/** YAML of the rules that the controller's `rights` have for an account, and no others. */
export function rulesAsGiven({ controller }: Facts, account: string): string {
  return yamlOf(controller.rights[account]?.rules ?? []);
}

/** YAML of the rules of a source that watches in these modes. */
export function rulesOfSource({ controller }: Facts, { modes, verbs, says }: OfSource): string {
  const watched = controller.watches.filter(({ mode }) => modes.includes(mode)).flatMap(({ resources }) => resources);
  return yamlOf(
    byGroup(watched, verbs).map((rule, index) => ({
      ...rule,
      says: [
        ...(index === 0 && says.first !== undefined ? [says.first] : []),
        ...(rule.resources.includes('secrets') && says.secrets !== undefined ? [says.secrets] : []),
      ],
    })),
  );
}

interface OfSource {
  readonly modes: readonly string[];
  readonly verbs: readonly string[];
  /** Comments: above all of them, and above that of Secrets. */
  readonly says: { readonly first?: string; readonly secrets?: string };
}

/** What it takes to reconcile a resource. A Pod is replaced, since it cannot be changed. */
function needsOf(resource: Resource): readonly Right[] {
  const { group, plural } = storedAs(resource);
  return [
    { group, resource: plural, verbs: ['get'] },
    { group, resource: `${plural}/status`, verbs: ['patch'] },
    { group, resource: `${plural}/finalizers`, verbs: ['update'] },
    ...childrenOf(resource).map((child) => ({
      group: storedAs(child).group,
      resource: storedAs(child).plural,
      verbs: ['get', 'create', ...(child.kind === 'Pod' ? [] : ['patch']), 'delete'],
    })),
  ];
}

/** What it takes to see whom a change concerns: an event in Reference mode brings neither labels nor owners. */
function lookedAt(rows: readonly ChangeRow[]): readonly Right[] {
  return rows.flatMap(({ mode, kind }) => {
    const stored = mode === 'Reference' ? storedKind(kind) : undefined;
    if (stored === undefined) return [];
    const { group, plural } = storedAs(stored);
    return [{ group, resource: plural, verbs: ['get'] }];
  });
}

const aboutLooking =
  'The labels and owners of what an event names: they say whom it concerns. The function asks for metadata alone.';

function aboutMaking({ kind }: Resource): string {
  return `What makes a ${kind} what it should be: its children and its status.`;
}

/** Rules for what is needed, but for the kinds that have one. */
function rulesFor(needed: readonly Right[], named: readonly string[], says: string): readonly Rule[] {
  const needs = new Map(needed.map((need) => [nameOf(need), need]));
  const rules = [...needs].filter(([name]) => !named.includes(name)).map(([, need]) => ruleOf(need));
  const [first, ...others] = rules;
  return first === undefined ? [] : [{ ...first, says: [says] }, ...others];
}

function nameOf({ group, resource }: Right): string {
  return `${group}/${resource}`;
}

function ruleOf({ group, resource, verbs }: Right): Rule {
  return { group, resources: [resource], verbs };
}

/** A rule with all verbs for what it names; several where those differ. */
function completed(rule: Rule, needed: readonly Right[]): readonly Rule[] {
  const verbsOf = (resource: string): string => {
    const more = needed.filter((one) => one.group === rule.group && one.resource === resource);
    const verbs = new Set([...rule.verbs, ...more.flatMap((one) => one.verbs)]);
    return order.filter((verb) => verbs.has(verb)).join();
  };
  return [...Map.groupBy(rule.resources, verbsOf)].map(([verbs, resources], index) => ({
    ...(index === 0 && rule.says !== undefined && { says: rule.says }),
    group: rule.group,
    resources,
    verbs: verbs.split(','),
  }));
}

/** One rule for each group of the API, in the order in which they come. */
function byGroup(kinds: readonly Kind[], verbs: readonly string[]): readonly Rule[] {
  const groups = Map.groupBy(kinds.map(storedAs), ({ group }) => group);
  return [...groups].map(([group, all]) => ({
    group,
    resources: [...new Set(all.map(({ plural }) => plural))],
    verbs,
  }));
}

function yamlOf(rules: readonly Rule[]): string {
  return rules
    .map(({ says, group, resources, verbs }) =>
      [
        comment(says),
        `- apiGroups: ${inLine([group])}\n`,
        `  resources: ${inLine(resources)}\n`,
        `  verbs: ${inLine(verbs)}\n`,
      ].join(''),
    )
    .join('');
}
