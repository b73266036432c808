import { testSingles } from './singles.ts';

testSingles(1, 2);
