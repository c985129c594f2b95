// Moves as text and as buttons. The game is a text to read, to edit, to copy and to paste, and in
// the address bar: `#4453`. Addresses of connect4.gamesolver.org have it as `?pos=4453`. The best
// line from there is buttons.

import { NotationError, PLAYERS, gameIn, parse } from './game.js';

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

/**
 * The best line, as moves to click and to step through.
 *
 * It stays where it was found while the reader walks along it, and is replaced when the reader
 * leaves it:
 *
 *     game   4 4 5 | 3 4 4 4 6 ...     found after 4 4 5
 *                       ^ at           two moves of it are on the board
 */
export class Line {
  #list;
  #note;
  #back;
  #forward;
  #onStep;
  #start = '';
  #moves = '';
  #stones = 0;
  #at = 0;
  #drawn = null;

  /** `onStep` is called with the name of the game to go to. */
  constructor(root, onStep) {
    this.#list = root.querySelector('ol');
    this.#note = root.querySelector('p');
    [this.#back, this.#forward] = root.querySelectorAll('.steps button');
    this.#onStep = onStep;
    this.#back.addEventListener('click', () => this.step(-1));
    this.#forward.addEventListener('click', () => this.step(1));
  }

  /** Shows the line through a position; `knowledge` is null while values are hidden. */
  show(name, position, knowledge) {
    const { isOver, stones } = position;
    this.#follow(name, knowledge?.record?.line ?? '');
    this.#stones = stones - this.#at;
    const isHidden = knowledge === null;
    this.#draw(isHidden);
    this.#back.setAttribute('aria-disabled', String(isHidden || this.#at === 0));
    this.#forward.setAttribute('aria-disabled', String(isHidden || this.#at === this.#moves.length));
    this.#note.textContent = isHidden ? 'Hidden, like the values.' : this.#remark(isOver, knowledge);
    this.#note.hidden = this.#note.textContent === '';
  }

  #follow(moves, found) {
    const whole = this.#start + this.#moves;
    const isOnIt = moves.startsWith(this.#start) && whole.startsWith(moves) && this.#moves !== '';
    const isAtEnd = isOnIt && moves === whole;
    if (isAtEnd) {
      this.#moves += found;
    } else if (!isOnIt || (moves === this.#start && found !== '')) {
      this.#start = moves;
      this.#moves = found;
    }
    this.#at = moves.length - this.#start.length;
  }

  #remark(isOver, knowledge) {
    if (this.#moves !== '') return '';
    if (isOver) return 'The game is over.';
    if (knowledge.isStuck) return 'It waits for the server.';
    return knowledge.isAsking ? 'Searching …' : 'No line was found in time.';
  }

  #draw(isHidden) {
    const moves = isHidden ? '' : this.#moves;
    const drawn = `${this.#start}/${this.#stones}/${moves}`;
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#list.replaceChildren(...Array.from(moves, (name, at) => this.#item(name, at)));
    }
    [...this.#list.children].forEach(({ firstChild: button }, at) => {
      button.classList.toggle('played', at < this.#at);
      if (at + 1 === this.#at) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
  }

  #item(name, at) {
    const place = this.#stones + at;
    const player = PLAYERS[place % 2];
    const button = document.createElement('button');
    button.type = 'button';
    button.className = player.kind;
    button.textContent = name;
    button.setAttribute('aria-label', `Move ${place + 1}, ${player.name}, column ${name}`);
    button.addEventListener('click', () => this.#go(at + 1));
    const item = document.createElement('li');
    item.append(button);
    return item;
  }

  /** One move further along the line, or back. */
  step(by) {
    const button = by < 0 ? this.#back : this.#forward;
    if (button.getAttribute('aria-disabled') === 'false') this.#go(this.#at + by);
  }

  #go(at) {
    this.#onStep(this.#start + this.#moves.slice(0, at));
  }
}
