// Keeps what is known of the position shown, and of no other.
//
// Each position has a request of its own. It is called off as soon as another position is shown,
// so an answer that arrives late is dropped.

import { patiently, watch } from './api.js';

const SLOW_AFTER = 1000;
const REMEMBERED = 1000;
const WHO = 'values';

/** The record so far, or null; whether more is to come, takes long, or has to wait. */
const NOTHING = { record: null, isAsking: false, isSlow: false, isStuck: false };

export class Analysis {
  #trouble;
  #onChange;
  #request = null;
  #moves = null;
  #answers = new Map();

  constructor(trouble, onChange) {
    this.#trouble = trouble;
    this.#onChange = onChange;
    this.knowledge = NOTHING;
  }

  /** Finds out about a position, unless that is being done. */
  ask(moves) {
    if (moves === this.#moves) return;
    this.stop();
    this.#moves = moves;
    const answer = this.#answers.get(moves);
    if (answer) {
      this.knowledge = { ...NOTHING, record: answer };
    } else {
      this.#search(moves);
    }
  }

  /** Asks once more, for what the time did not suffice. */
  askAgain(moves) {
    this.stop();
    this.ask(moves);
  }

  /** Forgets the position, and what was asked of it. */
  stop() {
    this.#request?.abort();
    this.#request = null;
    this.#moves = null;
    this.knowledge = NOTHING;
  }

  /** Nothing is to be asked, so nothing can be wrong. */
  rest() {
    this.stop();
    this.#trouble.clear(WHO);
  }

  async #search(moves) {
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
      for await (const record of watch(moves, signal)) {
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
    this.#remember(moves);
    change({ isAsking: false, isSlow: false, isStuck: false });
  }

  /** Keeps an answer that is complete. */
  #remember(moves) {
    const { record } = this.knowledge;
    const isComplete = record.columns.every((worth) => worth === null || worth.score !== null);
    if (!isComplete) return;
    if (this.#answers.size === REMEMBERED) this.#answers.delete(this.#answers.keys().next().value);
    this.#answers.set(moves, record);
  }
}
