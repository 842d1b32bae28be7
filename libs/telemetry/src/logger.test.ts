import type { Logger } from 'pino';

const levelWith = (wanted: string | undefined): string => {
  const before = process.env['LOG_LEVEL'];
  if (wanted === undefined) delete process.env['LOG_LEVEL'];
  else process.env['LOG_LEVEL'] = wanted;
  let level = '';
  jest.isolateModules(() => {
    level = (jest.requireActual('./logger') as { logger: Logger }).logger.level;
  });
  if (before === undefined) delete process.env['LOG_LEVEL'];
  else process.env['LOG_LEVEL'] = before;
  return level;
};

it('the logger uses the level of the environment, and still reports an invalid level', () => {
  expect(levelWith('debug')).toBe('debug');
  expect([undefined, '', 'verbose', 'toString'].map(levelWith)).toEqual(['info', 'info', 'info', 'info']);
});
