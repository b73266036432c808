import { accountWith } from './account.ts';
import type { Facts } from './facts.ts';
import { rulesOfSource } from './rules.ts';
import { comment, indented } from './text.ts';

interface Words {
  readonly mode: 'Resource' | 'Reference';
  /** About the rules, the mode, the namespaces and the entries. */
  readonly secrets?: string;
  readonly why: string;
  readonly namespaces: readonly string[];
}

const sources: Readonly<Record<string, Words>> = {
  'cluster-objects': {
    mode: 'Resource',
    why: 'The whole object: when it is gone, only the event still knows whose it was.',
    namespaces: [
      'Every namespace, with one watch for each entry below. Knative starts the source anew whenever a namespace is made or deleted, and',
      'it never reports what happens in those seconds: source-adapters.yaml has a resync made then.',
    ],
  },
  'secret-references': {
    mode: 'Reference',
    secrets:
      'The source can read them all, which is why it is a source of its own: no function can, and no event carries any.',
    why: 'Names alone: what a Secret holds never travels in an event.',
    namespaces: ['Started anew with each namespace, as cluster-objects.yaml says.'],
  },
};

/** The ApiServerSources with their accounts, by their names: those that have something to watch. */
export function sourceFiles(facts: Facts): readonly (readonly [name: string, text: string])[] {
  return Object.entries(sources)
    .filter(([, { mode }]) => watchedIn(facts, mode).length > 0)
    .map(([name, words]) => {
      const says = words.secrets === undefined ? {} : { secrets: words.secrets };
      const rules = rulesOfSource(facts, { modes: [words.mode], verbs: ['get', 'list', 'watch'], says });
      return [name, `${accountWith(facts.controller.name, name, rules)}---\n${sourceOf(facts, name, words)}`];
    });
}

function sourceOf(facts: Facts, name: string, { mode, why, namespaces }: Words): string {
  return `apiVersion: sources.knative.dev/v1
kind: ApiServerSource
metadata:
  name: ${name}
  namespace: ${facts.controller.name}
spec:
  serviceAccountName: ${name}
  # ${why}
  mode: ${mode}
${indented(comment(namespaces), 2)}  namespaceSelector: {}
  # ${aboutEntries(facts, mode)}
  resources:
${indented(entriesOf(facts, mode), 4)}  sink:
    ref:
      apiVersion: eventing.knative.dev/v1
      kind: Broker
      name: ${facts.controller.name}
`;
}

function entriesOf(facts: Facts, mode: Words['mode']): string {
  return watchedIn(facts, mode)
    .map(({ apiVersion, kind, selector }) => {
      const entry = `- apiVersion: ${apiVersion}\n  kind: ${kind}\n`;
      if (selector === '') return entry;
      return `${entry}  selector:\n    matchExpressions:\n      - key: ${selector}\n        operator: Exists\n`;
    })
    .join('');
}

function aboutEntries(facts: Facts, mode: Words['mode']): string {
  return watchedIn(facts, mode).every(({ selector }) => selector === '')
    ? 'All of them: those that a resource names carry no label of ours.'
    : 'Each entry is a watch of its own, so a kind with two labels stands here twice.';
}

function watchedIn({ controller }: Facts, mode: Words['mode']) {
  return controller.watches.filter((one) => one.mode === mode).flatMap(({ resources }) => resources);
}
