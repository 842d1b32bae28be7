import { Eta } from 'eta';
import type { Site } from '../../responses/site';
import { assets, scriptDigest } from './assets';
import { fields, form, profile, securityKey } from './views/account';
import { apiControl, apiForm, apiHidden, apiToken, apiView } from './views/api';
import { docs } from './views/docs';
import { engage } from './views/engage';
import { bar, layout, pager, progress, trail } from './views/layout';
import { overview } from './views/overview';
import { problem } from './views/problem';
import { translate } from './views/translate';

/** Content of the frame of every page. */
export interface Frame {
  title: string;
  site: Site;
  /** '' for anonymous callers. */
  username: string;
  /** Token for the forms of a session; absent: the caller is not signed in by one. */
  csrfToken?: string | undefined;
  /** Address of the feed of the page's subject. */
  feed?: string;
  /** Search engines skip the page. */
  hidden?: boolean;
}

const views = { api: apiView, engage, form, overview, problem, profile, translate } as const;

/** Parts that views include. */
const fragments = {
  layout,
  trail,
  bar,
  fields,
  securityKey,
  progress,
  pager,
  apiControl,
  apiForm,
  apiHidden,
  apiToken,
};

/** `<%= %>` escapes `& < > " '`; attributes are always in quotes. */
const eta = new Eta({ autoEscape: true });
for (const [name, view] of Object.entries({ docs, ...fragments, ...views })) eta.loadTemplate(`@${name}`, view);

/** Renders a view that is a whole page. */
export const renderView = (view: 'docs', model: object): string => eta.render(`@${view}`, model);

/** Renders a view within the layout. */
export function renderPage<Model extends Frame>(view: keyof typeof views, model: Model): string {
  const data = { ...model, assets, scriptDigest };
  return eta.render('@layout', { ...data, body: eta.render(`@${view}`, data) });
}
