// The rules: stones fall to the lowest free cell of a column, and four in a row win.
//
// The page knows them itself, so a move is drawn at once and two can play without the server.
// Columns and rows count from 0, at the left and at the bottom.
//
// Each player has a colour, and a mark on its stones for those who cannot tell the colours apart:
// a cross for X of the command line, a ring for O.

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
