// The moves as text: to read, to edit, to copy and to paste, and in the address bar: `#4453`.
// Addresses of connect4.gamesolver.org have them as `?pos=4453`.

import { NotationError, gameIn, parse } from './game.js';

export class MovesField {
  #input;
  #error;
  #said;
  #board;
  #onLoad;
  #shown = null;

  /** `onLoad` is called with a game that the reader has entered. */
  constructor(root, board, onLoad) {
    this.#input = root.querySelector('input');
    this.#error = root.querySelector('.error');
    this.#said = root.querySelector('.said');
    this.#board = board;
    this.#onLoad = onLoad;
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#load(this.#input.value);
      if (this.#error.textContent !== '') this.#input.focus();
    });
    root.querySelector('#copy-moves').addEventListener('click', () => {
      this.#copy(this.#input.value, 'Moves copied');
    });
    root.querySelector('#copy-link').addEventListener('click', () => {
      this.#copy(location.href, 'Link copied');
    });
    addEventListener('paste', (event) => {
      const text = event.clipboardData.getData('text').trim();
      if (text === '' || event.target === this.#input) return;
      // The focus stays: digits typed next are columns to play, not text.
      this.#load(text);
      this.#error.scrollIntoView({ block: 'nearest' });
    });
  }

  /** Shows the moves. As long as they stay the same, what the reader types is left alone. */
  show(moves) {
    if (moves === this.#shown) return;
    this.#shown = moves;
    this.#input.value = moves;
    this.#complain('');
    this.#said.textContent = '';
  }

  #load(text) {
    try {
      const game = parse(text, this.#board);
      this.#shown = null;
      this.#onLoad(game);
    } catch (error) {
      if (!(error instanceof NotationError)) throw error;
      this.#input.value = text;
      this.#complain(error.message);
    }
  }

  #complain(message) {
    this.#error.textContent = message;
    this.#input.setAttribute('aria-invalid', String(message !== ''));
  }

  async #copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      this.#said.textContent = done;
    } catch {
      // Browsers offer no clipboard to pages that come over plain HTTP from another machine.
      this.#said.textContent = `Copy this: ${text}`;
      getSelection().selectAllChildren(this.#said);
    }
  }
}

/** The moves in the address. */
function moves() {
  return gameIn(location.href);
}

/** Where the page has another board, the address keeps it. */
function link(text) {
  const board = new URLSearchParams(location.search).get('board');
  const page = board === null ? location.pathname : `${location.pathname}?board=${encodeURIComponent(board)}`;
  return text === '' ? page : `${page}#${text}`;
}

function push(text) {
  if (text !== moves()) history.pushState(null, '', link(text));
}

/** Puts the moves in the place of those that are there, so that the back button passes them by. */
function replace(text) {
  history.replaceState(null, '', link(text));
}

/** Calls back when the reader goes back or forward, or edits the address. */
function onVisit(callback) {
  addEventListener('popstate', callback);
  addEventListener('hashchange', callback);
}

/** The game in the address bar. Each change is a step of the browser's history. */
export const address = { moves, push, replace, onVisit };
