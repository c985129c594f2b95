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

/** The game that an address names, as text: `#4453`, or `?pos=4453` as on connect4.gamesolver.org. */
export function gameIn(address) {
  const [, text] = address.match(/#(.+)$/) ?? address.match(/[?&]pos=([^&#]*)/) ?? [null, ''];
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const SET_UP = /^key=(\d+)(?:&moves=(.*))?$/;

/**
 * A game as text, or a link to one: columns, with commas or blanks between them if you like, or
 * `key=…&moves=…` for one that begins with stones that were set up. Returns the position at its
 * start, and its columns.
 */
export function parse(text, board) {
  const game = /^\s*key=/.test(text) || !/#|[?&]pos=/.test(text) ? text.trim() : gameIn(text);
  const [, key, moves] = game.match(SET_UP) ?? [null, null, game];
  const start = key === null ? Position.empty(board) : Position.withKey(board, BigInt(key));
  if (start === null) throw new NotationError(`${key} is the key of no position.`);
  const parts = (moves ?? '').split(/[\s,]+/).filter(Boolean);
  const ambiguous = board.width > 9 && parts.length > 1
    && parts.find((part) => /^\d{2,}$/.test(part));
  if (ambiguous) {
    throw new NotationError(`‘${ambiguous}’ may be one column or two: `
      + 'write columns from the tenth on as a, b, c …');
  }
  const columns = [];
  let position = start;
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
  return { start, columns };
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

  /** The moves as text, from the start to the position shown. */
  get moves() {
    return letters(this.#columns.slice(0, this.#at));
  }

  /** The same with the moves that can be redone. */
  get allMoves() {
    return letters(this.#columns);
  }

  /** The position at the start. */
  get start() {
    return this.#positions[0];
  }

  /** Whether it began with stones that were set up. */
  get isSetUp() {
    return this.start.stones > 0;
  }

  /** The game as `parse` reads it; the moves are at its end. */
  get name() {
    return this.nameOf(this.moves);
  }

  nameOf(moves) {
    return this.isSetUp ? `key=${this.start.key}&moves=${moves}` : moves;
  }

  /** The position shown, as answers are asked for. */
  get question() {
    return this.isSetUp ? { key: String(this.position.key) } : { moves: this.moves };
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

  /** Goes to the end of a game. If it begins the one that is there, the rest is undone. */
  load({ start, columns }) {
    const begins = start.key === this.start.key
      && columns.every((column, at) => column === this.#columns[at]);
    if (!begins) {
      this.#columns.length = 0;
      this.#positions = [start];
    }
    this.#at = 0;
    columns.forEach((column) => this.play(column));
  }

  /** Begins again with an empty board. */
  clear() {
    this.load({ start: Position.empty(this.start.board), columns: [] });
    this.#columns.length = 0;
    this.#positions.length = 1;
  }
}
