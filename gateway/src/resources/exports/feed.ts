import type { catalog, translation as proto } from '@parlance/contracts';
import { Feed } from 'feed';
import { actionNames } from '@parlance/contracts';
import type { Links } from '../../responses/links';
import { checksum, type ChangeContext } from '../translations/present';

/** Subject of a feed. */
export interface FeedInfo {
  title: string;
  description: string;
  /** Web page of the subject. */
  link: string;
  /** The feed's own address. */
  self: string;
}

/** Characters that XML cannot represent. */
const forbidden = /[\p{Cc}\uFFFE\uFFFF]|\p{Cs}/gu;
const clean = (text: string): string => text.replace(forbidden, (c) => (/[\t\n\r]/.test(c) ? c : ''));

function escape(text: string): string {
  return clean(text).replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]!);
}

/** Web page of a change's subject: the string, translation, component, project or site; a fragment makes it unique. */
function pageOf(
  c: proto.Change__Output,
  context: ChangeContext,
  units: ReadonlyMap<number, proto.Unit__Output>,
  links: Links,
  projects: ReadonlyMap<number, catalog.Project__Output>,
): string {
  const view = context.components.get(c.componentId);
  const language = context.translations.get(c.translationId)?.languageCode;
  const unit = units.get(c.unitId);
  const project = projects.get(c.projectId);
  let path = project ? `projects/${project.slug}/` : '';
  if (view) {
    const place = `${view.project.slug}/${view.component.path}/`;
    if (unit) path = `translate/${place}${unit.languageCode}/?checksum=${checksum(unit.idHash)}`;
    else path = `projects/${place}${language ? `${language}/` : ''}`;
  }
  return `${links.web(path)}#change-${c.id}`;
}

/** Changes as RSS 2.0, newest first. */
export function presentFeed(
  feed: FeedInfo,
  changes: readonly proto.Change__Output[],
  context: ChangeContext,
  units: ReadonlyMap<number, proto.Unit__Output>,
  links: Links,
  projects: ReadonlyMap<number, catalog.Project__Output> = new Map(),
): string {
  const newest = changes[0];
  const document = new Feed({
    title: clean(feed.title),
    description: clean(feed.description),
    link: feed.link,
    feedLinks: { rss: feed.self },
    language: 'en',
    generator: 'Parlance',
    // A feed without entries has never changed.
    updated: new Date(newest?.timeMs ?? 0),
  });
  for (const c of changes) {
    const title = actionNames[c.action] ?? 'Unknown';
    const user = context.users.get(c.userId) ?? context.users.get(c.authorId);
    const who = user ? user.fullName || user.username : 'Parlance';
    const when = new Date(c.timeMs);
    const about = [`${title} by ${who} at ${when.toISOString()}`, c.target].filter(Boolean).map(escape).join('<br />');
    document.addItem({
      title: clean(title),
      link: pageOf(c, context, units, links, projects),
      description: about,
      // Makes the library declare the namespace that dc:creator needs.
      content: about,
      date: when,
      extensions: [{ name: 'dc:creator', objects: { _text: clean(who) } }],
    });
  }
  return document.rss2();
}
