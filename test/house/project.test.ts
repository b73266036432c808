import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { byHandAndNamed, calledAs } from '../../packages/generate/manifests/called.ts';
import { textOf } from './files.ts';

/** What differs: a project has its own name, and its own image at a place that `knudge generate` fills. */
function asHere(text: string): string {
  return calledAs('knudge', text).replace(
    /# By `npx knudge generate`, from here: image\n.*\n.*\n/,
    'image: knudge/knudge:0.1.0\n',
  );
}

describe('the project that knudge new controller copies', () => {
  for (const path of byHandAndNamed) {
    it(`has ${path} as it is here`, () => assert.equal(asHere(textOf(`examples/controller/${path}`)), textOf(path)));
  }
});
