import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Command } from 'commander';
import { stems } from '../../test/build/stems.ts';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { shapeOf } from '../completion/shape.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { knudge } from './knudge.ts';

let dir: string;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'knudge-completion-'));
  writeFileSync(join(dir, 'event.json'), '{}');
  const { out } = await knudge({ after: () => {} }, 'completion', 'bash').ended;
  writeFileSync(join(dir, 'knudge.bash'), out);
  writeFileSync(join(dir, 'nested.bash'), bashCompletion(nested));
});
after(() => rmSync(dir, { recursive: true }));

/** Commands below a command, as no command of today has. */
const nested = shapeOf(
  new Command('knudge').addCommand(
    new Command('events')
      .description("it's [a] list: of events")
      .addCommand(new Command('list').option('--kind <name>').option('-f, --file <file>').alias('ls')),
  ),
);

/** What bash offers for a line whose last word is being typed. */
function offered(words: readonly string[], script = 'knudge.bash'): readonly string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const body = `source ${script}; complete -p knudge >&2; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _knudge; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', body], { cwd: dir, encoding: 'utf8' });
  assert.equal(stderr, 'complete -F _knudge knudge\n');
  return stdout.split('\n').filter((one) => one !== '');
}

describe('bash completes', () => {
  const lines: readonly { name: string; words: readonly string[]; wanted: readonly string[]; script?: string }[] = [
    { name: 'commands', words: ['knudge', 're'], wanted: ['resync', 'reconcile', 'replay'] },
    { name: 'an alias', words: ['knudge', 'star'], wanted: ['start'] },
    { name: 'options of a command', words: ['knudge', 'resync', '--b'], wanted: ['--broker'] },
    {
      name: 'options after an option with a value',
      words: ['knudge', 'resync', '--dir', 'x', '--k'],
      wanted: ['--kubeconfig'],
    },
    { name: 'options by the alias of the command', words: ['knudge', 'start', '--ex'], wanted: ['--examples'] },
    { name: 'a stem', words: ['knudge', 'invoke', 'frp'], wanted: ['frp-gate'] },
    { name: 'a file after the stem', words: ['knudge', 'invoke', 'frp-gate', 'ev'], wanted: ['event.json'] },
    {
      name: 'a file after an option with a value',
      words: ['knudge', 'invoke', '--dir', 'x', 'frp-gate', 'ev'],
      wanted: ['event.json'],
    },
    { name: 'the file of an option', words: ['knudge', 'doctor', '--kubeconfig', 'ev'], wanted: ['event.json'] },
    { name: 'no file for a folder', words: ['knudge', 'doctor', '--dir', 'ev'], wanted: [] },
    { name: 'shells', words: ['knudge', 'completion', ''], wanted: ['bash', 'zsh', 'fish'] },
    { name: 'nothing where anything may stand', words: ['knudge', 'reconcile', 'x', 'e'], wanted: [] },
    { name: 'nothing after the last place', words: ['knudge', 'completion', 'bash', 'z'], wanted: [] },
    {
      name: 'commands below a command',
      words: ['knudge', 'events', 'l'],
      wanted: ['list', 'ls'],
      script: 'nested.bash',
    },
    { name: 'their options', words: ['knudge', 'events', 'ls', '--k'], wanted: ['--kind'], script: 'nested.bash' },
    {
      name: 'values of short options',
      words: ['knudge', 'events', 'list', '-f', 'ev'],
      wanted: ['event.json'],
      script: 'nested.bash',
    },
  ];
  for (const { name, words, wanted, script } of lines) {
    it(name, () => assert.deepEqual(offered(words, script), wanted));
  }
  it('every stem', () => assert.deepEqual([...offered(['knudge', 'function', ''])].sort(), [...stems].sort()));
});

const others = [
  { shell: 'zsh', make: zshCompletion, first: '#compdef knudge', line: /'--kind\[.*\]:anything: '/ },
  {
    shell: 'fish',
    make: fishCompletion,
    first: '# Completion of knudge for fish',
    line: /seen_subcommand_from list ls' -l kind -r/,
  },
];
for (const { shell, make, first, line } of others) {
  describe(shell, () => {
    const script = make(nested);
    it('has every command and option in its form', () => {
      assert.ok(script.startsWith(first));
      assert.match(script, line);
      for (const word of ['events', 'list', 'ls']) assert.ok(script.includes(word), word);
    });
    it('is quoted', () => {
      // Pairs, or a quote that is escaped as the shell takes it.
      const quotes = script.replaceAll(shell === 'zsh' ? "'\\''" : "\\'", '').match(/'/g) ?? [];
      assert.equal(quotes.length % 2, 0);
    });
    it('is taken by the shell, where it is installed', (context) => {
      const file = join(dir, `knudge.${shell}`);
      writeFileSync(file, script);
      if (spawnSync(shell, ['-c', 'exit 0']).status !== 0) context.diagnostic(`${shell} is not installed`);
      else execFileSync(shell, ['-n', file]);
    });
  });
}
