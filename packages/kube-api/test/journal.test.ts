import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createApi } from '../api.ts';
import { openJournal } from '../store/journal.ts';
import { configMap, configMaps, crds, definition, thing, things, tryApi } from './handle.ts';

const folder = mkdtempSync(join(tmpdir(), 'knudge-journal-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Kills a writer after this many acknowledged writes; gives their lines. */
async function killAfter(dir: string, round: number, count: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'journal-child.ts'), dir, String(round)]);
  const closed = once(child, 'close');
  let text = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (data: string) => {
    text += data;
    if (text.split('\n').length > count) child.kill('SIGKILL');
  });
  await closed;
  return text.split('\n').slice(0, -1);
}

/** What has to be there after these lines, and the newest version; each has to be newer than all before. */
function note(lines: readonly string[], names: Set<string>, newest: number): number {
  let last = newest;
  for (const line of lines) {
    const [name = '', version] = line.split(' ');
    if (name.startsWith('-')) names.delete(name.slice(1));
    else names.add(name);
    if (version === undefined) continue;
    assert.ok(Number(version) > last, `${version} comes after ${last}`);
    last = Number(version);
  }
  return last;
}

describe('the journal', () => {
  it('has every acknowledged write after each of some SIGKILLs, and goes on counting', {
    timeout: 60_000,
  }, async () => {
    const dir = join(folder, 'killed');
    let names = new Set<string>();
    let newest = 0;
    for (const [round, count] of [20, 1, 47, 110].entries()) {
      const lines = await killAfter(dir, round, count);
      assert.ok(lines.length >= count, `${lines.length} writes were acknowledged`);
      newest = note(lines, names, newest);
      const { client, close } = createApi({ journal: openJournal(dir) });
      const kept = new Set(client.list({ apiVersion: 'v1', kind: 'ConfigMap' }).map(({ metadata }) => metadata.name));
      close();
      // One more write, creation or deletion, may have been kept and not yet acknowledged.
      const lost = [...names].filter((name) => !kept.has(name));
      const more = [...kept].filter((name) => !names.has(name));
      assert.ok(lost.length + more.length <= 1, `lost ${lost}, too much ${more}`);
      names = kept;
    }
  });

  it('gives back definitions with their objects, and asks older watches to begin again', () => {
    const dir = join(folder, 'kept');
    const first = tryApi({ journal: openJournal(dir) });
    first.call(`POST ${crds}`, definition());
    first.call(`POST ${things}`, thing('a', { spec: { size: 1 } }));
    first.call(`POST ${configMaps}`, configMap('a'));
    first.call(`DELETE ${configMaps}/a`);
    const before = first.call(`GET ${things}`).body;
    first.api.close();
    const second = tryApi({ journal: openJournal(dir) });
    assert.deepEqual(second.call(`GET ${things}`).body, before);
    assert.equal(second.call(`GET ${configMaps}/a`).status, 404);
    const { events, isEnded } = second.watch(`${configMaps}?watch=true&resourceVersion=1`);
    assert.deepEqual([events[0]?.['type'], isEnded()], ['ERROR', true]);
    second.api.close();
  });

  it('tells the writer of a write that it could not keep, and keeps nothing of it', () => {
    const journal = openJournal(join(folder, 'broken'));
    const change = { type: 'ADDED', revision: 1, resource: 'things', namespace: '', name: 'a', object: {} } as const;
    const cyclic: Record<string, never> = {};
    Object.assign(cyclic, { cyclic });
    assert.throws(() => journal.write({ ...change, object: cyclic }), /circular/);
    assert.deepEqual(journal.load(), { revision: 0, objects: [] });
    journal.write(change);
    assert.equal(journal.load().revision, 1);
    journal.close();
  });
});
