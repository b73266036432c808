import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeadLetter } from '../../../packages/controller/domain/event-log.ts';
import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import { differences, shapesOf } from '../../../packages/event-log/test/replay/shape.ts';
import { distributedService, message } from '../../build/objects.ts';
import { until } from '../../kube/until.ts';
import { faultShare } from '../share.ts';
import { type Wanted, wrongsOf } from './at-rest.ts';
import { brief, type Letters, lettersOf, quiet } from './letters.ts';
import { manual } from './objects.ts';
import type { Stage } from './stage.ts';
import { openMeshToBreak } from './two-down.ts';

const namespace = 'faults';
const home = { namespace };
const patienceSeconds = 120;
/** Longer than one event takes with all its tries: 6 s where nothing starts. */
const quietSeconds = 9;
/** Of sending again all that is open. Three outlast the longest wait for a start; what fails then fails for another reason. */
const mostRounds = 3;

const given = [
  ...['kept', 'edited', 'deleted'].map((name) => message(name, `first ${name}`, home)),
  ...['kept', 'edited', 'deleted'].map((name) => distributedService(`s-${name}`, manual, home)),
];
const edited = [
  message('edited', 'second', home),
  // Nothing that it holds at the server: what is let go there the resync takes away after a minute, and that is a write.
  distributedService('s-edited', { backends: { ...manual.backends, port: 9090 } }, home),
];
const created = [message('created', 'late', home), distributedService('s-created', manual, home)];
const wanted: Wanted = {
  namespace,
  parents: [...given.filter(({ metadata: { name } }) => name.endsWith('kept')), ...edited, ...created],
};
const nothing: Wanted = { namespace, parents: [] };

const classes = [
  ['the synchronous Broker', []],
  ['the Kafka Broker', ['--overlay', 'kafka']],
] as const;

for (const [name, args] of faultShare.of(classes)) {
  test(`${name}: two Services, which have nine functions, are down past all retries; what they missed is sent again by hand, and all is right`, async (t) => {
    const began = performance.now();
    const say = (text: string): void => t.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s: ${text}`);
    const { stage, down, mend } = await openMeshToBreak(t, { args, namespace });
    const { person } = stage;
    const letters = await lettersOf(stage.mesh());
    const live = async (): Promise<ReadonlyMap<string, unknown>> => shapesOf(stage.reader(), namespace);

    for (const object of given) await person.create(object);
    await right(stage, { namespace, parents: given });
    await change(stage);
    await right(stage, wanted);
    const calm = await live();
    say(`a calm run: ${calm.size} objects`);
    for (const object of wanted.parents) await person.delete(refOf(object));
    await right(stage, nothing);

    for (const object of given) await person.create(object);
    await right(stage, { namespace, parents: given });
    // Those of a machine with much other work: a function that started too late.
    const before = (await letters.all()).at(-1)?.seq ?? 0;
    down();
    await change(stage);
    await quiet(letters, quietSeconds);
    const open = async (): Promise<readonly DeadLetter[]> =>
      (await letters.all('open')).filter(({ seq }) => seq > before);
    const dead = await open();
    for (const [kind, why] of Object.entries(expected)) {
      const own = dead.filter((letter) => letter.kind === kind);
      assert.ok(own.length >= 3, `${own.length} dead letters of a ${kind}: an edit, a deletion, a creation at least`);
      for (const letter of own) {
        assert.equal(letter.times, 1, brief(letter));
        assert.match(brief(letter), why);
      }
    }
    const wrongs = await wrongsOf(stage.reader(), wanted);
    const told = dead.map(brief).join('; ');
    assert.ok(wrongs.length >= 4, `of these dead letters hardly anything is wrong: ${wrongs.join('; ')}: ${told}`);
    say(`${dead.length} dead letters, ${wrongs.length} things are wrong; ${reasons(dead)}`);

    const first = dead.find(({ kind }) => kind === 'Message');
    assert.ok(first);
    await letters.retry(first.seq);
    await until('one that fails again is open again', async () => {
      const again = (await open()).find(({ seq }) => seq === first.seq);
      return (again?.times ?? 0) > 1 || brief(first);
    });

    mend();
    await sendAllAgain(letters, open, say);
    await right(stage, wanted);
    assert.deepEqual(differences(calm, await live()), [], 'as in the calm run');
    assert.deepEqual((await open()).map(brief), []);
    const sent = (await letters.all('sent-again')).filter(({ seq }) => seq > before);
    const left = dead.filter(({ seq }) => !sent.some((one) => one.seq === seq));
    assert.deepEqual(left.map(brief), [], 'each is sent again');
    // What follows from one that is sent again may find a function that still waits for its next start.
    const later = sent.filter(({ seq }) => !dead.some((one) => one.seq === seq));
    const anew = later.filter(({ id }) => dead.some((one) => one.id === id));
    assert.deepEqual(anew.map(brief), [], 'one that fails again is the same letter');
    const writes = await stage.resync(wanted);
    assert.equal(writes, 0, 'a resync finds nothing that they missed');
    say(
      `counted: ${dead.length} dead letters of two Services behind ${name}, ${wrongs.length} things wrong; all sent again, one of them twice, and ${later.length} that came meanwhile: as in a calm run, and a resync wrote nothing`,
    );
  });
}

/** Of what answered all that there is to say; of what was not answered in time Knative's Broker says nothing. */
const expected = {
  Message: /^Message to http:\/\/message-changed\.knudge\.svc\.cluster\.local: 503 unavailable: /,
  // Its last process may have died over the event.
  DistributedService:
    /^DistributedService to (nobody knows: no status|http:\/\/distributed-service\.knudge\.svc\.cluster\.local\/distributed-service-changed: 502 EOF)/,
} as const;

/**
 * As a person does it, who looks again: the Kafka Broker says that an event is sent before anybody has answered it, and a
 * function that crashed again and again may wait half a minute for its next start.
 */
async function sendAllAgain(
  letters: Letters,
  open: () => Promise<readonly DeadLetter[]>,
  say: (text: string) => void,
): Promise<void> {
  for (let round = 1; round <= mostRounds; round += 1) {
    const left = await open();
    if (left.length === 0) return;
    say(`${left.length} open dead letters are sent again, round ${round}`);
    for (const { seq } of left) await sendAgain(letters, seq);
    await quiet(letters, quietSeconds);
  }
}

/** As a person does it: what crashed again and again is not started again at once, and until then it fails once more. */
async function sendAgain({ retry }: Letters, seq: number): Promise<void> {
  await until(
    'it is sent again',
    async () => {
      const state = await retry(seq);
      return state === 'sent-again' || state;
    },
    patienceSeconds,
  );
}

async function change({ person }: Stage): Promise<void> {
  for (const object of edited) {
    await person.patch(refOf(object), { spec: Reflect.get(object, 'spec') });
  }
  for (const object of given.filter(({ metadata }) => metadata.name.endsWith('deleted'))) {
    await person.delete(refOf(object));
  }
  for (const object of created) await person.create(object);
}

async function right(stage: Stage, all: Wanted): Promise<void> {
  await until(
    'all is right',
    async () => {
      const wrongs = await wrongsOf(stage.reader(), all);
      return wrongs.length === 0 || wrongs;
    },
    patienceSeconds,
  );
}

function reasons(dead: readonly DeadLetter[]): string {
  return [...new Set(dead.map(brief))].join('; ');
}
