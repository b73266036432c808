import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, posix } from 'node:path';
import { after, describe, it } from 'node:test';
import { createApi, serveApi } from '../../packages/kube-api/index.ts';
import { definitionOf } from '../../tools/api/definition.ts';
import { entries, namesIn, packages } from '../../tools/api/entry.ts';
import { filesOf, shipped, textIfAny, textOf } from './files.ts';
import { specifiersOf } from './imports.ts';
import { checkTypes, codeIn, copyCode, importedIn, printedBy, start } from './readme-code.ts';

const most = 25;
const copied = copyCode();
after(copied.remove);

it('every package has an entry file', () => {
  const there = filesOf('packages', 'index.ts').filter((path) => path.split('/').length === 3);
  assert.deepEqual(
    there,
    packages.map((name) => `packages/${name}/index.ts`),
  );
});

it('no file that Knudge runs by imports an entry file', () => {
  const imports = shipped.filter((path) => specifiersOf(textOf(path)).some((one) => /(?:^|\/)index\.ts$/.test(one)));
  assert.deepEqual(imports, []);
});

describe('resources/message', () => {
  /** What a file there imports of the engine that its entry file does not give to others. */
  const strangers = (path: string, text: string): readonly string[] => {
    const given = namesIn('packages/controller/index.ts', textOf('packages/controller/index.ts'));
    const imports = [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '([^']*\/packages\/[^']*)';$/gm)];
    return imports.flatMap(([, names = '', from = '']) => {
      const file = posix.join(posix.dirname(path), from);
      const wanted = names.split(',').map((name) => name.trim().replace(/^type /, ''));
      return wanted.filter((name) => !given.some((one) => one.name === name && one.from === file));
    });
  };

  it('is found to import what the entry file of the engine does not give', () => {
    const planted = "import { type KubeObject, refOf } from '../../packages/controller/domain/kube-object.ts';\n";
    assert.deepEqual(strangers('resources/message/a.ts', planted), ['refOf']);
  });

  it('takes of the engine what a resource of somebody else can take, and nothing else', () => {
    const files = shipped.filter((path) => path.startsWith('resources/message/'));
    assert.ok(files.length > 2);
    assert.deepEqual(
      files.flatMap((path) => strangers(path, textOf(path))),
      [],
    );
  });
});

it('what a package.json exports are the entry files that docs/api.md declares', () => {
  const exported = packages.flatMap((name) => {
    const { exports } = JSON.parse(textOf(`packages/${name}/package.json`)) as {
      readonly exports: Record<string, string>;
    };
    return Object.entries(exports).map(([as, path]) => [posix.join(name, as), posix.join(name, path)]);
  });
  assert.deepEqual(
    exported,
    entries.map((name) => [name, `${name}/index.ts`]),
  );
  const declared = [...textOf('docs/api.md').matchAll(/^## @knudge\/(.*)$/gm)].map(([, name]) => name);
  assert.deepEqual(declared, entries);
});

for (const name of entries) {
  describe(`the entry of ${name}`, () => {
    const path = `packages/${name}/index.ts`;
    const names = namesIn(path, textOf(path));

    it(`gives at most ${most} names`, () => {
      assert.ok(names.length > 0 && names.length <= most, `${names.length} names`);
      assert.equal(new Set(names.map((one) => one.name)).size, names.length);
    });

    it('gives no name whose definition has no docstring', () => {
      const bare = names.filter(({ from, name }) => definitionOf(textOf, from, name).doc.length === 0);
      assert.deepEqual(bare, []);
    });

    it('has every name that the README imports', () => {
      const wanted = importedIn(codeIn(name), name);
      assert.deepEqual(
        wanted.filter((one) => !names.some((given) => given.name === one)),
        [],
      );
    });
  });
}

describe('the code of a page for projects of their own', () => {
  it('is found to import a name that no entry file has', () => {
    const planted = "```ts\nimport {\n  addKinds,\n  type KubeObject,\n  isReady,\n} from '@knudge/controller';\n```\n";
    assert.deepEqual(strangersIn(planted), ['@knudge/controller: isReady']);
    assert.deepEqual(strangersIn("```ts\nimport { a } from '@knudge/none';\n```\n"), ['@knudge/none: a']);
    assert.deepEqual(strangersIn("  ```ts\n  import { apply } from '@knudge/controller/testing';\n  ```\n"), []);
  });

  it('is there in docs/add-a-resource.md', () => {
    assert.ok(importsIn(textOf('docs/add-a-resource.md')).length > 1);
  });

  it('imports what entry files have, on every page', () => {
    const found = filesOf('.', '.md').flatMap((path) => strangersIn(textOf(path)).map((name) => `${path}: ${name}`));
    assert.deepEqual(found, []);
  });
});

describe('the code of the READMEs', () => {
  it('is right for the compiler', () => assert.equal(checkTypes(copied.folder), ''));

  for (const name of packages.filter((one) => one !== 'source')) {
    it(`of ${name} runs, and prints what it says`, async () => {
      const printed = printedBy(codeIn(name));
      assert.notEqual(printed, '');
      assert.deepEqual(await start(copied, name).ended, { stdout: printed, stderr: '', status: 0 });
    });
  }

  it('of source runs, and sends the Broker what there is', async () => {
    const api = createApi();
    const metadata = { name: 'settings', namespace: 'default', labels: { app: 'shop' } };
    api.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    const { url, close } = await serveApi(api, { port: 0, token: 'secret' });
    const { promise: sent, resolve } = Promise.withResolvers<IncomingHttpHeaders>();
    const broker = createServer((request, response) => {
      resolve(request.headers);
      response.writeHead(202).end();
    }).listen(0, '127.0.0.1');
    await once(broker, 'listening');
    const process = start(copied, 'source', {
      K_SINK: `http://127.0.0.1:${(broker.address() as AddressInfo).port}`,
      API_SERVER_URL: url,
      API_SERVER_TOKEN: 'secret',
      SOURCE_FILE: join(copied.folder, 'source.db'),
      PORT: '0',
      LISTEN_ADDRESS: '127.0.0.1',
    });
    const early = process.ended.then(({ stdout, stderr }) => Promise.reject(new Error(`${stdout}${stderr}`)));
    const headers = await Promise.race([sent, early]);
    early.catch(() => undefined);
    assert.deepEqual([headers['ce-kind'], headers['ce-name']], ['ConfigMap', 'settings']);
    process.end();
    assert.equal((await process.ended).status, 0);
    broker.close();
    await close();
    api.close();
  });
});

/** The imports from packages of Knudge in the TypeScript of a page, each with its names. */
function importsIn(page: string): readonly { readonly from: string; readonly names: readonly string[] }[] {
  const code = [...page.matchAll(/^ *```ts\n([\s\S]*?)^ *```/gm)].map(([, block = '']) => block).join('\n');
  const found = code.matchAll(/^ *import (?:type )?\{([^}]*)\} from '(@knudge\/[^']+)';$/gm);
  return [...found].map(([, names = '', from = '']) => ({
    from,
    names: names.split(',').flatMap((one) => one.trim().replace(/^type /, '') || []),
  }));
}

/** The names among them that the entry file of their package does not have. */
function strangersIn(page: string): readonly string[] {
  return importsIn(page).flatMap(({ from, names }) => {
    const path = `${from.replace('@knudge/', 'packages/')}/index.ts`;
    const given = namesIn(path, textIfAny(path)).map(({ name }) => name);
    return names.filter((name) => !given.includes(name)).map((name) => `${from}: ${name}`);
  });
}
