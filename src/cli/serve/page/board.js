// Draws the board, and takes clicks on its columns.
//
//     front    buttons, one for each column and its value, that do not hide anything
//              the four, when there is one
//              the plate, with a hole for each cell
//     back     the stones, which fall behind the plate
//
// The drawing is for the eye alone. Its twin for screen readers is a table.

import { PLAYERS, letter } from './game.js';

const CELL = 100;
const HOLE = 40;

export class Board {
  #size;
  #stones;
  #ghost;
  #front;
  #table;
  #drawn = new Map();
  #pointed = null;
  #position = null;
  #mayPlay = false;

  /** `onPlay` is called with a column; `root` has an element each for drawing, columns, table. */
  constructor(root, size, onPlay) {
    this.#size = size;
    this.#ghost = svg('g', { class: 'ghost' });
    this.#stones = svg('g');
    this.#front = svg('g');
    this.#table = root.querySelector('table');
    root.querySelector('.drawing').append(this.#draw());
    /** The buttons, from the left. */
    this.columns = Array.from({ length: size.width }, (_, column) => this.#button(column, onPlay));
    root.querySelector('.columns').append(...this.columns);
  }

  #draw() {
    const { width, height } = this.#size;
    const [right, bottom] = [CELL * width, CELL * height];
    const centres = this.#cells().map((cell) => this.#centre(cell));
    const holes = centres.map(([x, y]) => `M${x - HOLE} ${y}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0`
      + `a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0z`);
    const circles = (attributes) => {
      return centres.map(([cx, cy]) => svg('circle', { cx, cy, ...attributes }));
    };
    const picture = svg('svg', { viewBox: `0 0 ${right} ${bottom}`, 'aria-hidden': 'true' }, [
      svg('defs', {}, [
        gradient('plate', ['plate-light', 'plate', 'plate-dark']),
        gradient('bevel', ['bevel-dark', 'bevel-none', 'bevel-light']),
        svg('radialGradient', { id: 'shade', cy: '0.6', r: '0.56' }, [
          svg('stop', { offset: '0.78', class: 'shade-none' }),
          svg('stop', { offset: '1', class: 'shade' }),
        ]),
      ]),
      // Inside of the plate, whose corners are round.
      svg('rect', { class: 'back', x: 8, y: 8, width: right - 16, height: bottom - 16 }),
      this.#ghost,
      this.#stones,
      svg('path', {
        d: `M0 0h${right}v${bottom}h${-right}z${holes.join('')}`,
        fill: 'url(#plate)',
        'fill-rule': 'evenodd',
      }),
      ...circles({ r: HOLE + 0.5, fill: 'url(#shade)' }),
      ...circles({ r: HOLE + 1, fill: 'none', stroke: 'url(#bevel)', 'stroke-width': 3 }),
      this.#front,
    ]);
    return picture;
  }

  #cells() {
    const { width, height } = this.#size;
    return Array.from({ length: width * height }, (_, at) => ({
      column: at % width,
      row: Math.floor(at / width),
    }));
  }

  #centre({ column, row }) {
    return [CELL * (column + 0.5), CELL * (this.#size.height - row - 0.5)];
  }

  #button(column, onPlay) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'column';
    button.dataset.column = letter(column);
    const well = document.createElement('span');
    well.className = 'well';
    const value = document.createElement('span');
    value.className = 'value';
    button.append(well, value);
    button.addEventListener('click', () => onPlay(column));
    const point = (to) => () => {
      if (to === null && this.#pointed !== column) return;
      this.#pointed = to;
      this.#drawGhost();
    };
    button.addEventListener('pointerenter', (event) => {
      if (event.pointerType === 'mouse') point(column)();
    });
    button.addEventListener('pointerleave', point(null));
    button.addEventListener('focus', () => {
      if (button.matches(':focus-visible')) point(column)();
    });
    button.addEventListener('blur', point(null));
    return button;
  }

  /**
   * Shows a position. A single new stone falls; `mayPlay` tells whether the reader is to move.
   * While a position is set up, all columns can be chosen.
   */
  show(position, mayPlay, isSetUp = false) {
    const isNew = position !== this.#position;
    this.#position = position;
    this.#mayPlay = mayPlay;
    this.#drawGhost();
    if (isNew) {
      this.#drawStones();
      this.#drawFours();
      this.#fillTable();
    }
    this.columns.forEach((button, column) => {
      const canChoose = isSetUp || (mayPlay && position.canPlay(column));
      button.setAttribute('aria-disabled', String(!canChoose));
    });
  }

  #drawStones() {
    const position = this.#position;
    const added = [];
    for (const cell of this.#cells()) {
      const name = `${cell.column}/${cell.row}`;
      const player = position.stoneAt(cell.column, cell.row);
      const drawn = this.#drawn.get(name);
      if (drawn?.player === player) continue;
      drawn?.element.remove();
      this.#drawn.delete(name);
      if (player === undefined) continue;
      const place = `translate(${this.#centre(cell).join()})`;
      const element = svg('g', { transform: place }, [stone(player)]);
      this.#stones.append(element);
      this.#drawn.set(name, { player, element });
      added.push({ cell, element });
    }
    if (added.length === 1) this.#drop(added[0]);
    const inFour = new Set(position.fours.flat().map(({ column, row }) => `${column}/${row}`));
    const last = position.last && `${position.last.column}/${position.last.row}`;
    for (const [name, { element }] of this.#drawn) {
      element.classList.toggle('last', name === last);
      element.classList.toggle('in-four', inFour.has(name));
    }
    this.#stones.classList.toggle('won', inFour.size > 0);
  }

