import type { z } from 'zod';
import type { Call, Reply } from '../routing/call';
import type { projectSchema } from '../resources/projects/schema';
import type { statisticsSchema } from '../resources/statistics/schema';
import { escaped } from './rendering/escape';
import { foreignLink } from './overviews/model';
import { projectLanguage, projectLanguages } from './overviews/project-languages';
import { readApi } from './read-api';
import { pageReply } from './rendering/reply';

type Project = z.infer<typeof projectSchema>;
type Statistics = z.infer<typeof statisticsSchema>;

/** The page of `share_url`: invites to translate a project into one or all of its languages. */
export async function engagePage(call: Call): Promise<Reply> {
  const { slug } = call.project;
  const code = call.params['code'];
  const [project, all] = await Promise.all([
    readApi<Project>(call, '/api/projects/:project/', { project: slug }),
    readApi<Statistics>(call, '/api/projects/:project/statistics/', { project: slug }),
  ]);
  const one = code === undefined ? undefined : await projectLanguage(call, code);
  const languages = one ? [] : await projectLanguages(call, slug);
  const scope = one ? `${slug}/-/${code}` : slug;
  const widgets = call.links.web(`widget/${scope}`);
  const address = call.links.web(`engage/${one ? `${slug}/-/${code}` : slug}/`);
  const badge = (file: string) => ({ image: `${widgets}/${file}`, href: address, text: 'Translation status' });
  const website = foreignLink('Website', project.web);
  const rows = languages.map((l) => ({
    text: l.language,
    href: call.links.web(`engage/${slug}/-/${l.code}/`),
    progress: l,
    badge: call.links.web(`widget/${slug}/-/${l.code}/svg-badge.svg`),
  }));
  return pageReply(call, 'engage', {
    title: one ? `Translate ${project.name} into ${one.language}` : `Translate ${project.name}`,
    trail: [{ text: project.name, href: project.web_url }],
    lead: project.instructions,
    progress: one ?? all,
    links: [
      one ? { text: 'Strings', href: one.translate_url! } : { text: 'Languages and components', href: project.web_url },
      ...(one ? [{ text: 'All languages', href: call.links.web(`engage/${slug}/`) }] : []),
      ...(website ? [website] : []),
    ],
    badges: [badge('svg-badge.svg'), ...(one ? [] : [badge('multi-auto.svg')])],
    markdown: `[![Translation status](${widgets}/svg-badge.svg)](${address})`,
    html: `<a href="${escaped(address)}"><img src="${escaped(`${widgets}/svg-badge.svg`)}" alt="Translation status"></a>`,
    tables: one ? [] : [{ title: 'Languages', empty: 'There are no translations yet.', rows }],
    api: project.url,
    feed: call.links.web(`exports/rss/${scope}/`),
  });
}
