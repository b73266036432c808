import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../project.ts';
import { accountWith, leaseOfResync } from './account.ts';
import { byHandAndNamed, calledAs } from './called.ts';
import { type Facts, factsOf, log, resync } from './facts.ts';
import { perFunction } from './per-function.ts';
import { filesWithPlaces, filled } from './regions.ts';
import { rulesAsGiven, rulesOfAccount, rulesOfResync, rulesOfSource } from './rules.ts';
import { serviceOf } from './service.ts';
import { sourceFiles } from './source.ts';
import { comment, headOf, indented, isMade, listed } from './text.ts';
import { triggerOf } from './trigger.ts';
import { byHand as recording } from './triggers.ts';

/** Folders with files that are made, where one that is made no more is removed. */
const folders = ['crds', 'deploy', 'eventing'];

/** Every manifest that follows from a controller and crds/, by its path; undefined for one that no longer does. */
export function manifestFiles(project: Project): Promise<ReadonlyMap<string, string | undefined>> {
  return Promise.resolve(filesOf(factsOf(project)));
}

function filesOf(facts: Facts): ReadonlyMap<string, string | undefined> {
  const present = folders.flatMap((folder) => yamlIn(facts.root, folder));
  const textOf = (path: string): string => facts.textOf(path) ?? '';
  const made = new Map(
    [...manifests(facts), ...perFunction(facts)].map(([path, text]) => [path, headOf(facts) + text]),
  );
  const byHand = present.filter((path) => !isMade(textOf(path)));
  const stale = present.filter((path) => !byHand.includes(path) && !made.has(path) && !path.endsWith(kustomization));
  // In the repository of Knudge the overlays and the chart change the name.
  const named = facts.hasEngine ? [] : byHandAndNamed.filter(facts.has);
  const places = [...new Set([...named, ...filesWithPlaces(facts)])].map((path): [string, string] => {
    const text = named.includes(path) ? calledAs(facts.controller.name, textOf(path)) : textOf(path);
    return [path, filled(facts, path, text)];
  });
  return new Map<string, string | undefined>([
    ...made,
    ...lists(facts, [...new Set([...byHand, ...made.keys()])]),
    ...places,
    ...stale.map((path): [string, undefined] => [path, undefined]),
  ]);
}

const kustomization = '/kustomization.yaml';

function manifests(facts: Facts): readonly (readonly [path: string, text: string])[] {
  const services = facts.controller.serviceNames.filter((name) => name !== log);
  const triggers = facts.triggers.filter(({ name }) => name !== recording);
  return [
    ...triggers.map((one) => [`eventing/triggers/${one.name}.yaml`, triggerOf(facts, one)] as const),
    ...sourceFiles(facts).map(([name, text]) => [`eventing/sources/${name}.yaml`, text] as const),
    ...services.map(
      (name) => [`deploy/functions/${name}.yaml`, ownAccount(facts, name) + serviceOf(facts, name)] as const,
    ),
    ...facts.resourceAccounts.map((name) => [`deploy/accounts/${name}.yaml`, accountOfResource(facts, name)] as const),
    ...(facts.has('deploy/components/source') ? [accountOfSource(facts)] : []),
  ];
}

function accountOfSource(facts: Facts): readonly [path: string, text: string] {
  const first = 'What it watches, and no more: it gets nothing by name.';
  const secrets = 'Of Secrets it asks for metadata alone; no rule can say that.';
  const modes = ['Resource', 'Reference'];
  const rules = rulesOfSource(facts, { modes, verbs: ['list', 'watch'], says: { first, secrets } });
  return ['deploy/components/source/account.yaml', accountWith(facts.controller.name, 'source', rules)];
}

/** Of a function that reconciles no resource; that of a resource has a file of its own. */
function ownAccount(facts: Facts, service: string): string {
  const { accounts, resourceAccounts } = facts;
  if (!accounts.includes(service) || resourceAccounts.includes(service)) return '';
  const isResync = service === resync;
  const home = facts.controller.name;
  const account = accountWith(home, service, isResync ? rulesOfResync(facts) : rulesAsGiven(facts, service));
  return `${account}---\n${isResync ? `${leaseOfResync(home)}---\n` : ''}`;
}

function accountOfResource(facts: Facts, name: string): string {
  const says = facts.controller.rights[name]?.says ?? ['Of the functions that reconcile it, and nothing else.'];
  return comment(says) + accountWith(facts.controller.name, name, rulesOfAccount(facts, name));
}

const says: Readonly<Record<string, readonly string[]>> = {
  'deploy/accounts': [
    'Accounts that belong to a resource, for all functions that reconcile it. Any other function has its own in its file in functions/.',
  ],
};

/** The lists of files for kustomize. */
function lists(facts: Facts, paths: readonly string[]): readonly [string, string][] {
  return ['crds', 'eventing', 'deploy/accounts', 'deploy/functions'].map((folder) => {
    const own = `${folder}/`;
    const files = paths.filter((path) => path.startsWith(own) && !path.endsWith(kustomization));
    const list = listed(files.map((path) => path.slice(own.length)).sort());
    const kind = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
    return [
      `${folder}${kustomization}`,
      `${headOf(facts)}${comment(says[folder])}${kind}resources:\n${indented(list, 2)}`,
    ];
  });
}

function yamlIn(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
