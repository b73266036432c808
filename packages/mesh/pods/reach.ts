// Loaded before a function, only by a mesh that runs Pods: a connection to the address of a Pod leads to its process.
import { Agent } from 'node:http';
import { podHere } from './addresses.ts';

const { createConnection } = Agent.prototype;

Agent.prototype.createConnection = function connectHere(options, callback) {
  const host = podHere(options.host ?? '');
  return createConnection.call(this, host === undefined ? options : { ...options, host }, callback);
};
