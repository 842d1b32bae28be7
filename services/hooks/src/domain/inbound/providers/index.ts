import type { Provider } from '../push';
import { azure } from './azure';
import { bitbucket } from './bitbucket';
import { forgejo, gitea } from './gitea';
import { gitee } from './gitee';
import { github } from './github';
import { gitlab } from './gitlab';
import { pagure } from './pagure';

/** All supported git hosts by path segment. */
export const providers: ReadonlyMap<string, Provider> = new Map(
  [github, gitlab, bitbucket, pagure, azure, gitea, forgejo, gitee].map((provider) => [provider.id, provider]),
);
