// Sets up a position: stones of either colour go into columns, in any order, and out again.
//
// While it is being set up, the board shows it in place of the game. Whether a game leads there is
// found out at the end: the numbers of stones are counted here, the rest is asked for.

import { PLAYERS, Position } from './game.js';
import { check } from './source.js';

const REMOVE = 2;

export class SetUp {
  #root;
  #begin;
  #error;
  #stacks = null;
  #board;
  #onChange;
  #onDone;

  /** `onChange` is called when the board looks different, `onDone` with a position to play from. */
  constructor(root, board, { onChange, onDone }) {
    this.#root = root;
    this.#begin = root.querySelector('#set-up');
    this.#error = root.querySelector('.error');
    this.#board = board;
    this.#onChange = onChange;
    this.#onDone = onDone;
    root.querySelector('#set-up-clear').addEventListener('click', () => this.#take([]));
    root.querySelector('#set-up-done').addEventListener('click', () => this.#finish());
    root.querySelector('#set-up-cancel').addEventListener('click', () => this.cancel());
    this.#show();
  }

  /** The position that is being set up; null while the game is shown. */
  get position() {
    return this.#stacks && Position.of(this.#board, this.#stacks);
  }

  /** Begins with the stones of a position. */
  begin(position) {
    this.#take(position.stacks);
    this.#root.querySelector('input').focus();
  }

  cancel() {
    if (this.#stacks === null) return;
    this.#stacks = null;
    this.#show();
    this.#onChange();
    this.#begin.focus();
  }

  /** Puts the chosen stone into a column, or takes the topmost one out. */
  change(column) {
    const stack = this.#stacks[column];
    const chosen = Number(this.#root.querySelector('input:checked').value);
    if (chosen === REMOVE) {
      this.#take(this.#stacks.with(column, stack.slice(0, -1)));
    } else if (stack.length < this.#board.height) {
      this.#take(this.#stacks.with(column, [...stack, chosen]));
    } else {
      this.#complain('That column is full.');
    }
  }

  #take(stacks) {
    this.#stacks = Array.from({ length: this.#board.width }, (_, column) => stacks[column] ?? []);
    this.#show();
    this.#onChange();
  }

  #show() {
    const isActive = this.#stacks !== null;
    this.#begin.hidden = isActive;
    for (const part of this.#root.querySelectorAll('.while-setting-up')) part.hidden = !isActive;
    this.#complain('');
  }

  #complain(reason) {
    this.#error.textContent = reason;
  }

  async #finish() {
    const { position } = this;
    const counts = [0, 1].map((player) => position.stacks.flat().filter((it) => it === player).length);
    const extra = counts[0] - counts[1];
    if (extra !== 0 && extra !== 1) {
      const [red, yellow] = counts.map((count, player) => stones(count, PLAYERS[player].name));
      this.#complain(`${red} and ${yellow}: Red begins, so Red has as many as Yellow, or one more.`);
      return;
    }
    try {
      await check(String(position.key));
    } catch (error) {
      this.#complain(inColours(error.message) || 'The server does not answer: try again.');
      return;
    }
    if (this.position?.key !== position.key) return;
    this.#stacks = null;
    this.#show();
    this.#onDone(position);
  }
}

function stones(count, name) {
  return `${count} ${name} ${count === 1 ? 'stone' : 'stones'}`;
}

/** The reason why a key is the key of no position, with the colours of the page. */
function inColours(message) {
  const reason = message.replace(/^.*: (?=[^:]*$)/, '');
  const named = reason.replace(/\bX\b/g, PLAYERS[0].name).replace(/\bO\b/g, PLAYERS[1].name);
  return named && `${named[0].toUpperCase()}${named.slice(1)}.`;
}
