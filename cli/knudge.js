#!/usr/bin/env node
// What is run as `knudge`. JavaScript, since a cache helps only those that are loaded once it is on: without one Node is
// busier with taking the types out of the sources than with anything that they do.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../node_modules/.cache/knudge', import.meta.url));
// Threads and processes have it from their first file on.
if (enableCompileCache(cache).directory !== undefined) process.env.NODE_COMPILE_CACHE ??= cache;
await import('./main.ts');
