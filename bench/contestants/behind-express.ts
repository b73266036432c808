import http, { type RequestListener, type ServerOptions } from 'node:http';
import express from 'express';
import { runChangeFunctions } from '../../functions/start/main.ts';
import { functions } from '../../functions/table.ts';

// The function for Pods as it is, with express between the server and its routes.
const { createServer } = http;
Object.assign(http, {
  createServer: (options: ServerOptions, listener: RequestListener) => {
    const app = express().use((request, response) => listener(request, response));
    return createServer(options, app);
  },
});

const own = { stem: 'pod-changed', ...functions['pod-changed'] } as const;
runChangeFunctions(own.stem, [own], process.env).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
