// What the reader controls besides the board: the keys of the whole page, with the dialog that
// explains them, and the choices that the browser remembers.
//
// Columns have the keys of their names. On boards wider than nine columns, letters are columns
// too, so the commands take Shift there.
//
// Values and colours are remembered; the opponent is that of the tab, so that a shared link begins
// without.

import { columnOf, letter } from './game.js';

const SIGNS = { ',': 'stepBack', '.': 'stepForward', '?': 'help' };
const LETTERS = { u: 'undo', r: 'redo', n: 'new', f: 'flip', v: 'values' };

/** Whether commands need Shift, since their letters are columns. */
function needsShift(board) {
  return board.width > 9;
}

/** Listens to the keys. `commands` has a function for each name above, `play`, and `focus`. */
export function listenToKeys(board, commands) {
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

/** Fills the help dialog, and returns a function that opens it. */
export function explainKeys(dialog, board) {
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

/** A choice that was stored, if it is still one of `choices`. */
export function recall(name, choices, storage = 'localStorage') {
  try {
    const found = window[storage].getItem(`strong4.${name}`);
    return choices.includes(found) ? found : null;
  } catch {
    // Browsers that are told to store nothing refuse even to look.
    return null;
  }
}

export function store(name, choice, storage = 'localStorage') {
  try {
    window[storage].setItem(`strong4.${name}`, choice);
  } catch {
    // Then it is forgotten with the page.
  }
}

const THEMES = { system: 'as the system', light: 'light', dark: 'dark' };

/** Makes a button go through the themes: as the system has it, light, dark. */
export function switchThemes(button) {
  const names = Object.keys(THEMES);
  let theme = recall('theme', names) ?? 'system';
  const show = () => {
    document.documentElement.dataset.theme = theme;
    button.setAttribute('aria-label', `Colours: ${THEMES[theme]}`);
    button.title = `Colours: ${THEMES[theme]}`;
  };
  button.addEventListener('click', () => {
    theme = names[(names.indexOf(theme) + 1) % names.length];
    store('theme', theme);
    show();
  });
  show();
}
