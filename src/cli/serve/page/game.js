// Games: as text, and as one that is being played.
//
// `4453` has a digit for each move, columns from 1 at the left. Wide boards go on with letters:
// column 10 is `a`. Errors say which move is wrong, in the words of the command line.
//
// A game that is being played can be taken back:
//
//     moves     4 4 5 | 3 2
//                     ^ at: the position shown; what follows can be redone

import { PLAYERS, Position } from './rules.js';

/** Text that is no game. */
export class NotationError extends Error {}

/** The character of a column. */
export function letter(column) {
  return (column + 1).toString(36);
}

export function letters(columns) {
  return columns.map(letter).join('');
}

/** The column that a character stands for; null if the board has none of that name. */
export function columnOf(character, board) {
  if (!/^[1-9a-z]$/i.test(character)) return null;
  const column = parseInt(character, 36) - 1;
  return column < board.width ? column : null;
}

/** The moves that an address names, as `#4453` or as connect4.gamesolver.org does: `?pos=4453`. */
export function movesIn(address) {
  const [, moves] = address.match(/#(.+)$/) ?? address.match(/[?&]pos=([^&#]*)/) ?? [null, ''];
  try {
    return decodeURIComponent(moves);
  } catch {
    return moves;
  }
}

/** The columns of a game, with commas or blanks between them if you like, or of a link to one. */
export function parse(text, board) {
  const moves = /[#?]/.test(text) ? movesIn(text) : text;
  const parts = moves.split(/[\s,]+/).filter(Boolean);
  const ambiguous = board.width > 9 && parts.length > 1
    && parts.find((part) => /^\d{2,}$/.test(part));
  if (ambiguous) {
    throw new NotationError(`‘${ambiguous}’ may be one column or two: `
      + 'write columns from the tenth on as a, b, c …');
  }
  const columns = [];
  let position = Position.empty(board);
  for (const character of parts.join('')) {
    const place = columns.length + 1;
    const column = columnOf(character, board);
    if (column === null) {
      throw new NotationError(`Move ${place} is ‘${character}’: `
        + `expected a column from 1 to ${letter(board.width - 1)}.`);
    }
    if (!position.canPlay(column)) {
      throw new NotationError(`Move ${place} is ‘${character}’, but ${refusal(position, column)}.`);
    }
    position = position.play(column);
    columns.push(column);
  }
  return columns;
}

/** Why a stone cannot be dropped there. */
export function refusal(position, column) {
  if (position.winner !== null) {
    return `the game is over: ${PLAYERS[position.winner].name} has four in a row`;
  }
  return `column ${letter(column)} is full`;
}

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
