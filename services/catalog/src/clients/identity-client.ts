import type { Client } from '@parlance/grpc-kit';
import type { ProjectTeamsClient } from '../domain/ports';

/** How long creating the teams of a project may delay the response, in milliseconds. */
const TEAMS_TIMEOUT_MS = 5_000;

/** Client of identity, which stores the teams of projects. */
export function identityClient(client: Client<'identity'>, ownCaller: () => string): ProjectTeamsClient {
  return {
    async ensure({ id, settings }, creatorUserId) {
      const { slug, accessControl, translationReview, sourceReview } = settings;
      await client.ensureProjectTeams(
        { projectId: id, slug, accessControl, translationReview, sourceReview, creatorUserId },
        { as: ownCaller(), timeoutMs: TEAMS_TIMEOUT_MS },
      );
    },
  };
}
