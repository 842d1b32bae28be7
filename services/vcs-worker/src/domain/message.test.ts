import type { Component } from './component';
import { renderMessage, usesStats } from './message';

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
  it('commit messages can contain component, language and statistics', () => {
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
  it('commit messages are never empty', () =>
    expect(renderMessage('{{ author }}', component('App'), site, {})).toBe('Update App'));
  it('commit messages can list the components that share the repository', () => {
    const text = renderMessage(
      '{% for child in component_linked_children %}{{ child.name }};{% endfor %}',
      component('App'),
      site,
      { linked: [component('Doc'), component('Web')] },
    );
    expect(text).toBe('Doc;Web;');
  });
  it('commit messages cannot run code', () =>
    expect(() => renderMessage('{{ constructor.constructor("return 1")() }}', component('App'), site, {})).toThrow());
  it('statistics are loaded only if a template uses them', () => {
    expect(usesStats('{{ stats.all }}')).toBe(true);
    expect(usesStats('{{ author }}')).toBe(false);
  });
});
