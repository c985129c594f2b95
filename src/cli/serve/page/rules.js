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
    const stacks = Array.from({ length: board.width }, () => []);
    return new Position(board, stacks, 0, null, []);
  }

  constructor(board, stacks, stones, last, fours) {
    this.board = board;
    /** For each column its stones, from the bottom. */
    this.stacks = stacks;
    this.stones = stones;
    /** The cell of the last stone; null on the empty board. */
    this.last = last;
    /** The rows of four or more that the last stone completed, each a list of cells. */
    this.fours = fours;
  }

  get mover() {
    return this.stones % 2 === 0 ? FIRST : SECOND;
  }

  get winner() {
    return this.fours.length > 0 ? this.stoneAt(this.last.column, this.last.row) : null;
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
