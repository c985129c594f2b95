// The computer as a player.
//
// It answers a move, a new game, another level or side. A reader who undoes, goes back or steps
// through a line wants to look around: then it waits until it is told to move.

import { move } from './source.js';
import { patiently } from './trouble.js';
import { FIRST, other } from './rules.js';

export const NOBODY = 0;

/** So that its stone does not fall before the one it answers has come to rest. */
const SHORTEST_THOUGHT = 600;
const SLOW_AFTER = 1500;
const WHO = 'computer';

const LEVELS = [
  'Two people play, taking turns.',
  'Level 1 sees only its own fours.',
  'Level 2 sees the fours of both players, one move ahead.',
  'Level 3 looks 4 moves ahead.',
  'Level 4 looks 6 moves ahead.',
  'Level 5 is perfect: it never errs.',
];

export class Opponent {
  #trouble;
  #onChange;
  #request = null;

  constructor(trouble, onChange) {
    this.#trouble = trouble;
    this.#onChange = onChange;
    this.level = NOBODY;
    /** Which player the reader is. */
    this.you = FIRST;
    this.isSlow = false;
  }

  get isThere() {
    return this.level !== NOBODY;
  }

  get isThinking() {
    return this.#request !== null;
  }

  /** Does it wait for the server, so that the reader may as well move for it? */
  get isStuck() {
    return this.#trouble.has(WHO);
  }

  get description() {
    return LEVELS[this.level];
  }

  plays(player) {
    return this.isThere && player === other(this.you);
  }

  /** Thinks about a position, and calls `onMove` with a column unless it is stopped. */
  async think(question, onMove) {
    this.stop();
    const request = new AbortController();
    const { signal } = request;
    this.#request = request;
    const slow = setTimeout(() => {
      this.isSlow = true;
      this.#onChange();
    }, SLOW_AFTER);
    signal.addEventListener('abort', () => clearTimeout(slow));
    const settings = { trouble: this.#trouble, who: WHO, signal, onTrouble: this.#onChange };
    try {
      const [column] = await Promise.all([
        patiently(() => move(question, this.level, signal), settings),
        new Promise((resolve) => { setTimeout(resolve, SHORTEST_THOUGHT); }),
      ]);
      if (signal.aborted) return;
      this.stop();
      onMove(column);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  stop() {
    this.#request?.abort();
    this.#request = null;
    this.isSlow = false;
    this.#trouble.clear(WHO);
  }
}
