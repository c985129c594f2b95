// What is asked for the position shown: how good its moves are, and the move of the computer.
//
// Each position has a request of its own. It is called off as soon as another position is shown,
// so an answer that arrives late is dropped.

import { FIRST, other } from './game.js';
import { move, watch } from './source.js';
import { Asker } from './trouble.js';

const REMEMBERED = 1000;

/** Keeps what is known of the position shown, and of no other. */
export class Analysis {
  #asker;
  #onChange;
  #name = null;
  #record = null;
  #answers = new Map();

  constructor(trouble, onChange) {
    this.#asker = new Asker('values', { trouble, onChange, slowAfter: 1000 });
    this.#onChange = onChange;
  }

  /** The record so far, or null; whether more is to come, takes long, or has to wait. */
  get knowledge() {
    const { isAsking, isSlow, isStuck } = this.#asker;
    return { record: this.#record, isAsking, isSlow, isStuck };
  }

  /** Finds out about the position of a game, unless that is being done. */
  ask(game) {
    const { name, question } = game;
    if (name === this.#name) return;
    this.#stop();
    this.#name = name;
    this.#record = this.#answers.get(name) ?? null;
    if (this.#record === null) this.#search(name, question);
  }

  /** Asks once more, for what the time did not suffice. */
  askAgain(game) {
    this.#stop();
    this.ask(game);
  }

  /** Nothing is to be asked, so nothing can be wrong. */
  rest() {
    this.#stop();
    this.#asker.forget();
  }

  /** Forgets the position, and what was asked of it. */
  #stop() {
    this.#asker.stop();
    this.#name = null;
    this.#record = null;
  }

  async #search(name, question) {
    const ask = async (signal) => {
      for await (const record of watch(question, signal)) {
        if (signal.aborted) break;
        this.#record = record;
        this.#asker.isStuck = false;
        this.#onChange();
      }
      return this.#record;
    };
    const record = await this.#asker.ask(ask);
    if (record === null) return;
    const isComplete = record.columns.every((worth) => worth === null || worth.score !== null);
    if (isComplete) this.#remember(name, record);
    this.#onChange();
  }

  #remember(name, record) {
    if (this.#answers.size === REMEMBERED) this.#answers.delete(this.#answers.keys().next().value);
    this.#answers.set(name, record);
  }
}

export const NOBODY = 0;

/** So that its stone does not fall before the one it answers has come to rest. */
const SHORTEST_THOUGHT = 600;

const LEVELS = [
  'Two people play, taking turns.',
  'Level 1 sees only its own fours.',
  'Level 2 sees the fours of both players, one move ahead.',
  'Level 3 looks 4 moves ahead.',
  'Level 4 looks 6 moves ahead.',
  'Level 5 is perfect: it never errs.',
];

/**
 * The computer as a player. It answers a move, a new game, another level or side. A reader who undoes,
 * goes back or steps through a line wants to look around: then it waits until it is told to move.
 */
export class Opponent {
  #asker;

  constructor(trouble, onChange) {
    this.#asker = new Asker('computer', { trouble, onChange, slowAfter: 1500 });
    this.level = NOBODY;
    /** Which player the reader is. */
    this.you = FIRST;
  }

  get isThere() {
    return this.level !== NOBODY;
  }

  get isThinking() {
    return this.#asker.isAsking;
  }

  get isSlow() {
    return this.#asker.isSlow;
  }

  /** Does it wait for the server, so that the reader may as well move for it? */
  get isStuck() {
    return this.#asker.isStuck;
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
    const pause = new Promise((resolve) => { setTimeout(resolve, SHORTEST_THOUGHT); });
    const ask = async (signal) => {
      const column = await move(question, this.level, signal);
      await pause;
      return column;
    };
    const column = await this.#asker.ask(ask);
    if (column !== null) onMove(column);
  }

  stop() {
    this.#asker.stop();
    this.#asker.forget();
  }
}
