import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CommanderError } from 'commander';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { coloured, plain } from '../../packages/mesh/screen.ts';
import { version } from '../../packages/start/version.ts';
import { textOf } from '../../test/house/files.ts';
import { exitCodeOf, exitCodes } from '../exit-codes.ts';
import { styleOf, widthOf } from '../show.ts';
import { knudge } from './knudge.ts';
import { examplesIn } from './page.ts';

/** As `knudge --help` lists them. */
const commandNames = await namesInHelp();

describe('how a command ends', () => {
  const endings = [
    { name: 'the help', thrown: new CommanderError(0, 'commander.helpDisplayed', '(outputHelp)'), code: 0 },
    { name: 'an unknown option', thrown: new CommanderError(1, 'commander.unknownOption', 'x'), code: 2 },
    { name: 'no mesh', thrown: new KnudgeError('unavailable', 'x'), code: 3 },
    { name: 'something refused', thrown: new KnudgeError('invalid-request', 'x'), code: 1 },
    { name: 'what a person has named is not there', thrown: new KnudgeError('misuse', 'x'), code: 2 },
    { name: 'what a person has named is not there', thrown: new KnudgeError('misuse', 'x'), code: 2 },
    { name: 'a fault of ours', thrown: new TypeError('x'), code: 1 },
  ];
  for (const { name, thrown, code } of endings) {
    it(`${name}: ${code}`, () => assert.equal(exitCodeOf(thrown), code));
  }

  it('is told in docs/cli.md, each code and no other', () => {
    const told = [...textOf('docs/cli.md').matchAll(/^\| `(\d+)` \|/gm)].map(([, code]) => Number(code));
    assert.deepEqual(told, Object.values(exitCodes));
  });
});

describe('colours', () => {
  const screens = [
    { name: 'a terminal', stream: { isTTY: true }, env: {}, style: coloured },
    { name: 'a pipe', stream: {}, env: {}, style: plain },
    { name: 'a terminal with NO_COLOR', stream: { isTTY: true }, env: { NO_COLOR: '1' }, style: plain },
    { name: 'a terminal with an empty NO_COLOR', stream: { isTTY: true }, env: { NO_COLOR: '' }, style: coloured },
    { name: 'a dumb terminal', stream: { isTTY: true }, env: { TERM: 'dumb' }, style: plain },
  ];
  for (const { name, stream, env, style } of screens) {
    it(`on ${name}: ${style === plain ? 'none' : 'some'}`, () => assert.equal(styleOf(stream, env), style));
  }
});

describe('the width of what is printed', () => {
  const screens = [
    { name: 'a terminal', stream: { isTTY: true, columns: 120 }, env: { COLUMNS: '80' }, width: 120 },
    { name: 'a pipe', stream: {}, env: {}, width: Number.POSITIVE_INFINITY },
    { name: 'a pipe with COLUMNS', stream: {}, env: { COLUMNS: '80' }, width: 80 },
    {
      name: 'a pipe with COLUMNS that is no number',
      stream: {},
      env: { COLUMNS: 'wide' },
      width: Number.POSITIVE_INFINITY,
    },
  ];
  for (const { name, stream, env, width } of screens) {
    it(`on ${name}: ${width}`, () => assert.equal(widthOf(stream, env), width));
  }
});

describe('the command line', () => {
  it('says its version to people', async (context) => {
    const told = await knudge(context, 'version').ended;
    assert.deepEqual(told, { code: 0, out: `Knudge ${version} on Node ${process.versions.node}\n`, said: '' });
  });

  it('and to programs', async (context) => {
    const { out } = await knudge(context, 'version', '--json').ended;
    assert.deepEqual(JSON.parse(out), { knudge: version, node: process.versions.node });
  });

  it('suggests the command that was meant', async (context) => {
    const { code, said } = await knudge(context, 'verson').ended;
    assert.equal(code, exitCodes.usage);
    assert.match(said, /^unknown command 'verson'\n\(Did you mean version\?\)\nRun it with --help for usage\./);
  });

  it('says what is wrong to programs as JSON too', async (context) => {
    const { code, out, said } = await knudge(context, 'version', '--json', '--loud').ended;
    assert.deepEqual({ code, out }, { code: exitCodes.usage, out: '' });
    const { error } = JSON.parse(said) as { error: { code: string; message: string } };
    assert.equal(error.code, 'usage');
    assert.match(error.message, /^unknown option '--loud'/);
  });

  it('shows its help where nothing is asked, and counts that as wrong usage', async (context) => {
    const { code, said } = await knudge(context).ended;
    assert.equal(code, exitCodes.usage);
    assert.match(said, /^Usage: knudge /);
  });

  for (const name of commandNames) {
    it(`${name} --help names --json, and has an example in docs/cli.md`, async (context) => {
      const { code, out } = await knudge(context, name, '--help').ended;
      assert.equal(code, exitCodes.done);
      assert.match(out, /--json/);
      assert.ok(examplesIn(textOf('docs/cli.md')).some(({ args }) => args[0] === name));
    });
  }
});

async function namesInHelp(): Promise<readonly string[]> {
  const { out } = await knudge({ after: () => {} }, '--help').ended;
  const [, list = ''] = out.split('Commands:\n');
  const names = [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name);
  return names.filter((name) => name !== 'help');
}
