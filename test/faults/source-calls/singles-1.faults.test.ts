import { testSingles } from './singles.ts';

testSingles(0, 2);
