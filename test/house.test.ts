import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { functions, otherTriggers, type Stem, serviceNames } from '../functions/table.ts';
import { errorCodes } from '../packages/controller/domain/errors.ts';
import { deadLettered } from '../packages/controller/functions/dead-lettered.ts';
import { eventRecorded } from '../packages/controller/functions/event-recorded.ts';
import { itselfChanged } from '../packages/controller/functions/itself-changed.ts';
import type { ChangeRow, EventRow } from '../packages/controller/functions/rows.ts';
import { readConfig } from '../packages/controller/server/config.ts';
import { settings } from '../resources/managed/settings.ts';
import { changeStems, eventStems, questionStems, stems } from './build/stems.ts';
import { resources } from './faults/oracles/managed.ts';
import { filesOf, firstCells, textIfAny, textOf } from './house/files.ts';
import { manifest } from './house/manifest.ts';
import { metrics } from './house/metrics.ts';

/** Files of functions/ that are no function: the list of them, what wakes them, what several share, and what starts them. */
const sharedByFunctions = ['table', 'deployed', 'rights'];
/** Folders of recorded events that wake no function of ours, see their README. */
const fixturesOfNoFunction = ['broker', 'cluster-scoped'];
/** Reached as the dead-letter sink of the Broker and of every Trigger, or asked by another program. */
const withoutTrigger: readonly Stem[] = ['dead-lettered', ...questionStems];

describe('each function has all its parts', () => {
  it('functions/ has one file for each row of the table that has a handler of its own', () => {
    const shared: readonly unknown[] = [itselfChanged, eventRecorded, deadLettered];
    const own = stems.filter((stem) => !shared.includes(functions[stem].handle));
    assert.deepEqual(names('functions', '.ts'), sorted([...own, ...sharedByFunctions]));
  });

  it('deploy/functions/ has one manifest for each Service, which serves one of them or several', () => {
    assert.deepEqual(names('deploy/functions', '.yaml'), sorted(serviceNames));
  });

  it('eventing/triggers/ has one for each that is not reached as a sink', () => {
    const woken = stems.filter((stem) => !withoutTrigger.includes(stem));
    assert.deepEqual(names('eventing/triggers', '.yaml'), sorted([...woken, ...Object.keys(otherTriggers)]));
  });

  it('docs/events.md has a row for each, and no other', () => {
    assert.deepEqual(
      firstCells('docs/events.md').filter((cell) => /-/.test(cell)),
      sorted(stems),
    );
  });

  it('test/fixtures/questions/ has a folder for each that is asked', () => {
    const folders = filesOf('test/fixtures/questions', '.json').map((path) => path.split('/')[3] ?? '');
    assert.deepEqual(sorted(new Set(folders)), sorted(questionStems));
  });

  it('test/fixtures/events/ has a folder for each other', () => {
    const folders = filesOf('test/fixtures/events', '.json').map((path) => path.split('/')[3] ?? '');
    assert.deepEqual(sorted(new Set(folders)), sorted([...eventStems, ...fixturesOfNoFunction]));
  });

  for (const stem of eventStems) {
    it(`every recorded event of ${stem} is one that it takes`, () => {
      const row: ChangeRow | EventRow = functions[stem];
      const events = filesOf(`test/fixtures/events/${stem}`, '.json').map(headersOf);
      if (row.wakes === 'change') assert.deepEqual([...new Set(events.map(kindOfEvent))], [row.kind]);
      else if (row.types !== 'every') assert.deepEqual(sorted(events.map(typeOf)), sorted(row.types));
      else assert.ok(events.length > 0);
    });
  }
});

