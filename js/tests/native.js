// The native program, to compare with: STRONG4 names it.

import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

export const PROGRAM = process.env.STRONG4 ?? new URL('../../target/release/strong4', import.meta.url).pathname;

/** What the program prints, where there are no tables. */
export function strong4(args, input = '') {
  const options = { input, cwd: tmpdir(), maxBuffer: 1 << 30, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] };
  return execFileSync(PROGRAM, args, options);
}

/** A record for each line of its output. */
export function records(args, input) {
  return strong4(args, input).split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

/** What it says of a mistake. */
export function complaint(args) {
  try {
    execFileSync(PROGRAM, args, { cwd: tmpdir(), encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    return error.stderr.replace(/^strong4: error: |\n$/g, '');
  }
  throw new Error(`strong4 ${args.join(' ')} succeeds`);
}

/** The games of a file of data/positions with their scores: `most` of them, spread evenly. */
export function positions(name, most = Infinity) {
  const file = new URL(`../../data/positions/${name}.txt`, import.meta.url);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const step = Math.max(1, Math.floor(lines.length / most));
  return lines.filter((_, at) => at % step === 0).slice(0, most).map((line) => {
    const [moves, score] = line.split(' ');
    return { moves, score: Number(score) };
  });
}

/** A running server, and its address. */
export async function serve(...options) {
  const args = ['serve', '--listen', '127.0.0.1:0', ...options];
  const server = spawn(PROGRAM, args, { cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    server.on('exit', () => reject(new Error(said)));
    server.stderr.on('data', (text) => {
      said += text;
      const found = said.match(/http:\/\/[\d.]+:\d+/);
      if (found) resolve(found[0]);
    });
  });
  return { address, stop: () => server.kill() };
}
