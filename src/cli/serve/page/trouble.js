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
