import type { translation as proto } from '@parlance/contracts';
import { presentFeed } from './feed';
import { Links } from '../../responses/links';

const change = (id: number, target: string): proto.Change__Output => ({
  id,
  action: 2,
  timeMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  projectId: 0,
  componentId: 0,
  translationId: 0,
  unitId: 0,
  languageCode: 'cs',
  userId: 0,
  authorId: 0,
  target,
  old: '',
  detailsJson: '',
});
const facts = { title: 'A & B', description: 'd', link: 'http://h/', self: 'http://h/exports/rss/?a=1&b=2' };
const context = { components: new Map(), users: new Map(), translations: new Map() };
const made = (...changes: proto.Change__Output[]) =>
  presentFeed(facts, changes, context, new Map(), new Links('http://h'));

describe('feeds', () => {
  it('feeds conform to RSS 2.0 and give every entry a unique address', () => {
    const xml = made(change(1, 'x'), change(2, 'y'));
    expect(xml).toContain('<title>A &amp; B</title>');
    expect(xml).toContain('xmlns:dc="http://purl.org/dc/elements/1.1/"');
    expect(xml).toContain('href="http://h/exports/rss/?a=1&amp;b=2" rel="self"');
    expect(xml).toContain('<lastBuildDate>Fri, 02 Jan 2026 03:04:05 GMT</lastBuildDate>');
    expect(xml).toContain('<dc:creator>Parlance</dc:creator>');
    const guids = [...xml.matchAll(/<guid isPermaLink="true">([^<]*)<\/guid>/g)].map((m) => m[1]);
    expect(guids).toEqual(['http://h/#change-1', 'http://h/#change-2']);
  });

  it('feeds escape hostile texts', () => {
    const xml = made(change(1, ']]><script>alert(1)</script>\u0000\u0008\ud800'));
    expect(xml).not.toContain('<script>');
    for (const forbidden of ['\u0000', '\u0008', '\ud800']) expect(xml).not.toContain(forbidden);
    expect(xml.match(/<item>/g)).toHaveLength(1);
  });

  it('feeds are valid without entries', () => {
    expect(made()).toContain('</channel>');
  });
});
