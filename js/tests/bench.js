// How long searches take in WebAssembly, beside the native program on one thread: positions of
// data/positions that no opening answers, and that take time. Both say themselves how long each
// answer took, the scores of all moves and a line included.
//
//     make bench-js            COUNT=… takes so many positions of each file

import { Solver } from 'strong4';
import { positions, records } from './native.js';

const COUNT = Number(process.env.COUNT ?? 25);
const FILES = ['29-41_1-13', '15-28_1-13', '15-28_14-28', '0-14_1-13', '0-14_14-28', '0-14_29-42'];
/** The openings have all positions of so many stones. */
const OPENINGS_TO = 9;

const ms = (micros) => (micros / 1000).toFixed(3).padStart(11);
const sum = (times) => times.reduce((total, time) => total + time, 0);
const line = (name, native, wasm) => {
  const ratio = (sum(wasm) / sum(native)).toFixed(2).padStart(7);
  const [a, b] = [native, wasm].map((times) => ms(sum(times) / times.length) + ms(Math.max(...times)));
  console.log(`${name.padEnd(14)}${String(wasm.length).padStart(6)}${a}${b}${ratio}`);
};

console.log('                    native, ms             WebAssembly, ms');
console.log('positions      number     mean      worst       mean      worst  ratio');
/** The positions that are measured. */
const measured = (name) => {
  const searched = positions(name).filter(({ moves }) => moves.length > OPENINGS_TO);
  const step = Math.max(1, Math.floor(searched.length / COUNT));
  return searched.filter((_, at) => at % step === 0).slice(0, COUNT).map(({ moves }) => moves);
};

const solver = await Solver.create();
// So that neither compiling nor clearing memory counts: an engine compiles again what runs often.
const late = new Set(measured(FILES[0]));
for (const { moves } of positions(FILES[0])) if (!late.has(moves)) await solver.analyze(moves);
await solver.analyze('3145175534244665');
const all = { native: [], wasm: [] };
for (const name of FILES) {
  const games = measured(name);
  if (games.length === 0) continue;
  const input = games.join('\n');
  const native = records(['query', '-', '--json', '--threads', '1'], input).map((record) => record.micros);
  const wasm = [];
  for (const moves of games) wasm.push((await solver.analyze(moves)).micros);
  line(name, native, wasm);
  all.native.push(...native);
  all.wasm.push(...wasm);
}
line('all', all.native, all.wasm);
solver.close();