  /** Lets a stone fall from above the board, and bounce once. */
  #drop({ cell, element }) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const height = CELL * (this.#size.height - cell.row);
    const at = (y, offset, easing) => ({ transform: `translateY(${y}px)`, offset, easing });
    element.firstChild.animate([
      at(-height, 0, 'cubic-bezier(0.5, 0, 0.9, 0.7)'),
      at(0, 0.72, 'ease-out'),
      at(-0.04 * height, 0.85, 'ease-in'),
      at(0, 1),
    ], 180 + 110 * Math.sqrt(height / CELL));
  }

  /** Where a stone would come to rest in the column that is pointed at. */
  #drawGhost() {
    const column = this.#pointed;
    const position = this.#position;
    this.#ghost.replaceChildren();
    if (column === null || !this.#mayPlay || !position.canPlay(column)) return;
    const cell = { column, row: position.stacks[column].length };
    const place = `translate(${this.#centre(cell).join()})`;
    this.#ghost.append(svg('g', { transform: place }, [stone(position.mover)]));
  }

  #drawFours() {
    this.#front.replaceChildren(...this.#position.fours.flatMap((four) => {
      const [[x1, y1], [x2, y2]] = [four[0], four.at(-1)].map((cell) => this.#centre(cell));
      const ends = { x1, y1, x2, y2 };
      const rings = four.map((cell) => {
        const [cx, cy] = this.#centre(cell);
        return svg('circle', { class: 'four-ring', cx, cy, r: HOLE - 3 });
      });
      return [
        svg('line', { class: 'four-edge', ...ends }),
        svg('line', { class: 'four-line', ...ends }),
        ...rings,
      ];
    }));
  }

  #fillTable() {
    const { width, height } = this.#size;
    const cell = (name, text) => Object.assign(document.createElement(name), { textContent: text });
    const row = (cells) => {
      const line = document.createElement('tr');
      line.append(...cells);
      return line;
    };
    const columns = Array.from({ length: width }, (_, column) => column);
    const rows = Array.from({ length: height }, (_, at) => height - 1 - at);
    this.#table.tBodies[0].replaceChildren(
      row([cell('td', ''), ...columns.map((column) => cell('th', `Column ${letter(column)}`))]),
      ...rows.map((at) => row([
        cell('th', `Row ${at + 1}`),
        ...columns.map((column) => cell('td', this.#words(column, at))),
      ])),
    );
  }

  #words(column, row) {
    const position = this.#position;
    const player = position.stoneAt(column, row);
    if (player === undefined) return 'empty';
    const isHere = (cell) => cell.column === column && cell.row === row;
    return [
      PLAYERS[player].name,
      position.last && isHere(position.last) && 'last move',
      position.fours.flat().some(isHere) && 'in the four',
    ].filter(Boolean).join(', ');
  }
}

/** From top to bottom, in colours that the style sheet knows. */
function gradient(id, classes) {
  const stops = classes.map((name, at) => {
    return svg('stop', { offset: at / (classes.length - 1), class: name });
  });
  return svg('linearGradient', { id, x2: 0, y2: 1 }, stops);
}

/** A stone around the origin, with the mark of its player; a cell is 100 wide. */
function stone(player) {
  const { kind, mark } = PLAYERS[player];
  return svg('g', { class: `stone ${kind}` }, [
    svg('circle', { class: 'disc', r: 44 }),
    svg('circle', { class: 'rim', r: 33 }),
    mark === 'cross'
      ? svg('path', { class: 'mark', d: 'M-12-12 12 12M12-12-12 12' })
      : svg('circle', { class: 'mark', r: 14 }),
  ]);
}

/** A stone as a picture of its own, for a line of text. */
export function icon(player) {
  return svg('svg', { class: 'icon-stone', viewBox: '-46 -46 92 92', 'aria-hidden': 'true' }, [
    stone(player),
  ]);
}

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** An SVG element. */
function svg(name, attributes = {}, children = []) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
