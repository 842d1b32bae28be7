import { messageBody, type AnnouncedChange } from './message';

const change: AnnouncedChange = {
  id: 4,
  action: 2,
  timeMs: 0,
  projectId: 1,
  projectSlug: 'p',
  componentId: 2,
  componentPath: 'cat/c',
  translationId: 3,
  languageCode: 'cs',
  unitId: 0,
  userId: 7,
  authorId: 7,
  target: '<b>Ahoj</b>',
  old: '',
  detailsJson: '{"a":1}',
};
const slackText = (fields: Partial<AnnouncedChange>) =>
  (JSON.parse(messageBody('slack', { ...change, ...fields })) as { text: string }).text;

describe('messageBody', () => {
  it('messages describe the change', () => {
    expect(JSON.parse(messageBody('change', change))).toEqual({
      change_id: 4,
      action: 2,
      timestamp: '1970-01-01T00:00:00.000Z',
      project: 'p',
      component: 'cat/c',
      translation: 'cs',
      unit_id: null,
      user_id: 7,
      author_id: 7,
      target: '<b>Ahoj</b>',
      old: '',
      details: { a: 1 },
    });
    expect(JSON.parse(messageBody('slack', change)).text).toBe('Action 2 in p/cat/c/cs: &lt;b&gt;Ahoj&lt;/b&gt;');
    expect(JSON.parse(messageBody('change', { ...change, detailsJson: 'broken' })).details).toEqual({});
  });

  it('a change of a project has neither component nor translation', () => {
    const ofProject = { ...change, componentPath: '', languageCode: '', target: '', userId: 0, detailsJson: '' };
    expect(JSON.parse(messageBody('change', ofProject))).toMatchObject({
      project: 'p',
      component: null,
      translation: null,
      user_id: null,
      details: {},
    });
    expect(slackText(ofProject)).toBe('Action 2 in p');
  });

  it('a message for Slack quotes at most 300 characters of a text', () => {
    expect(slackText({ target: 'x'.repeat(301) })).toBe(`Action 2 in p/cat/c/cs: ${'x'.repeat(300)}`);
  });

  it('a quotation for Slack does not end within a surrogate pair', () => {
    expect(slackText({ target: `${'x'.repeat(299)}😀😀` })).toBe(`Action 2 in p/cat/c/cs: ${'x'.repeat(299)}😀`);
  });
});
