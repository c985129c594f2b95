// Keeps what is known of the position shown, and of no other.
//
// Each position has a request of its own. It is called off as soon as another position is shown,
// so an answer that arrives late is dropped.

import { watch } from './source.js';
import { patiently } from './trouble.js';

const SLOW_AFTER = 1000;
const REMEMBERED = 1000;
const WHO = 'values';

/** The record so far, or null; whether more is to come, takes long, or has to wait. */
const NOTHING = { record: null, isAsking: false, isSlow: false, isStuck: false };

export class Analysis {
  #trouble;
  #onChange;
  #request = null;
  #name = null;
  #answers = new Map();

  constructor(trouble, onChange) {
    this.#trouble = trouble;
    this.#onChange = onChange;
    this.knowledge = NOTHING;
  }

  /** Finds out about the position of a game, unless that is being done. */
  ask(game) {
    const { name, question } = game;
    if (name === this.#name) return;
    this.stop();
    this.#name = name;
    const answer = this.#answers.get(name);
    if (answer) {
      this.knowledge = { ...NOTHING, record: answer };
    } else {
      this.#search(name, question);
    }
  }

  /** Asks once more, for what the time did not suffice. */
  askAgain(game) {
    this.stop();
    this.ask(game);
  }

  /** Forgets the position, and what was asked of it. */
  stop() {
    this.#request?.abort();
    this.#request = null;
    this.#name = null;
    this.knowledge = NOTHING;
  }

  /** Nothing is to be asked, so nothing can be wrong. */
  rest() {
    this.stop();
    this.#trouble.clear(WHO);
  }

  async #search(name, question) {
    const request = new AbortController();
    const { signal } = request;
    this.#request = request;
    this.knowledge = { ...NOTHING, isAsking: true };
    const change = (news) => {
      this.knowledge = { ...this.knowledge, ...news };
      this.#onChange();
    };
    const slow = setTimeout(() => change({ isSlow: true }), SLOW_AFTER);
    signal.addEventListener('abort', () => clearTimeout(slow));
    const ask = async () => {
      for await (const record of watch(question, signal)) {
        if (signal.aborted) return;
        change({ record, isStuck: false });
      }
    };
    try {
      const onTrouble = () => change({ isStuck: true });
      await patiently(ask, { trouble: this.#trouble, who: WHO, signal, onTrouble });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (signal.aborted) return;
    clearTimeout(slow);
    this.#remember(name);
    change({ isAsking: false, isSlow: false, isStuck: false });
  }

  /** Keeps an answer that is complete. */
  #remember(name) {
    const { record } = this.knowledge;
    const isComplete = record.columns.every((worth) => worth === null || worth.score !== null);
    if (!isComplete) return;
    if (this.#answers.size === REMEMBERED) this.#answers.delete(this.#answers.keys().next().value);
    this.#answers.set(name, record);
  }
}
