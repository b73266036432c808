import { watches } from '../../functions/watches.ts';
import { accountWith } from './account.ts';
import { rulesOfSource } from './rules.ts';
import { comment, indented } from './text.ts';

interface Words {
  readonly mode: 'Resource' | 'Reference';
  /** About the rules, the mode, the namespaces and the entries. */
  readonly secrets?: string;
  readonly why: string;
  readonly namespaces: readonly string[];
  readonly entries: string;
}

const sources: Readonly<Record<string, Words>> = {
  'cluster-objects': {
    mode: 'Resource',
    why: 'The whole object: when it is gone, only the event still knows whose it was.',
    namespaces: [
      'Every namespace, with one watch for each entry below. Knative starts the source anew whenever a namespace is made or deleted, and',
      'what happens in those seconds it never tells: source-adapters.yaml has a resync made then.',
    ],
    entries: 'Each entry is a watch of its own, so a kind with two labels stands here twice.',
  },
  'secret-references': {
    mode: 'Reference',
    secrets:
      'The source can read them all, which is why it is a source of its own: no function can, and no event carries any.',
    why: 'Names alone: what a Secret holds never travels in an event.',
    namespaces: ['Started anew with each namespace, as cluster-objects.yaml says.'],
    entries: 'All of them: those that a DistributedService names carry no label of ours.',
  },
};

/** The ApiServerSources with their accounts, by their names. */
export const sourceFiles: readonly (readonly [name: string, text: string])[] = Object.entries(sources).map(
  ([name, words]) => {
    const says = words.secrets === undefined ? {} : { secrets: words.secrets };
    const rules = rulesOfSource([words.mode], ['get', 'list', 'watch'], says);
    return [name, `${accountWith(name, rules)}---\n${sourceOf(name, words)}`];
  },
);

function sourceOf(name: string, { mode, why, namespaces, entries }: Words): string {
  return `apiVersion: sources.knative.dev/v1
kind: ApiServerSource
metadata:
  name: ${name}
  namespace: knudge
spec:
  serviceAccountName: ${name}
  # ${why}
  mode: ${mode}
${indented(comment(namespaces), 2)}  namespaceSelector: {}
  # ${entries}
  resources:
${indented(entriesOf(mode), 4)}  sink:
    ref:
      apiVersion: eventing.knative.dev/v1
      kind: Broker
      name: knudge
`;
}

function entriesOf(mode: Words['mode']): string {
  const watched = watches.filter((one) => one.mode === mode).flatMap(({ resources }) => resources);
  return watched
    .map(({ apiVersion, kind, selector }) => {
      const entry = `- apiVersion: ${apiVersion}\n  kind: ${kind}\n`;
      if (selector === '') return entry;
      return `${entry}  selector:\n    matchExpressions:\n      - key: ${selector}\n        operator: Exists\n`;
    })
    .join('');
}
