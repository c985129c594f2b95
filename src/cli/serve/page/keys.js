// Keys of the whole page.
//
// Columns have the keys of their names. On boards wider than nine columns, letters are columns
// too, so the commands take Shift there.

import { columnOf } from './notation.js';

const SIGNS = { ',': 'stepBack', '.': 'stepForward', '?': 'help' };
const LETTERS = { u: 'undo', r: 'redo', n: 'new', f: 'flip', v: 'values' };

/** Do commands need Shift, since their letters are columns? */
export function needsShift(board) {
  return board.width > 9;
}

/** Listens to the keys. `commands` has a function for each name above, `play`, and `focus`. */
export function listen(board, commands) {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isTyping(event.target) || document.querySelector('dialog[open]')) {
      return;
    }
    const action = actionOf(event, board);
    if (action === null) return;
    const [name, argument] = action;
    event.preventDefault();
    commands[name](argument);
  });
}

function isTyping(element) {
  return element.matches('input:not([type=radio], [type=checkbox]), textarea, select');
}

function actionOf(event, board) {
  const { key } = event;
  const moves = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) {
    if (key.toLowerCase() === 'z') return [event.shiftKey ? 'redo' : 'undo'];
    return key === 'y' ? ['redo'] : null;
  }
  if (key in moves && !event.target.matches('input')) return ['focus', moves[key]];
  // A key held down is no second move.
  if (event.repeat) return null;
  if (key in SIGNS) return [SIGNS[key]];
  const command = LETTERS[key.toLowerCase()];
  if (command && (event.shiftKey || !needsShift(board))) return [command];
  const column = key.length === 1 ? columnOf(key, board) : null;
  return column === null ? null : ['play', column];
}
