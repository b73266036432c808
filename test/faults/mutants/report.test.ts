import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Hunted } from './hunt-one.ts';
import { closingLine, lineOf, tableOf } from './report.ts';

const one = (id: string, caught: string | undefined): Hunted => ({
  id,
  caught,
  hung: false,
  runs: 3,
  seconds: 1.25,
  where: 'create-tcp, no fault',
  what: 'it is wrong',
  falseAlarms: [],
});

describe('the report of the hunt', () => {
  it('says what caught a mutant, and where', () => {
    assert.equal(lineOf(one('a', 'O4')), 'a  caught by O4 after 3 runs, 1.3 s (create-tcp, no fault)');
    assert.equal(lineOf({ ...one('a', undefined), runs: 1 }), 'a  SURVIVED after 1 run, 1.3 s');
  });

  it('counts by oracle, and a hang is none of them', () => {
    const hung = { ...one('d', undefined), hung: true };
    const hunted = [one('a', 'O10'), one('b', 'O4'), one('c', 'O4'), hung];
    assert.equal(closingLine(hunted, 9.6), 'mutants: 3 of 4 caught (O4 2, O10 1), in 10 s; HUNG: d');
    assert.equal(lineOf(hung), 'd  HUNG after 3 runs, 1.3 s');
  });

  it('counts those that a unit test has caught after those of the oracles', () => {
    const hunted = [one('a', 'a unit test'), one('b', 'O11'), one('c', 'O4')];
    assert.equal(closingLine(hunted, 1), 'mutants: 3 of 3 caught (O4 1, O11 1, a unit test 1), in 1 s');
  });

  it('names those that survived, and false alarms', () => {
    const hunted = [one('a', 'O4'), { ...one('b', undefined), falseAlarms: ['create-tcp: O2'] }];
    const line = closingLine(hunted, 1);
    assert.match(line, /1 of 2 caught/);
    assert.match(line, /SURVIVED: b/);
    assert.match(line, /1 false alarm/);
    assert.match(tableOf(hunted, 1), /^b {2}SURVIVED/m);
  });
});
