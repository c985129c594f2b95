// What is wrong with the source of answers, shown to the reader; and asking again.
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

/** Asks for one thing at a time, until it is answered or no longer asked for. */
export class Asker {
  #who;
  #trouble;
  #slowAfter;
  #onChange;
  #request = null;

  /** `who` names it, for the box. `onChange` is called when an answer takes long, or has to wait. */
  constructor(who, { trouble, slowAfter = Infinity, onChange = () => {} }) {
    this.#who = who;
    this.#trouble = trouble;
    this.#slowAfter = slowAfter;
    this.#onChange = onChange;
    this.isSlow = false;
    this.isStuck = false;
  }

  get isAsking() {
    return this.#request !== null;
  }

  /** The answer of `ask`, which gets a signal; null once something else is asked, or nothing. */
  async ask(ask) {
    this.stop();
    const request = new AbortController();
    const { signal } = request;
    this.#request = request;
    const change = (what) => () => {
      this[what] = true;
      this.#onChange();
    };
    if (Number.isFinite(this.#slowAfter)) {
      const slow = setTimeout(change('isSlow'), this.#slowAfter);
      signal.addEventListener('abort', () => clearTimeout(slow));
    }
    const settings = { trouble: this.#trouble, who: this.#who, signal, onTrouble: change('isStuck') };
    try {
      const answer = await patiently(() => ask(signal), settings);
      if (signal.aborted) return null;
      this.stop();
      return answer;
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }

  stop() {
    this.#request?.abort();
    this.#request = null;
    this.isSlow = false;
    this.isStuck = false;
  }

  /** Takes back what it told of its trouble, once nothing is to be asked. */
  forget() {
    this.#trouble.clear(this.#who);
  }
}
