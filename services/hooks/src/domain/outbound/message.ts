import type { PayloadKind } from './subscription';

/** A history entry with the names needed for a message. */
export interface AnnouncedChange {
  id: number;
  action: number;
  timeMs: number;
  projectId: number;
  projectSlug: string;
  componentId: number;
  /** Slugs of categories and component, joined by slashes; '' for changes of a project. */
  componentPath: string;
  translationId: number;
  languageCode: string;
  unitId: number;
  userId: number;
  authorId: number;
  target: string;
  old: string;
  /** JSON object. */
  detailsJson: string;
}

function details(json: string): unknown {
  try {
    return JSON.parse(json || '{}');
  } catch {
    return {};
  }
}

/** Characters that Slack reads as markup. */
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
/** In characters. */
const SLACK_TEXT = 300;
/** A cut between the halves of a surrogate pair would leave an unpaired one, which strict JSON parsers reject. */
const excerptOf = (text: string) => [...text].slice(0, SLACK_TEXT).join('');

/** The JSON text posted for a change. */
export function messageBody(kind: PayloadKind, change: AnnouncedChange): string {
  const place = [change.projectSlug, change.componentPath, change.languageCode].filter(Boolean).join('/');
  if (kind === 'slack') {
    const text = `Action ${change.action} in ${place}${change.target ? `: ${excerptOf(change.target)}` : ''}`;
    return JSON.stringify({ text: escaped(text) });
  }
  return JSON.stringify({
    change_id: change.id,
    action: change.action,
    timestamp: new Date(change.timeMs).toISOString(),
    project: change.projectSlug || null,
    component: change.componentPath || null,
    translation: change.languageCode || null,
    unit_id: change.unitId || null,
    user_id: change.userId || null,
    author_id: change.authorId || null,
    target: change.target,
    old: change.old,
    details: details(change.detailsJson),
  });
}
