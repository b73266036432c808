import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rights } from '../../functions/rights.ts';
import { serviceNames } from '../../functions/table.ts';
import { accountWith, leaseOfResync } from './account.ts';
import { accounts, resourceAccounts } from './facts.ts';
import { perFunction } from './per-function.ts';
import { filled, regions } from './regions.ts';
import { rulesAsGiven, rulesOfAccount, rulesOfResync, rulesOfSource } from './rules.ts';
import { serviceOf } from './service.ts';
import { sourceFiles } from './source.ts';
import { comment, head, indented, listed } from './text.ts';
import { triggerFiles } from './triggers.ts';

/** The Service with the volume and the database of the event log. */
const log = 'event-log';

/** Folders with files that are made, where one that is made no more is removed. */
const folders = ['crds', 'deploy', 'eventing'];

/** Every manifest that follows from functions/, crds/ and the resources, by its path; undefined for one that no longer does. */
export async function manifestFiles(root: string): Promise<ReadonlyMap<string, string | undefined>> {
  const present = (await Promise.all(folders.map((folder) => yamlIn(root, folder)))).flat();
  const texts = new Map(await Promise.all(present.map(async (path) => [path, await textOf(root, path)] as const)));
  const made = new Map([...manifests(), ...perFunction].map(([path, text]) => [path, head + text]));
  const byHand = [...texts].filter(([, text]) => !text.startsWith(head)).map(([path]) => path);
  const stale = present.filter((path) => !byHand.includes(path) && !made.has(path) && !path.endsWith(kustomization));
  const all = [...new Set([...byHand, ...made.keys()])];
  const places = Object.keys(regions).map((path): [string, string] => [path, filled(path, texts.get(path) ?? '')]);
  return new Map<string, string | undefined>([
    ...made,
    ...lists(all),
    ...places,
    ...stale.map((path): [string, undefined] => [path, undefined]),
  ]);
}

const kustomization = '/kustomization.yaml';

function manifests(): readonly (readonly [path: string, text: string])[] {
  const services = serviceNames.filter((name) => name !== log);
  const all = 'What it watches, and no more: it gets nothing by name.';
  const secrets = 'Of Secrets it asks for metadata alone; no rule can say that.';
  const rules = rulesOfSource(['Resource', 'Reference'], ['list', 'watch'], { first: all, secrets });
  return [
    ...triggerFiles.map(([name, text]) => [`eventing/triggers/${name}.yaml`, text] as const),
    ...sourceFiles.map(([name, text]) => [`eventing/sources/${name}.yaml`, text] as const),
    ...services.map((name) => [`deploy/functions/${name}.yaml`, ownAccount(name) + serviceOf(name)] as const),
    ...resourceAccounts.map((name) => [`deploy/accounts/${name}.yaml`, accountOfResource(name)] as const),
    ['deploy/components/source/account.yaml', accountWith('source', rules)],
  ];
}

/** Of a function that reconciles no resource; that of a resource has a file of its own. */
function ownAccount(service: string): string {
  if (!accounts.includes(service) || resourceAccounts.includes(service)) return '';
  const isResync = service === 'resync-due';
  const account = accountWith(service, isResync ? rulesOfResync() : rulesAsGiven(service));
  return `${account}---\n${isResync ? `${leaseOfResync}---\n` : ''}`;
}

function accountOfResource(name: string): string {
  const says = rights[name]?.says ?? ['Of the functions that reconcile it, and nothing else.'];
  return comment(says) + accountWith(name, rulesOfAccount(name));
}

const says: Readonly<Record<string, readonly string[]>> = {
  'deploy/accounts': [
    'Accounts that belong to a resource, for all functions that reconcile it. Any other function has its own in its file in functions/.',
  ],
};

/** The lists of files for kustomize. */
function lists(paths: readonly string[]): readonly [string, string][] {
  return ['crds', 'eventing', 'deploy/accounts', 'deploy/functions'].map((folder) => {
    const own = `${folder}/`;
    const files = paths.filter((path) => path.startsWith(own) && !path.endsWith(kustomization));
    const list = listed(files.map((path) => path.slice(own.length)).sort());
    const kind = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
    return [`${folder}${kustomization}`, `${head}${comment(says[folder])}${kind}resources:\n${indented(list, 2)}`];
  });
}

async function yamlIn(root: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

function textOf(root: string, path: string): Promise<string> {
  return readFile(join(root, path), 'utf8');
}
