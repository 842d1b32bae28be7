import type { Call, Reply } from '../routing/call';
import type { Endpoint } from '../routing/endpoint';
import { assetEndpoint } from './rendering/assets';
import { docsPage } from './docs/docs-page';
import { engagePage } from './engage';
import { componentListPage } from './overviews/components';
import { languagePage, languagesPage } from './overviews/languages';
import { placePage } from './overviews/place-page';
import { projectPage, projectsPage } from './overviews/projects';
import { placeAt } from './places';
import { translatePage } from './translate';
import { widget } from './widgets/widgets';

const page = (path: string, doc: string, handle: (call: Call) => Promise<Reply>): Endpoint => ({
  method: 'GET',
  path,
  access: 'anyone',
  doc,
  ownFormat: true,
  handle,
});

/** The pages for browsers: the addresses in responses, feeds and mails lead to them. They are no part of the API's description. */
export const pageEndpoints: readonly Endpoint[] = [
  assetEndpoint,
  page('/', 'Home.', (call) => projectsPage(call, call.site.title)),
  page('/api/docs/', 'The documentation of the API.', (call) => Promise.resolve(docsPage(call))),
  page('/projects/', 'The projects that the caller may see.', (call) => projectsPage(call, 'Projects')),
  page('/projects/:project/', 'A project.', projectPage),
  page(
    '/projects/:project/:place/',
    'A component, translation or category, or a language of a project.',
    async (call) => placePage(call, await placeAt(call, call.params['place']!)),
  ),
  page('/translate/:project/:place/', 'The strings of a translation.', translatePage),
  page('/engage/:project/', 'Invites to translate a project.', engagePage),
  page('/engage/:project/-/:code/', 'Invites to translate a project into a language.', engagePage),
  page('/widget/:project/:place/', 'A badge as SVG.', widget),
  page('/languages/', 'The languages in use.', languagesPage),
  page('/languages/:code/', 'A language.', languagePage),
  page('/component-lists/:list/', 'A component list.', componentListPage),
];
