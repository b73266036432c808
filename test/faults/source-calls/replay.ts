// Plays one plan again and prints all of it: node test/faults/source-calls/replay.ts '{"seed":1,"faults":[{"at":52,"kind":"kill"}]}'
import { judge } from './judge.ts';
import { type CallPlan, runCalls } from './run-calls.ts';

const plan = JSON.parse(process.argv[2] ?? '{"seed":1,"faults":[]}') as CallPlan;
const ran = await runCalls(plan);
for (const [index, { call, what }] of ran.calls.entries()) console.log(`call ${index}: ${call} ${what}`);
for (const { kind, call, at } of ran.struck)
  console.log(`${at.toFixed(0)} ms: ${kind.id} at ${call.call} ${call.what}`);
for (const { life, at, told, positions } of ran.starts)
  console.log(
    `${at.toFixed(0)} ms: process ${life} starts after ${told} events, from ${[...positions.values()].join(', ')}`,
  );
for (const { life, at, verb, kind, place, uid, version } of ran.told)
  console.log(`${at.toFixed(0)} ms: process ${life} tells ${verb} ${kind} ${place} ${uid} ${version}`);
for (const what of ran.said) console.log(`said: ${what}`);
const { wrongs, needless } = judge(ran);
console.log(`${wrongs.length} wrongs, ${needless} needless events`);
for (const wrong of wrongs) console.log(wrong);
if (wrongs.length > 0) process.exitCode = 1;
