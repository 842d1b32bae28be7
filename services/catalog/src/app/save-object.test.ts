import { TakenError } from '../domain/ports';
import { LOST_RACE, reportTaken, updateObject } from './save-object';

describe('updateObject', () => {
  beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => jest.restoreAllMocks());

  it('repeats the attempt after a lost race', async () => {
    const attempt = jest.fn(() => Promise.resolve<string | typeof LOST_RACE>('saved')).mockResolvedValueOnce(LOST_RACE);
    expect(await updateObject(attempt)).toBe('saved');
    expect(attempt).toHaveBeenCalledTimes(2);
  });

  it('keeps null as a result, because it is no lost race', async () => {
    expect(await updateObject(() => Promise.resolve(null))).toBeNull();
  });

  it('fails with CONFLICT when every attempt loses its race', async () => {
    await expect(updateObject(() => Promise.resolve(LOST_RACE))).rejects.toMatchObject({ reason: 'CONFLICT' });
  });

  it('reports a taken value as a field error without another attempt', async () => {
    const attempt = jest.fn(() => Promise.reject(new TakenError('slug')));
    await expect(updateObject(attempt)).rejects.toMatchObject({
      problems: [{ attr: 'slug', code: 'unique', detail: 'This slug is taken.' }],
    });
    expect(attempt).toHaveBeenCalledTimes(1);
  });
});

describe('reportTaken', () => {
  it('lets the use case word the problem', async () => {
    const problem = { attr: 'name', code: 'unique', detail: 'The add-on is installed already.' };
    const write = () => Promise.reject(new TakenError('name'));
    await expect(reportTaken(write, () => problem)).rejects.toMatchObject({ problems: [problem] });
  });

  it('passes on other errors', async () => {
    await expect(reportTaken(() => Promise.reject(new Error('store unavailable')))).rejects.toThrow(
      'store unavailable',
    );
  });
});
