import { TakenError } from '../domain/ports';
import { LOST_RACE, reportTaken, updateObject } from './save-object';

describe('updateObject', () => {
  beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => jest.restoreAllMocks());

  it('updateObject retries after a lost race', async () => {
    const attempt = jest.fn(() => Promise.resolve<string | typeof LOST_RACE>('saved')).mockResolvedValueOnce(LOST_RACE);
    expect(await updateObject(attempt)).toBe('saved');
    expect(attempt).toHaveBeenCalledTimes(2);
  });

  it('updateObject returns a null result without a retry', async () => {
    expect(await updateObject(() => Promise.resolve(null))).toBeNull();
  });

  it('updateObject fails with CONFLICT if every attempt loses its race', async () => {
    await expect(updateObject(() => Promise.resolve(LOST_RACE))).rejects.toMatchObject({ reason: 'CONFLICT' });
  });

  it('updateObject reports a taken value as a field error without a retry', async () => {
    const attempt = jest.fn(() => Promise.reject(new TakenError('slug')));
    await expect(updateObject(attempt)).rejects.toMatchObject({
      problems: [{ attr: 'slug', code: 'unique', detail: 'This slug is taken.' }],
    });
    expect(attempt).toHaveBeenCalledTimes(1);
  });
});

describe('reportTaken', () => {
  it('reportTaken lets the use case word the problem', async () => {
    const problem = { attr: 'name', code: 'unique', detail: 'The add-on is installed already.' };
    const write = () => Promise.reject(new TakenError('name'));
    await expect(reportTaken(write, () => problem)).rejects.toMatchObject({ problems: [problem] });
  });

  it('reportTaken passes on other errors', async () => {
    await expect(reportTaken(() => Promise.reject(new Error('store unavailable')))).rejects.toThrow(
      'store unavailable',
    );
  });
});
