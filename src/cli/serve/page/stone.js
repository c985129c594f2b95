// A stone: a disc in the colour of its player, with his mark.

import { PLAYERS } from './players.js';
import { svg } from './svg.js';

/** A stone around the origin; a cell is 100 wide. */
export function stone(player) {
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
