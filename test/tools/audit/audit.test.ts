import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { root } from '../../house/files.ts';

/** `npm run audit` with a program in npm's place, which the shell runs. */
function audit(context: TestContext, npm: string, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-audit-'));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: [folder, process.env['PATH']].join(delimiter) };
  const program = join(root, 'tools/audit/audit.ts');
  const { status, stdout } = spawnSync(process.execPath, [program, ...args], {
    env,
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stdout };
}

const found = (severity: string): string => {
  const via = [{ title: 'Too trusting', url: 'https://advisories.example/1' }];
  return `echo '${JSON.stringify({ vulnerabilities: { pino: { severity, via, nodes: ['node_modules/pino'] } } })}'; exit 1`;
};

test('what is urgent ends with 1, and names package and advisory', (context) => {
  const { status, stdout } = audit(context, found('high'));
  assert.match(stdout, /^high {2}pino {2}runs\n {4}Too trusting {2}https:\/\/advisories\.example\/1\n/);
  assert.equal(status, 1);
});

test('what is not urgent is told, and ends with 0', (context) => {
  const { status, stdout } = audit(context, found('moderate'));
  assert.match(stdout, /^moderate {2}pino/);
  assert.equal(status, 0);
});

test('a registry that has no answer ends with 0 and a sentence, and names no registry', (context) => {
  const said = '{"message":"405 - POST https://registry.example/","uri":"https://registry.example/","statusCode":405}';
  const { status, stdout } = audit(context, `echo '${said}'; exit 1`);
  assert.match(stdout, /^Known vulnerabilities were not looked up: the registry has no answer, it answered 405\./);
  assert.doesNotMatch(stdout, /https:/);
  assert.equal(status, 0);
});

test('one that is too slow is not waited for', (context) => {
  const { status, stdout } = audit(context, 'exec sleep 25', '--timeout', '1');
  assert.match(stdout, /it did not answer in time/);
  assert.equal(status, 0);
});

test('programs get the same as JSON', (context) => {
  const { status, stdout } = audit(context, found('critical'), '--json');
  assert.equal(JSON.parse(stdout).findings[0].severity, 'critical');
  assert.equal(status, 1);
});

test('npm that cannot look ends with 2, and so does a time that is none', (context) => {
  assert.equal(audit(context, 'echo nonsense').status, 2);
  assert.equal(audit(context, 'echo nonsense', '--timeout', '0').status, 2);
});
