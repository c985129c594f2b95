// The dialog that explains values and keys.

import { letter } from './notation.js';
import { needsShift } from './keys.js';

/** Fills the dialog, and returns a function that opens it. */
export function prepare(dialog, board) {
  const shift = needsShift(board) ? 'Shift ' : '';
  const command = (key) => `${shift}${shift ? key.toUpperCase() : key}`;
  const keys = {
    [`1 – ${letter(board.width - 1)}`]: 'Play a column',
    '← →': 'Choose a column; Enter plays it',
    [command('u')]: 'Undo',
    [command('r')]: 'Redo',
    [command('n')]: 'New game',
    [command('f')]: 'Flip sides: the computer takes yours',
    [command('v')]: 'Hide or show values',
    ', .': 'Step back and forward along the best line',
    '?': 'This help',
  };
  const list = dialog.querySelector('#keys');
  for (const [key, meaning] of Object.entries(keys)) {
    const name = document.createElement('dt');
    const names = key.split(' ').map((part) => {
      if (part === '–') return ' – ';
      return Object.assign(document.createElement('kbd'), { textContent: part });
    });
    name.append(...names);
    list.append(name, Object.assign(document.createElement('dd'), { textContent: meaning }));
  }
  dialog.querySelector('#close-help').addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    // Only the backdrop is the dialog itself.
    if (event.target === dialog) dialog.close();
  });
  return () => dialog.showModal();
}
