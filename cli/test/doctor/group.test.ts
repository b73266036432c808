import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Found, ok, problem, unchecked, warning } from '../../../packages/controller/doctor/finding.ts';
import { reportOf } from '../../doctor/report.ts';

const text = (found: readonly Found[], onlyIll = false): readonly string[] =>
  reportOf({ findings: found.map((one) => ({ check: 'c', ...one })) }, (_level, word) => word, onlyIll).split('\n');
const gone = (name: string, todo = `kubectl apply -f eventing/triggers/${name}.yaml`) =>
  problem(`Trigger knudge/${name} is not there`, 'its function is not woken', todo);

test('ten Triggers that are gone are one problem with one command', () => {
  const names = Array.from({ length: 10 }, (_, index) => `t${index}`);
  const lines = text(names.map((name) => gone(name)));
  assert.deepEqual(lines, [
    `problem  Trigger knudge/t0 is not there; the same of ${names
      .slice(1)
      .map((name) => `knudge/${name}`)
      .join(', ')}`,
    '         why: its function is not woken',
    `         do:  kubectl apply ${names.map((name) => `-f eventing/triggers/${name}.yaml`).join(' ')}`,
    '',
    '1 problem, 0 warnings, 0 ok, 0 not checked',
  ]);
});

test('commands that are not about files follow each other, and the same command stands once', () => {
  assert.equal(text([gone('a', 'one'), gone('b', 'two'), gone('c', 'one')])[2], '         do:  one && two');
});

test('another kind, another state, another reason and another level are other causes', () => {
  const others = [
    problem('Broker knudge/a is not there', 'its function is not woken', 'x'),
    problem('Trigger knudge/b is not ready', 'its function is not woken', 'x'),
    problem('Trigger knudge/c is not there', 'because', 'x'),
    warning('Trigger knudge/d is not there', 'its function is not woken', 'x'),
  ];
  assert.equal(text([gone('z'), ...others]).at(-1), '4 problems, 1 warning, 0 ok, 0 not checked');
});

test('what is well stands by itself, and is left out where only problems are wanted', () => {
  const found = [ok('Trigger knudge/a is ready'), ok('Trigger knudge/b is ready'), unchecked('x'), gone('c')];
  assert.equal(text(found).at(-1), '1 problem, 0 warnings, 2 ok, 1 not checked');
  assert.deepEqual(
    text(found, true).map((line) => line.slice(0, 20)),
    ['problem  Trigger knu', '         why: its fu', '         do:  kubect', '', '1 problem, 0 warning'],
  );
  assert.deepEqual(text(found.slice(0, 2), true), ['0 problems, 0 warnings, 2 ok, 0 not checked']);
});