describe('each list of the code is in the documents', () => {
  it('docs/errors.md has a row for each code, and no other', () => {
    assert.deepEqual(firstCells('docs/errors.md'), sorted(Object.keys(errorCodes)));
  });

  it('docs/errors.md names the status of each code in its row', () => {
    const rows = textIfAny('docs/errors.md').split('\n');
    const wrong = Object.entries(errorCodes).filter(([code, { status }]) => {
      return !rows.some((row) => row.startsWith(`| \`${code}\``) && row.includes(String(status)));
    });
    assert.deepEqual(
      wrong.map(([code]) => code),
      [],
    );
  });

  it('docs/metrics.md has a row for each metric, and no other', () => {
    assert.deepEqual(firstCells('docs/metrics.md'), sorted(metrics.map(({ name }) => name)));
  });

  it('docs/metrics.md names every verb of a request in the row of requests', () => {
    const row = textOf('docs/metrics.md')
      .split('\n')
      .find((line) => line.includes('`knudge_api_requests_total`'));
    // What only the command line asks counts nowhere.
    const files = filesOf('packages/controller/cluster', '.ts').filter((path) => !path.endsWith('/look.ts'));
    const verbs = new Set(
      files.flatMap((path) => [...textOf(path).matchAll(/verb: '([\w-]+)'/g)].map(([, verb]) => verb)),
    );
    assert.ok(verbs.size > 10, [...verbs].join(', '));
    assert.deepEqual(
      [...verbs].filter((verb) => !new RegExp(`\\b${verb}\\b`).test(row ?? '')),
      [],
    );
  });

  it('docs/configuration.md has a row for each environment variable, and no other', () => {
    assert.deepEqual(
      firstCells('docs/configuration.md').filter((cell) => /^[A-Z0-9_]+$/.test(cell)),
      sorted(variablesRead()),
    );
  });
});

describe('the custom resources', () => {
  const crds = names('crds', '.yaml').flatMap((name) => manifest(`crds/${name}.yaml`));

  it('each has a CRD with a status that serves its version, and each such CRD is one', () => {
    const withStatus = crds.filter(({ spec }) => spec?.versions.every(({ subresources }) => subresources?.status));
    const served = withStatus.map(({ spec }) => `${spec?.group}/${spec?.names.kind}`);
    assert.deepEqual(
      sorted(served),
      sorted(resources.map(({ apiVersion, kind }) => `${apiVersion.split('/')[0]}/${kind}`)),
    );
    for (const { apiVersion, kind } of resources) {
      const versions = crds.find(({ spec }) => spec?.names.kind === kind)?.spec?.versions ?? [];
      assert.ok(
        versions.some(({ name, served: isServed }) => isServed && apiVersion.endsWith(`/${name}`)),
        `${kind} ${apiVersion}`,
      );
    }
  });

  it('each has a function that its changes wake', () => {
    const woken = changeStems.map((stem) => functions[stem].kind as string);
    const asleep = resources.filter(({ apiVersion, kind }) => !woken.includes(`${apiVersion.split('/')[0]}/${kind}`));
    assert.deepEqual(
      asleep.map(({ kind }) => kind),
      [],
    );
  });
});

type Headers = Readonly<Record<string, string>>;

function headersOf(path: string): Headers {
  return (JSON.parse(textOf(path)) as { headers: Headers }).headers;
}

function typeOf(headers: Headers): string {
  return headers['ce-type'] ?? '';
}

/** `group/Kind` of the object that a recorded event is about, as the table has it. */
function kindOfEvent(headers: Headers): string {
  const [version = '', group = ''] = (headers['ce-apiversion'] ?? '').split('/').reverse();
  return `${version === '' ? 'no version' : group}/${headers['ce-kind']}`;
}

/** Every variable that readConfig asks for. */
function variablesRead(): readonly string[] {
  const asked = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }), settings);
  return [...asked];
}

/** The files of one folder without its suffix; its list for kustomize is not one of them. */
function names(folder: string, suffix: string): readonly string[] {
  const all = filesOf(folder, suffix).map((path) => path.slice(folder.length + 1, -suffix.length));
  return sorted(all.filter((name) => name !== 'kustomization'));
}

function sorted(values: Iterable<string>): readonly string[] {
  return [...values].sort();
}
