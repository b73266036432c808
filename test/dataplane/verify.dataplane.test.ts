import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileNames, podLayout } from '../../resources/distributed-service/envoy/data-plane.ts';
import { endpointsFile } from '../../resources/distributed-service/envoy/endpoints.ts';
import { envoyArguments, envoyBootstrap } from '../../resources/distributed-service/envoy/envoy-config.ts';
import { frpcConfig } from '../../resources/distributed-service/frp/frpc-config.ts';
import { installed } from '../../tools/dataplane/install.ts';
import { cells } from './cells.ts';
import { finish, temporaryFolder } from './programs.ts';

const tools = await installed();

/** Texts that some cells share, each with the first of those cells. */
function distinct(
  textOf: (cell: (typeof cells)[number]) => string,
): readonly (readonly [text: string, cell: string])[] {
  const texts = new Map<string, string>();
  for (const cell of cells) if (!texts.has(textOf(cell))) texts.set(textOf(cell), cell.name);
  return [...texts];
}

/** As many at a time as there are processors. */
async function forEachAtOnce<T>(values: readonly T[], act: (value: T, index: number) => Promise<void>): Promise<void> {
  const rest = values.entries();
  const work = async (): Promise<void> => {
    for (const [index, value] of rest) await act(value, index);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

describe('every combination of service type, algorithm, health check, mutual TLS and exposure', () => {
  it('there are all of them', () =>
    assert.equal(cells.length, 3 * 4 * 4 * 2 * 3 + 3 * 4 * 2 * 2 * 3 + 2 * 2 * 2 * 2 * 3));

  it("passes frpc's own verify", async (context) => {
    const folder = temporaryFolder(context);
    const texts = distinct(({ spec, profile }) =>
      frpcConfig({ namespace: 'shop', name: 'web', uid: 'uid-1', spec, profile }),
    );
    assert.equal(texts.length, (4 + 2 + 2) * 2 * 3);
    await forEachAtOnce(texts, async ([text, cell], index) => {
      const file = join(folder, `${String(index)}.json`);
      writeFileSync(file, text);
      const { code, output } = await finish(tools.frpc, ['verify', '-c', file]);
      assert.equal(code, 0, `${cell}: ${output}`);
      assert.ok(!output.includes('WARNING'), `${cell}: ${output}`);
    });
  });

  it("passes Envoy's own validation, with the arguments it is run with", async (context) => {
    const folder = temporaryFolder(context);
    const layout = { ...podLayout, configPath: folder, endpointsPath: folder };
    writeFileSync(
      join(folder, fileNames.endpoints),
      endpointsFile([], () => 'none'),
    );
    const texts = distinct(({ spec }) => envoyBootstrap({ namespace: 'shop', name: 'web', spec, layout }));
    // The port to probe stands in the endpoints file.
    assert.equal(texts.length, 3 * 3 + 3 * 3 + 2 * 2);
    await forEachAtOnce(texts, async ([text, cell], index) => {
      const configPath = join(folder, String(index));
      mkdirSync(configPath);
      writeFileSync(join(configPath, fileNames.envoy), text);
      const args = envoyArguments.map((argument) => argument.replace(podLayout.configPath, configPath));
      const { code, output } = await finish(tools.envoy, ['--mode', 'validate', ...args]);
      assert.equal(code, 0, `${cell}: ${output}`);
      assert.doesNotMatch(
        output.replace(/.*work-in-progress.*\n/g, ''),
        /\[(warning|error|critical)\]/,
        `${cell}: ${output}`,
      );
    });
  });

  it('would not pass with a field that does not exist', async (context) => {
    const file = join(temporaryFolder(context), 'broken.json');
    writeFileSync(file, '{"serverAddr":"a","nosuchkey":1}');
    assert.notEqual((await finish(tools.frpc, ['verify', '-c', file])).code, 0);
    assert.notEqual((await finish(tools.envoy, ['--mode', 'validate', '-c', file])).code, 0);
  });
});
