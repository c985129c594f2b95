// The package in a browser: the module is fetched from beside this file.

import { solvers } from './solver.js';

export const Solver = solvers({
  compile: async () => {
    const response = await fetch(new URL('./strong4.wasm', import.meta.url));
    if (!response.ok) throw new Error(`cannot load strong4.wasm: status ${response.status}`);
    // Not while it arrives: some file servers do not know the type of such files.
    return WebAssembly.compile(await response.arrayBuffer());
  },
  startWorker: (onMessage, onError) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => onMessage(data);
    worker.onerror = (event) => onError(event.message);
    return {
      send: (message) => worker.postMessage(message),
      end: () => worker.terminate(),
      keepAlive: () => {},
    };
  },
});
