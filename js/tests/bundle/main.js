// What a page of somebody else does with the package.

import { Solver } from 'strong4';

const solver = await Solver.create();
document.querySelector('output').textContent = JSON.stringify(await solver.moveScores('4453'));
