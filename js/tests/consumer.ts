// A program in TypeScript, compiled strictly: the declarations describe what there is.

import { Solver, type Analysis, type Outcome, type Review } from 'strong4';

const solver: Solver = await Solver.create({ board: '7x6', openings: true, searchMemory: 1 << 20 });
const scores: (number | null)[] = await solver.moveScores('4453');
const best: number | null = await solver.bestMove([4, 4, 5, 3], { level: 3, seed: 7 });
const outcome: Outcome = await solver.outcome({ key: 4433219977345n });
const answer: Analysis = await solver.analyze('4453', { signal: new AbortController().signal, limit: 2 });
const review: Review = await solver.review('4444443233');
for await (const record of solver.watch('4453')) {
  const line: string | null = record.line;
  if (line === null) break;
}
const columns: string = answer.columns.map((worth) => worth?.score ?? '?').join(' ');
const decided: number | null = review.decided_by;
console.log(JSON.stringify({ scores, outcome, columns, decided, isColumn: best !== null && best <= 7 }));

// @ts-expect-error there is no such level
void (() => solver.bestMove('4', { level: 6 }));
// @ts-expect-error a number is no position
void (() => solver.score(4453));
// @ts-expect-error solvers are made by Solver.create
void (() => new Solver());

solver.close();
