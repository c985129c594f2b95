// The WebAssembly module inside its worker: texts of JSON go in, and texts of JSON come out.
//
// `src/lib.rs` describes the functions of the module. While it answers, it is deaf: whoever wants to
// stop it ends the worker.

/** An engine with an open board. Returns a function that answers a question by calling `tell`. */
export async function start(module, opening) {
  let listener = () => {};
  let exports = null;
  const text = (from, length) => {
    const bytes = new Uint8Array(exports.memory.buffer, from, length);
    return new TextDecoder().decode(bytes);
  };
  const host = {
    now: () => performance.now(),
    tell: (from, length) => listener(text(from, length)),
  };
  ({ exports } = await WebAssembly.instantiate(module, { host }));
  const ask = (question, tell) => {
    const bytes = new TextEncoder().encode(question);
    // The memory may move while the module makes room.
    const at = exports.bytes_for(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    listener = tell;
    exports.ask();
  };
  let opened = null;
  ask(opening, (answer) => { opened = answer; });
  return { opened, ask };
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
      let last = null;
      engine.ask(question, (answer) => {
        if (last !== null) send({ grown: last });
        last = answer;
      });
      send({ last });
    } catch (error) {
      send({ broken: String(error) });
    }
  });
}
