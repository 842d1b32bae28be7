// Starts two replicas of every process, once for all modules whose tests use them.
import { start, stop } from './installation';
import './changes';
import './kept-replies';
import './access';
import './operation';

beforeAll(start, 300_000);
afterAll(stop);
