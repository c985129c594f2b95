// The package in Node: the module is read from beside this file. A worker without a question does not
// keep the program alive.

import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { solvers } from './solver.js';

export const Solver = solvers({
  compile: async () => WebAssembly.compile(await readFile(new URL('./strong4.wasm', import.meta.url))),
  startWorker: (onMessage, onError) => {
    // Options such as --input-type are the program's, not the worker's.
    const worker = new Worker(new URL('./node-worker.js', import.meta.url), { execArgv: [] });
    worker.on('message', onMessage);
    worker.on('error', (error) => onError(error.message));
    return {
      send: (message) => worker.postMessage(message),
      end: () => { worker.terminate(); },
      keepAlive: (isNeeded) => (isNeeded ? worker.ref() : worker.unref()),
    };
  },
});
