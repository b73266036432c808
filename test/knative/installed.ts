import { repository } from '../../tools/image/config.ts';
import { knudgeImage } from '../../tools/knative/knudge.ts';
import { kubectlFor } from '../../tools/knative/kubectl.ts';
import { waitForDeployments, waitForReady } from '../../tools/knative/wait.ts';
import { testKubeconfig } from '../kube/api.ts';
import { kustomized, withKustomization } from '../kube/kustomized.ts';
import { until } from '../kube/until.ts';
import { home } from './site.ts';

/** A kustomization of somebody who installs Knudge: folders of this repository. */
export interface Parts {
  readonly resources: readonly string[];
  readonly components?: readonly string[];
  readonly patches?: readonly object[];
}

/** What is installed at the beginning of each file and at its end. */
const plain: Parts = { resources: ['deploy'] };

const images = [{ name: repository, newName: knudgeImage.name, newTag: knudgeImage.tag }];
export const kubectl = kubectlFor(testKubeconfig());

/** Applies it over what is there, in the way of docs/install.md, and waits for nothing. */
export async function apply(parts: Parts): Promise<void> {
  // A Job cannot be changed.
  await kubectl(['--namespace', home, 'delete', 'jobs', '--all']);
  await withParts(parts, (folder) => kubectl(['apply', '--kustomize', folder]));
}

/** Does the work with such a kustomization in a folder, which has the node's image of Knudge. */
export function withParts<Result>(parts: Parts, work: (folder: string) => Promise<Result>): Promise<Result> {
  return withKustomization({ ...parts, images }, work);
}

const kinds = ['services.serving.knative.dev', 'brokers', 'triggers', 'apiserversources', 'pingsources'];

/** Waits until everything of Knudge, or of a controller in another namespace, is Ready, and what is under it runs. */
export async function allReady(namespace = home): Promise<void> {
  const silent = (): void => undefined;
  await waitForReady(kubectl, { namespace, kinds }, silent);
  await waitForDeployments(kubectl, [namespace], silent);
}

/** Puts `deploy` back in the place of what was installed since, and takes away what that had more. */
export async function goBack(from: Parts): Promise<void> {
  await apply(plain);
  const list = ({ resources, components = [] }: Parts) => withKustomization({ resources, components }, kustomized);
  const [more, own] = await Promise.all([list(from), list(plain)]);
  const name = ({ kind, metadata }: (typeof own)[number]) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
  const known = new Set(own.map(name));
  const items = more.filter((one) => !known.has(name(one)));
  const left = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  if (items.length > 0) await kubectl(['delete', '--ignore-not-found', '--wait=false', '--filename', '-'], left);
  await allReady();
}

interface Listed<Item> {
  readonly items: readonly Item[];
}

interface Subscriptions {
  readonly metadata: { readonly uid: string };
}

interface Channel {
  readonly spec?: { readonly subscribers?: readonly { readonly uid: string }[] };
}

/**
 * Waits until the channel of the Broker has the subscribers that Knative's Subscriptions ask for, and no others. Where
 * several are made anew at once the old ones can stay (knative/eventing#6636); then each event is sent to them too.
 */
export async function noSubscriberIsLeft(): Promise<void> {
  const list = async <Item>(kind: string): Promise<readonly Item[]> =>
    (JSON.parse(await kubectl(['--namespace', home, 'get', kind, '--output=json'])) as Listed<Item>).items;
  await until(
    'the channel has the subscribers of the Triggers, and no others',
    async () => {
      const [subscriptions, channels] = await Promise.all([
        list<Subscriptions>('subscriptions.messaging.knative.dev'),
        list<Channel>('inmemorychannels.messaging.knative.dev'),
      ]);
      const has = channels.flatMap(({ spec }) => spec?.subscribers?.map(({ uid }) => uid) ?? []).sort();
      const wanted = subscriptions.map(({ metadata }) => metadata.uid).sort();
      return JSON.stringify(has) === JSON.stringify(wanted) || `${has.length} subscribers, ${wanted.length} wanted`;
    },
    15,
  );
}
