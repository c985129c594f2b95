// Games as text: `4453`, a digit for each move, columns from 1 at the left. Wide boards go on
// with letters: column 10 is `a`.
//
// Errors say which move is wrong, in the words of the command line.

import { PLAYERS } from './players.js';
import { Position } from './rules.js';

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

/** The columns of a game, with commas or blanks between them if you like, or of a link to one. */
export function parse(text, board) {
  const parts = text.replace(/^[^#]*#/, '').split(/[\s,]+/).filter(Boolean);
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
