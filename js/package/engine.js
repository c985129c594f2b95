// The WebAssembly module inside its worker: texts of JSON go in, and texts of JSON come out.
//
// `src/lib.rs` describes the functions of the module. While it answers, it is deaf: whoever wants to
// stop it ends the worker.

/** An engine whose board is open: `opened` says which, `ask` answers questions. */
async function start(module, opening) {
  let onGrown = null;
  let answer = null;
  let exports = null;
  const text = (from, length) => {
    const bytes = new Uint8Array(exports.memory.buffer, from, length);
    return new TextDecoder().decode(bytes);
  };
  const host = {
    now: () => performance.now(),
    grow: (from, length) => onGrown(text(from, length)),
    tell: (from, length) => { answer = text(from, length); },
  };
  ({ exports } = await WebAssembly.instantiate(module, { host }));
  const ask = (question, grown) => {
    const bytes = new TextEncoder().encode(question);
    // The memory may move while the module makes room.
    const at = exports.bytes_for(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    onGrown = grown;
    exports.ask();
    return answer;
  };
  return { opened: ask(opening), ask };
}

/** Runs in a worker: `listen` receives messages, `send` answers them. */
export function serve(listen, send) {
  let engine = null;
  listen(async ({ module, opening, question }) => {
    try {
      if (module) {
        engine = await start(module, opening);
        send({ last: engine.opened });
        return;
      }
      send({ last: engine.ask(question, (grown) => send({ grown })) });
    } catch (error) {
      send({ broken: String(error) });
    }
  });
}
