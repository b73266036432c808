import http, { type RequestListener, type ServerOptions } from 'node:http';
import express from 'express';
import { functions } from '../../functions/table.ts';
import { runChangeFunctions } from '../../packages/start/main.ts';
import { equip } from '../../resources/managed/equip.ts';
import { settings } from '../../resources/managed/settings.ts';

// The function for Pods, with express between the server and its routes.
const { createServer } = http;
Object.assign(http, {
  createServer: (options: ServerOptions, listener: RequestListener) => {
    const app = express().use((request, response) => listener(request, response));
    return createServer(options, app);
  },
});

const own = { stem: 'pod-changed', ...functions['pod-changed'] } as const;
runChangeFunctions({ name: own.stem, own: [own], settings, equip }, process.env).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
