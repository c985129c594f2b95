// Asks the server, and asks again when an answer fails.
//
//     api/status                      board, version, tables
//     api/watch?moves=4453            records of `strong4 query --json`, one per line, each
//                                     knowing more than the one before
//     api/move?moves=4453&level=3     the move of the computer
//
// A server that is busy names the seconds to wait. One that does not answer is asked again after
// 1, 2, 4, then every 5 seconds. Any other error waits for the reader, who has a button.

/** The server answered, but not with what was asked for. */
export class ServerError extends Error {
  constructor(message, { seconds = null } = {}) {
    super(message);
    /** After how many seconds to ask again; null if that is no use. */
    this.seconds = seconds;
  }
}

/** Nothing came back, or the answer broke off. */
export class LostError extends Error {}

export async function status() {
  return (await get('api/status')).json();
}

/** The column of the computer's move, from 0. */
export async function move(moves, level, signal) {
  const query = new URLSearchParams({ moves, level });
  const response = await get(`api/move?${query}`, signal);
  return (await unlessLost(response.json(), signal)).column - 1;
}

/** Records of a position, as more and more is known. */
export async function* watch(moves, signal) {
  const response = await get(`api/watch?${new URLSearchParams({ moves })}`, signal);
  let records = 0;
  for await (const line of lines(response.body, signal)) {
    const record = JSON.parse(line);
    if (record.error) throw new ServerError(record.error);
    if (record.moves !== moves) {
      throw new ServerError(`The server answered for the moves ‘${record.moves}’: reload the page.`);
    }
    records += 1;
    yield record;
  }
  if (records === 0) throw new LostError();
}

async function get(address, signal) {
  const response = await unlessLost(fetch(address, { signal, cache: 'no-store' }), signal);
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  const busy = response.status === 503;
  const seconds = busy ? Number(response.headers.get('Retry-After')) || 1 : null;
  throw new ServerError(error ?? `the server answered with status ${response.status}`, { seconds });
}

/** What the browser says of a broken connection differs; all of it means the same. */
async function unlessLost(promise, signal) {
  try {
    return await promise;
  } catch (error) {
    throw signal?.aborted ? error : new LostError();
  }
}

async function* lines(body, signal) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await unlessLost(reader.read(), signal);
    const whole = (rest + (value ?? '')).split('\n');
    rest = done ? '' : whole.pop();
    yield* whole.filter(Boolean);
    if (done) return;
  }
}

const LONGEST_WAIT = 5;

/** The box that tells what is wrong, with a button to try again. It is one for all who ask. */
export class Trouble {
  #box;
  #text;
  #messages = new Map();
  #waiting = new Set();

  constructor(box) {
    this.#box = box;
    this.#text = box.querySelector('p');
    box.querySelector('button').addEventListener('click', () => {
      for (const wake of [...this.#waiting]) wake();
    });
  }

  /** Is this one waiting? */
  has(who) {
    return this.#messages.has(who);
  }

  tell(who, message) {
    this.#messages.set(who, message);
    this.#show();
  }

  clear(who) {
    this.#messages.delete(who);
    this.#show();
  }

  #show() {
    const text = [...new Set(this.#messages.values())].join(' ');
    // The same words again would be read aloud again.
    if (this.#text.textContent !== text) this.#text.textContent = text;
    this.#box.hidden = text === '';
  }

  /**
   * Waits so many seconds, or until the button is pressed, and tells whether it was; without end
   * if `seconds` is null.
   */
  wait(seconds, signal) {
    return new Promise((resolve, reject) => {
      const end = (settle, result) => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal?.removeEventListener('abort', abort);
        settle(result);
      };
      const wake = () => end(resolve, true);
      const abort = () => end(reject, signal.reason);
      const late = () => end(resolve, false);
      const timer = seconds === null ? null : setTimeout(late, 1000 * seconds);
      this.#waiting.add(wake);
      signal?.addEventListener('abort', abort);
    });
  }
}

/** Runs `ask` until it succeeds. `who` names the asker, for the box. */
export async function patiently(ask, { trouble, who, signal, onTrouble = () => {} }) {
  for (let failures = 0; ; failures += 1) {
    try {
      const answer = await ask();
      trouble.clear(who);
      return answer;
    } catch (error) {
      if (signal?.aborted) throw error;
      const { message, seconds } = advice(error, failures);
      trouble.tell(who, message);
      onTrouble();
      if (await trouble.wait(seconds, signal)) trouble.tell(who, 'Trying again …');
    }
  }
}

function advice(error, failures) {
  if (error instanceof LostError) {
    const message = 'The server does not answer. You can play on; '
      + 'values and the computer are back as soon as it is.';
    return { message, seconds: Math.min(2 ** failures, LONGEST_WAIT) };
  }
  if (error.seconds) {
    const message = `The server is busy. Trying again in ${error.seconds} s …`;
    return { message, seconds: error.seconds };
  }
  return { message: `That went wrong: ${error.message}`, seconds: null };
}
