import { defaultMessages, messageVariables, renderTemplate, repoWebVariables, templateProblem } from './index';

describe('message templates', () => {
  it('message templates render variables, filters, conditions and loops', () => {
    const scope = {
      filename: 'src/po/cs.po',
      stats: { all: 3 },
      component_linked_children: [{ name: 'A' }, { name: 'B' }],
    };
    expect(renderTemplate('{{ filename|basename|stripext }} {{stats.all}}{# no #}', scope)).toBe('cs 3');
    expect(renderTemplate('{% for c in component_linked_children %}<{{ c.name }}>{% endfor %}', scope)).toBe('<A><B>');
    expect(renderTemplate('{% if not author %}nobody{% else %}{{ author }}{% endif %}', scope)).toBe('nobody');
    expect(renderTemplate('{{ filename|parentdir }} {{ filename|dirname }} {{ constructor }}', scope)).toBe(
      'po/cs.po src/po ',
    );
  });

  it('message templates have valid defaults', () => {
    for (const text of Object.values(defaultMessages)) expect(templateProblem(text, messageVariables)).toBeNull();
  });

  it.each([
    ['{{ unknown }}', 'no variable'],
    ['{{ author', 'not closed'],
    ['{% author %}', 'no tag'],
    ['{{ author|shell }}', 'no filter'],
    ['{% if author %}', 'endif is missing'],
    ['{{ author + 1 }}', 'not the name'],
    ['{% for c in author %}{% endfor %}', 'not a list'],
    ['{{ component_linked_children }}', 'is a list'],
    ['{% if author %}'.repeat(20), 'nested too deeply'],
    ['{{ }}', 'not the name'],
  ])('message templates are rejected if they are invalid: %s', (text, why) => {
    expect(templateProblem(text, messageVariables)).toContain(why);
  });

  it('message templates have separate variables for repository browsers', () => {
    expect(templateProblem('https://example.com/{{branch}}/{{filename}}#L{{line}}', repoWebVariables)).toBeNull();
    expect(templateProblem('{{ author }}', repoWebVariables)).toContain('no variable');
  });
});
