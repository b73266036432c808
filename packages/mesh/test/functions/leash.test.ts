import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, isAlive } from './build.ts';

const keeper = fileURLToPath(new URL('./keeper.ts', import.meta.url));

test('a mesh that is killed leaves no function behind', async () => {
  const mesh = spawn(process.execPath, [keeper], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: mesh.stdout }), 'line');
  const pid = Number(line);
  assert.ok(isAlive(pid));
  mesh.kill('SIGKILL');
  await eventually('gone', () => !isAlive(pid));
});

test('a mesh that ends at once takes along even a function that hears nothing', async () => {
  const mesh = spawn(process.execPath, [keeper], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: mesh.stdout }), 'line');
  const pid = Number(line);
  process.kill(pid, 'SIGSTOP');
  mesh.kill('SIGTERM');
  await once(mesh, 'exit');
  await eventually('gone', () => !isAlive(pid));
});
