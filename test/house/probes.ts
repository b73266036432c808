/** A file that breaks one rule, or keeps it. */
export interface Probe {
  readonly name: string;
  readonly path: string;
  readonly code: string;
  /** Every finding of the linter, without the category in front; none means that the file is fine. */
  readonly rules: readonly string[];
}

const functionOf = (lines: number) => `export function long(): void {\n${'  run();\n'.repeat(lines)}}\n`;
const promise = 'const work = async (): Promise<void> => {};\n';
const union = "type Kind = 'a' | 'b';\nexport const of = (kind: Kind): number => {\n  switch (kind) {\n";
const branches = (count: number) =>
  `export function pick(n: number): number {\n${Array.from({ length: count }, (_, i) => `  if (n === ${i}) return ${i};\n`).join('')}  return n;\n}\n`;

const pure = [
  ...['domain', 'wire', 'parents', 'decide'].map((room) => `packages/controller/${room}`),
  ...['resources/message', 'resources/distributed-service', 'resources/distributed-service/certificates'],
];
const impure = {
  'the time': 'export const now = Date.now();',
  'the time by way of globalThis': 'export const now = globalThis.Date.now();',
  'performance.now': 'export const now = performance.now();',
  fetch: "export const got = (): unknown => fetch('x');",
  'a timer': 'export const wait = (done: () => void): unknown => setTimeout(done, 1);',
  'an interval': 'export const wait = (done: () => void): unknown => setInterval(done, 1);',
  'the process': 'export const id = process.pid;',
  'web crypto': 'export const id = crypto.randomUUID();',
};

const impureProbes = pure.flatMap((folder) =>
  Object.entries(impure).map(([what, code]) => ({
    name: `${folder} is pure: no ${what}`,
    path: `${folder}/impure.ts`,
    code,
    rules: ['noRestrictedGlobals'],
  })),
);

const randomProbes = pure.flatMap((folder) =>
  ['const dice = Math.random();', "const dice = Math['random']();", 'const { random } = Math;'].map((code) => ({
    name: `${folder} is pure: no ${code}`,
    path: `${folder}/random.ts`,
    code: `export ${code}`,
    rules: ['noJsRestrictedProperties'],
  })),
);

/** One row for each rule of biome.json that the house insists on; the imports have a table of their own. */
export const probes: readonly Probe[] = [
  ...impureProbes,
  ...randomProbes,
  {
    name: 'the server may know the time',
    path: 'packages/controller/server/fine.ts',
    code: impure['the time'],
    rules: [],
  },
  { name: 'time.ts may know Date', path: 'packages/controller/domain/time.ts', code: impure['the time'], rules: [] },
  {
    name: 'console in pure code breaks two rules',
    path: 'packages/controller/decide/console.ts',
    code: "console.log('x');",
    rules: ['noConsole', 'noRestrictedGlobals'],
  },
  {
    name: 'the log is pino, not console',
    path: 'packages/controller/server/console.ts',
    code: "console.log('x');",
    rules: ['noConsole'],
  },
  {
    name: 'the environment is read in main.ts only',
    path: 'packages/controller/server/environment.ts',
    code: "export const port = process.env['PORT'];",
    rules: ['noProcessEnv'],
  },
  {
    name: 'main.ts reads it',
    path: 'packages/start/a.ts',
    code: "export const port = process.env['PORT'];",
    rules: [],
  },
  {
    name: 'exports have names',
    path: 'packages/source/default.ts',
    code: 'export default 1;',
    rules: ['noDefaultExport'],
  },
  { name: 'no any', path: 'packages/source/any.ts', code: 'export const it: any = 1;', rules: ['noExplicitAny'] },
  {
    name: 'no non-null assertion',
    path: 'packages/source/bang.ts',
    code: 'export const first = (them: number[]): number => them[0]!;',
    rules: ['noNonNullAssertion'],
  },
  {
    name: 'a promise is awaited or returned',
    path: 'packages/source/floating.ts',
    code: `${promise}export const go = (): void => {\n  work();\n};`,
    rules: ['noFloatingPromises'],
  },
  {
    name: 'a promise is no condition',
    path: 'packages/source/misused.ts',
    code: `${promise}export const go = (): number => {\n  if (work()) return 1;\n  return 2;\n};`,
    rules: ['noMisusedPromises'],
  },
  {
    name: 'a switch names every kind',
    path: 'packages/controller/decide/switch.ts',
    code: `${union}    case 'a':\n      return 1;\n  }\n  return 0;\n};`,
    rules: ['useExhaustiveSwitchCases'],
  },
  {
    name: 'a switch over all kinds is fine',
    path: 'packages/controller/decide/whole-switch.ts',
    code: `${union}    case 'a':\n      return 1;\n    case 'b':\n      return 2;\n  }\n};`,
    rules: [],
  },
  {
    name: 'a function of 61 lines is too long',
    path: 'packages/source/long.ts',
    code: functionOf(61),
    rules: ['noExcessiveLinesPerFunction'],
  },
  { name: 'a function of 60 lines is not', path: 'packages/source/not-long.ts', code: functionOf(60), rules: [] },
  {
    name: 'a file of 201 lines is too long',
    path: 'packages/source/large.ts',
    code: 'run();\n'.repeat(201),
    rules: ['noExcessiveLinesPerFile'],
  },
  { name: 'a file of 200 lines is not', path: 'packages/source/not-large.ts', code: 'run();\n'.repeat(200), rules: [] },
  {
    name: 'a test file of 201 lines is too long',
    path: 'test/large.ts',
    code: 'run();\n'.repeat(201),
    rules: ['noExcessiveLinesPerFile'],
  },
  {
    name: 'four parameters are one too many',
    path: 'packages/source/parameters.ts',
    code: 'export const sum = (a: number, b: number, c: number, d: number): number => a + b + c + d;',
    rules: ['useMaxParams'],
  },
  {
    name: 'branches: 16 are too many',
    path: 'packages/source/branches.ts',
    code: branches(16),
    rules: ['noExcessiveCognitiveComplexity'],
  },
  { name: 'branches: 15 are not', path: 'packages/source/few-branches.ts', code: branches(15), rules: [] },
  {
    name: 'a circle, one half',
    path: 'packages/source/one.ts',
    code: "import { two } from './two.ts';\n\nexport const one = two;",
    rules: ['noImportCycles'],
  },
  {
    name: 'a circle, the other',
    path: 'packages/source/two.ts',
    code: "import { one } from './one.ts';\n\nexport const two = one;",
    rules: ['noImportCycles'],
  },
  {
    name: 'a key in brackets is fine',
    path: 'packages/source/key.ts',
    code: "export const key = (it: { a: number }): number => it['a'];",
    rules: [],
  },
  {
    name: 'a package that no package.json names',
    path: 'tools/ghost.ts',
    code: "import { a } from 'ghost-package';\n\nexport const b = a;",
    rules: ['noUndeclaredDependencies'],
  },
  {
    name: 'a test that silences the others',
    path: 'test/only.test.ts',
    code: "import { it } from 'node:test';\n\nit.only('x', () => {});",
    rules: ['noFocusedTests'],
  },
  {
    name: 'a variable that nothing uses',
    path: 'packages/source/unused.ts',
    code: 'const one = 1;\n\nexport const two = 2;',
    rules: ['noUnusedVariables'],
  },
];
