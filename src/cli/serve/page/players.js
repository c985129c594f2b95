// The two players. Each has a colour, and a mark on its stones for those who cannot tell the
// colours apart: a cross for X of the command line, a ring for O.

export const FIRST = 0;
export const SECOND = 1;

export const PLAYERS = [
  { name: 'Red', kind: 'red', mark: 'cross' },
  { name: 'Yellow', kind: 'yellow', mark: 'ring' },
];

export function other(player) {
  return 1 - player;
}
