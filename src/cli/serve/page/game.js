// A game that can be taken back: its moves, and those that were undone.
//
//     moves     4 4 5 | 3 2
//                     ^ at: the position shown; what follows can be redone

import { letters } from './notation.js';
import { Position } from './rules.js';

export class Game {
  #columns = [];
  #positions;
  #at = 0;

  constructor(board) {
    this.#positions = [Position.empty(board)];
  }

  get position() {
    return this.#positions[this.#at];
  }

  get columns() {
    return this.#columns.slice(0, this.#at);
  }

  /** The moves as text. */
  get moves() {
    return letters(this.columns);
  }

  /** Plays a move. One that was just undone is redone, and what followed it is kept. */
  play(column) {
    if (this.#columns[this.#at] !== column) {
      this.#columns.splice(this.#at, Infinity, column);
      this.#positions.splice(this.#at + 1, Infinity, this.position.play(column));
    }
    this.#at += 1;
  }

  /** How many moves `undo` takes back to reach a turn of `player`; 0 if it never had one. */
  movesBack(player) {
    return this.#movesTo(player, -1);
  }

  /** How many moves `redo` plays to reach a turn of `player`, or else the end. */
  movesForward(player) {
    return this.#movesTo(player, 1) || this.#columns.length - this.#at;
  }

  #movesTo(player, step) {
    for (let at = this.#at + step; this.#positions[at]; at += step) {
      if (player === null || this.#positions[at].mover === player) return Math.abs(at - this.#at);
    }
    return 0;
  }

  undo(count) {
    this.#at -= count;
  }

  redo(count) {
    this.#at += count;
  }

  /** Goes to the end of these moves. If they begin the game that is there, the rest is undone. */
  load(columns) {
    const begins = columns.every((column, at) => column === this.#columns[at]);
    if (!begins) this.clear();
    this.#at = 0;
    columns.forEach((column) => this.play(column));
  }

  clear() {
    this.#at = 0;
    this.#columns.length = 0;
    this.#positions.length = 1;
  }
}
