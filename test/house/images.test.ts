import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../packages/controller/server/config.ts';
import { imagesOf, settings } from '../../resources/managed/settings.ts';
import { filesOf, textOf } from './files.ts';

/** The images that something of Knudge names: manifests, the chart, what functions make Pods of, the Dockerfile. */
const manifests = [...filesOf('deploy', '.yaml'), ...filesOf('eventing', '.yaml'), 'charts/knudge/values.yaml'];
const imagesIn = (env: Readonly<Record<string, string>>) => imagesOf(readConfig(env, settings).own);
const named = new Set([
  ...manifests.flatMap((path) => [...textOf(path).matchAll(/\bimage: ([\w./:@-]+)$/gm)].map(([, image = '']) => image)),
  ...Object.values(imagesIn({})),
  ...[...textOf('Dockerfile').matchAll(/^FROM (\S+) AS/gm)].map(([, image = '']) => image),
]);
const [, table = ''] = /^## By digest\n(.*)$/ms.exec(textOf('docs/image.md')) ?? [];
const digest = `sha256:${'a'.repeat(64)}`;

describe('S19: the images', () => {
  it('are more than a few, and none moves with every version', () => {
    assert.ok(named.size >= 6, [...named].join());
    for (const image of named) assert.match(image, /(:v?\d[\w.-]*|:[a-z]+-v\d[\w.-]*|@sha256:[0-9a-f]{64})$/, image);
  });

  it('that stand by a tag are in docs/image.md, with why and by what one names the digest', () => {
    const names = [...named].filter((image) => !image.includes('@')).map((image) => image.replace(/:[^:/]*$/, ''));
    assert.deepEqual(
      names.filter((name) => !table.includes(`| \`${name}\` |`)),
      [],
    );
  });

  it('that functions make Pods of are taken by digest', () => {
    for (const [key, name] of Object.entries({ frpc: 'FRPC_IMAGE', envoy: 'ENVOY_IMAGE', message: 'MESSAGE_IMAGE' })) {
      const image = `registry.example/${key}@${digest}`;
      assert.deepEqual(imagesIn({ [name]: image }), { ...imagesIn({}), [key]: image });
    }
  });
});
