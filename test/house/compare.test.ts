import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, posix } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { build } from 'esbuild';
import podSpec from '../../examples/compare/pod-spec.json' with { type: 'json' };
import { desiredPod } from '../../resources/message/pod.ts';
import { codeLines, linesOf, operators } from './compare.ts';
import { filesOf, root, textOf } from './files.ts';

const page = textOf('docs/compare.md');
const sizes = rowsUnder('| with | lines | aside | files | names | made of |');
const nameRows = rowsUnder('| with | names |');

describe('docs/compare.md', () => {
  it('has a row for each operator', () => {
    const names = operators.map(({ name }) => name);
    assert.deepEqual([...sizes.keys()], names);
    assert.deepEqual([...nameRows.keys()], names);
  });

  for (const { name, parts, aside } of operators) {
    const [lines, besides, files, names, made = ''] = sizes.get(name) ?? [];

    it(`says how many lines and files are written with ${name}`, () => {
      const paths = new Set(parts.map(({ path }) => path));
      assert.deepEqual(
        [lines, besides, files],
        [linesOf(parts).length, linesOf(aside).length, paths.size].map((count) => String(count)),
      );
      const linked = [...made.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => posix.join('docs', target));
      assert.deepEqual(linked.sort(), [...paths].sort());
    });

    it(`counts no line aside that it does not count at all, with ${name}`, () => {
      const counted = linesOf(parts);
      assert.deepEqual(
        linesOf(aside).filter((line) => !counted.includes(line)),
        [],
      );
    });

    it(`names as many names as it says, each in the lines that are written with ${name}`, () => {
      const listed = [...(nameRows.get(name)?.[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
      assert.equal(names, String(listed.length));
      assert.equal(new Set(listed).size, listed.length);
      const code = linesOf(parts).join('\n');
      assert.deepEqual(
        listed.filter((word) => !new RegExp(`(?<!\\w)${word.replaceAll('.', '\\.')}(?!\\w)`).test(code)),
        [],
      );
    });
  }

  it('says rightly who needs less than Knudge', () => {
    const lessThanKnudge = (column: number): readonly string[] =>
      [...sizes].flatMap(([name, cells]) =>
        Number(cells[column]) < Number(sizes.get('Knudge')?.[column]) ? [name] : [],
      );
    const [lines, files, names] = [0, 2, 3].map(lessThanKnudge);
    assert.deepEqual(lines, ['kopf', 'Pepr', 'Metacontroller']);
    assert.deepEqual(names, lines);
    assert.deepEqual(files, ['kopf', 'controller-runtime', 'Pepr', 'Metacontroller']);
    assert.match(page, /all but controller-runtime need fewer lines and names than Knudge, and\s+all four fewer files/);
  });

  it('has a source for all that it says of others in its last table', () => {
    const head = ['Knudge', 'kopf', 'controller-runtime', 'Pepr', 'Metacontroller'];
    const rows = [...rowsUnder(`| | ${head.join(' | ')} |`)];
    assert.ok(rows.length > 10);
    const unfounded = rows.flatMap(([what, [, ...others]]) =>
      others
        .slice(0, 4)
        .flatMap((cell, at) => (cell === '–' || /\][[(]/.test(cell) ? [] : [`${what}: ${head[at + 1]}`])),
    );
    assert.deepEqual(unfounded, []);
  });

  it('names each source once, and uses it', () => {
    const defined = [...page.matchAll(/^\[([a-z-]+)\]: https:/gm)].map(([, label]) => label);
    const used = [...page.matchAll(/\]\[([a-z-]+)\]/g)].map(([, label]) => label);
    assert.deepEqual(defined, [...new Set(used)].sort());
  });

  it('counts every program of examples/compare', () => {
    const programs = filesOf('examples/compare').filter((path) => !/\.(md|json)$/.test(path));
    const counted = new Set(operators.flatMap(({ parts }) => parts.map(({ path }) => path)));
    assert.deepEqual(
      programs.filter((path) => !counted.has(path)),
      [],
    );
  });
});

describe('the lines that are counted', () => {
  it('are neither blank nor comments', () => {
    const typescript = '// a\n/** b */\n/*\n c\n */\n\nconst d = 1; // e\n  * f\n';
    assert.deepEqual(codeLines('x.ts', typescript), ['const d = 1; // e', '  * f']);
    assert.deepEqual(codeLines('x.py', '"""a"""\n# b\n\nc = 1\n'), ['c = 1']);
  });

  it('are of blocks, with the bracket that closes them, where blocks are named', () => {
    const [first = '', ...rest] = linesOf([{ path: 'tsconfig.json', blocks: ['"compilerOptions": {', '"include"'] }]);
    assert.equal(first, '  "compilerOptions": {');
    assert.deepEqual(
      rest.slice(-2).map((line) => line.trim().slice(0, 10)),
      ['},', '"include":'],
    );
  });

  it('are not of blocks that are taken out', () => {
    const all = linesOf([{ path: 'tsconfig.json' }]);
    const fewer = linesOf([{ path: 'tsconfig.json', without: ['"compilerOptions": {'] }]);
    assert.equal(
      fewer.length,
      all.length - linesOf([{ path: 'tsconfig.json', blocks: ['"compilerOptions": {'] }]).length,
    );
  });

  it('must be there', () => {
    assert.throws(
      () => linesOf([{ path: 'tsconfig.json', blocks: ['no such'] }]),
      /tsconfig\.json has no line that begins/,
    );
  });
});

describe("Metacontroller's hook", () => {
  const owner = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { name: 'hello' }, spec: { text: 'Hello!' } };
  let hook: ChildProcess;
  let address = '';

  before(async () => {
    const path = join(root, 'examples/compare/metacontroller/hook.ts');
    hook = spawn(process.execPath, [path, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = hook.stdout === null ? [] : await once(hook.stdout, 'data');
    const { port } = JSON.parse(String(line)) as { readonly port: number };
    address = `http://localhost:${String(port)}/sync`;
  });

  after(() => hook.kill());

  const answerTo = (body: string): Promise<Response> => fetch(address, { method: 'POST', body });
  const syncOf = async (pods: object): Promise<unknown> => {
    const answer = await answerTo(JSON.stringify({ parent: owner, children: { 'Pod.v1': pods } }));
    assert.equal(answer.status, 200);
    return answer.json();
  };

  it('asks for the Pod that prints the text, and waits for it', async () => {
    const spec = structuredClone(podSpec);
    for (const variable of spec.containers.flatMap(({ env }) => env)) variable.value = 'Hello!';
    assert.deepEqual(await syncOf({}), {
      status: { phase: 'Pending', podName: 'msg-hello' },
      children: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'msg-hello' }, spec }],
    });
  });

  it('says that the Message is Processed once the Pod is ready', async () => {
    const pod = (status: string): object => ({ 'msg-hello': { status: { conditions: [{ type: 'Ready', status }] } } });
    const phaseOf = async (pods: object): Promise<unknown> =>
      ((await syncOf(pods)) as { readonly status: { readonly phase: string } }).status.phase;
    assert.equal(await phaseOf(pod('False')), 'Pending');
    assert.equal(await phaseOf(pod('True')), 'Processed');
  });

  it('answers 500 to what it cannot read, and goes on', async () => {
    assert.equal((await answerTo('{')).status, 500);
    assert.equal((await answerTo('{}')).status, 500);
    await syncOf({});
  });
});

it("Pepr's module can be bundled, as Pepr bundles it", async () => {
  const entryPoints = [join(root, 'examples/compare/pepr/pepr.ts')];
  const external = ['pepr', './package.json'];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, platform: 'node', external });
  assert.match(outputFiles[0]?.text ?? '', /new \w+\.PeprModule\(/);
});

it("examples/compare/pod-spec.json is the Pod of Knudge's Message", () => {
  const text = 'the text of the Message';
  assert.deepEqual(podSpec, desiredPod(text, 'busybox:1.37.0').spec);
});

/** The cells of each row of the page's table with this head but the first, by that. */
function rowsUnder(head: string): ReadonlyMap<string, readonly string[]> {
  const [, after = ''] = page.split(`\n${head}\n`);
  const [table = ''] = after.split('\n\n');
  const rows = table.split('\n').slice(1);
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  return new Map(cells.map(([, name = '', ...rest]) => [name, rest]));
}
