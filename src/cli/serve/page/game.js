// Games: their rules, as text, and one that is being played.
//
// Stones fall to the lowest free cell of a column, and four in a row win. The page knows the rules
// itself, so a move is drawn at once and two can play without the server. Columns and rows count from
// 0, at the left and at the bottom.
//
// Each player has a colour, and a mark on its stones for those who cannot tell the colours apart:
// a cross for X of the command line, a ring for O.
//
// As text, `4453` has a digit for each move, columns from 1 at the left. Wide boards go on with
// letters: column 10 is `a`. Errors say which move is wrong, in the words of the command line.
//
// A game that is being played can be taken back:
//
//     moves     4 4 5 | 3 2
//                     ^ at: the position shown; what follows can be redone

export const FIRST = 0;
export const SECOND = 1;

export const PLAYERS = [
  { name: 'Red', kind: 'red', mark: 'cross' },
  { name: 'Yellow', kind: 'yellow', mark: 'ring' },
];

export function other(player) {
  return 1 - player;
}

const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

/** A position; it never changes, `play` returns the next one. */
export class Position {
  static empty(board) {
    return Position.of(board, Array.from({ length: board.width }, () => []));
  }

  /** A position with these stones, for each column from the bottom, however they came there. */
  static of(board, stacks) {
    const stones = stacks.flat().length;
    const position = new Position(board, stacks, stones, null, []);
    const cells = stacks.flatMap((stack, column) => stack.map((_, row) => [column, row]));
    position.fours = cells.flatMap(([column, row]) => {
      const runs = DIRECTIONS.map((direction) => position.#run(column, row, direction));
      // Each run once, from its first cell.
      return runs.filter(([first, ...others]) => {
        return others.length >= 3 && first.column === column && first.row === row;
      });
    });
    return position;
  }

  /** The position with this key; null if it is the key of none. */
  static withKey(board, key) {
    const bits = BigInt(board.height + 1);
    const stacks = Array.from({ length: board.width }, (_, column) => {
      const code = (key >> (BigInt(column) * bits)) & ((1n << bits) - 1n);
      const ones = code & 1n ? FIRST : SECOND;
      const cells = (code >> 1n).toString(2);
      if (code >> 1n === 0n) return ones === FIRST ? [] : null;
      return Array.from(cells, (bit) => (bit === '1' ? ones : other(ones))).reverse();
    });
    const isKey = !stacks.includes(null) && key >> (BigInt(board.width) * bits) === 0n;
    return isKey ? Position.of(board, stacks) : null;
  }

  constructor(board, stacks, stones, last, fours) {
    this.board = board;
    /** For each column its stones, from the bottom. */
    this.stacks = stacks;
    this.stones = stones;
    /** The cell of the last stone; null if there was no move. */
    this.last = last;
    /** The rows of four or more, each a list of cells. */
    this.fours = fours;
  }

  /** The key, as the command line has it: bits for each column, with the guard at the bottom. */
  get key() {
    const codes = this.stacks.map((stack) => {
      const top = stack.at(-1) ?? FIRST;
      const ones = stack.map((player, row) => (player === top ? 2n ** BigInt(row) : 0n));
      return ones.reduce((code, one) => code + 2n * one, top === FIRST ? 1n : 0n);
    });
    const bits = BigInt(this.board.height + 1);
    return codes.reduce((key, code, column) => key | code << (BigInt(column) * bits), 0n);
  }

  get mover() {
    return this.stones % 2 === 0 ? FIRST : SECOND;
  }

  get winner() {
    if (this.fours.length === 0) return null;
    const [{ column, row }] = this.fours[0];
    return this.stoneAt(column, row);
  }

  get isFull() {
    return this.stones === this.board.width * this.board.height;
  }

  get isOver() {
    return this.fours.length > 0 || this.isFull;
  }

  /** Whose stone lies there; undefined for an empty cell, and for one outside the board. */
  stoneAt(column, row) {
    return this.stacks[column]?.[row];
  }

  isColumnFull(column) {
    return this.stacks[column].length === this.board.height;
  }

  canPlay(column) {
    return !this.isOver && !this.isColumnFull(column);
  }

  play(column) {
    const row = this.stacks[column].length;
    const stacks = this.stacks.with(column, [...this.stacks[column], this.mover]);
    const next = new Position(this.board, stacks, this.stones + 1, { column, row }, []);
    next.fours = DIRECTIONS.map((direction) => next.#run(column, row, direction))
      .filter((run) => run.length >= 4);
    return next;
  }

  /** The stones of one player in line with a cell, from end to end. */
  #run(column, row, [right, up]) {
    const player = this.stoneAt(column, row);
    const isOurs = (steps) => this.stoneAt(column + steps * right, row + steps * up) === player;
    let from = 0;
    let to = 0;
    while (isOurs(from - 1)) from -= 1;
    while (isOurs(to + 1)) to += 1;
    return Array.from({ length: to - from + 1 }, (_, step) => ({
      column: column + (from + step) * right,
      row: row + (from + step) * up,
    }));
  }
}

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
