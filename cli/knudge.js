#!/usr/bin/env node
// What is run as `knudge`. JavaScript, since a cache helps only those that are loaded once it is on: without one Node is
// busier with taking the types out of the sources than with anything that they do. Older versions of Node run it too.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unfit } from './unfit.js';

// Every command loads this package, so it shows whether npm has installed those of others.
const places = module.createRequire(import.meta.url).resolve.paths('commander');
const isInstalled = places.some((path) => existsSync(`${path}/commander`));
const why = unfit(process.versions.node, isInstalled);
if (why === undefined) {
  const cache = `${dirname(fileURLToPath(import.meta.url))}/node_modules/.cache/knudge`;
  // Threads and processes have it from their first file on.
  if (module.enableCompileCache(cache).directory !== undefined) process.env.NODE_COMPILE_CACHE ??= cache;
  await import('./main.ts');
} else {
  console.error(why);
  process.exitCode = 2;
}
