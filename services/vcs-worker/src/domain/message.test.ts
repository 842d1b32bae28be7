import type { Component } from './component';
import { renderMessage, speaksOfStats } from './message';

const component = (name: string) =>
  ({
    settings: {
      name,
      slug: name.toLowerCase(),
      path: `cat/${name.toLowerCase()}`,
      projectSlug: 'hello',
      branch: 'main',
    },
    project: { name: 'Hello', slug: 'hello' },
  }) as unknown as Component;
const site = { url: 'https://example.org/', title: 'Site' };

describe('messages of commits', () => {
  it('speak of component, language and numbers', () => {
    const text = renderMessage(
      '{{ component_name }} {{ language_code }} {{ stats.translated }}/{{ stats.all }} {{ stats.translated_percent }}% {{ url }}\n',
      component('App'),
      site,
      {
        languageCode: 'cs',
        stats: { all: 3000, translated: 2999 },
      },
    );
    expect(text).toBe('App cs 2999/3000 99.9% https://example.org/projects/hello/cat/app/');
  });
  it('are never empty', () => expect(renderMessage('{{ author }}', component('App'), site, {})).toBe('Update App'));
  it('list the components that share the repository', () => {
    const text = renderMessage(
      '{% for child in component_linked_children %}{{ child.name }};{% endfor %}',
      component('App'),
      site,
      { linked: [component('Doc'), component('Web')] },
    );
    expect(text).toBe('Doc;Web;');
  });
  it('run nothing', () =>
    expect(() => renderMessage('{{ constructor.constructor("return 1")() }}', component('App'), site, {})).toThrow());
  it('ask for numbers only where a template speaks of them', () => {
    expect(speaksOfStats('{{ stats.all }}')).toBe(true);
    expect(speaksOfStats('{{ author }}')).toBe(false);
  });
});
