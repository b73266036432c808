// What others may use of the embedded API: README.md.
export { type Api, type ApiOptions, createApi } from './api.ts';
export type { Change, Client, DeleteOptions, KubeObject, ObjectRef } from './client.ts';
export { type ControllerOptions, startControllers } from './controllers/start.ts';
export { ApiProblem } from './http/problem.ts';
export type { ApiAnswer, ApiRequest } from './http/request.ts';
export { type ApiServer, type ApiServerParts, serveApi } from './http/server.ts';
export type { JsonObject } from './json.ts';
export { type Journal, openJournal } from './store/journal.ts';
