import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** `Uid: 65532 65532 65532 65532` and the like, of a process. */
export function statusOf(pid: number): ReadonlyMap<string, string> {
  const lines = readFileSync(`/proc/${String(pid)}/status`, 'utf8').split('\n');
  return new Map(
    lines.map((line) => [line.split(':')[0] ?? '', (line.split(':')[1] ?? '').trim().replaceAll('\t', ' ')]),
  );
}

/** Options by mount point, as the process sees them. */
function mountsOf(pid: number): ReadonlyMap<string, readonly string[]> {
  const lines = readFileSync(`/proc/${String(pid)}/mountinfo`, 'utf8')
    .trim()
    .split('\n');
  return new Map(lines.map((line) => [line.split(' ')[4] ?? '', (line.split(' ')[5] ?? '').split(',')]));
}

/** That a process is nobody, cannot write to its root, and gains nothing. */
export function assertRestricted(pid: number): void {
  const status = statusOf(pid);
  for (const line of ['Uid', 'Gid']) assert.equal(status.get(line), '65532 65532 65532 65532');
  for (const line of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) assert.match(status.get(line) ?? '', /^0+$/);
  assert.equal(status.get('NoNewPrivs'), '1');
  assert.ok(mountsOf(pid).get('/')?.includes('ro'));
}

/** That these volumes alone are where the product has its files, and that the process cannot write to them. */
export function assertVolumes(pid: number, names: readonly string[]): void {
  const volumes = [...mountsOf(pid)].filter(([point]) => point.startsWith('/etc/knudge/'));
  assert.deepEqual(volumes.map(([point]) => point.split('/')[3]).sort(), names);
  assert.ok(volumes.every(([, options]) => options.includes('ro')));
}
