import type { Client, Implementation } from '@parlance/grpc-kit';
import { SecretBox } from '@parlance/secrets';
import { setTimeout as pause } from 'node:timers/promises';
import type { AutotranslateDeps } from './app/autotranslate/deps';
import { AutotranslateRuns } from './app/autotranslate/runs';
import type { MachineSuggestionsDeps } from './app/context/machine-suggestions';
import { engineHttp } from './app/machinery/http';
import type { MemoryDeps } from './app/memory/deps';
import { TasksClient } from './clients/tasks-client';
import type { CatalogWithFonts } from './app/fonts/catalog-with-fonts';
import type { Config } from './config';
import { makeAutotranslateHandlers, type AutotranslateMethod } from './grpc/handlers/autotranslate-handlers';
import { MongoAutotranslateLeaseStore } from './store/leases/autotranslate-lease-store';
import type { ContentGenerations } from './domain/ports';
import { MongoMachineryStore } from './store/machinery-store';
import type { Models } from './store/models';

/** Composes automatic translation: engine settings, runs, handlers. */
export function composeAutotranslate({
  app,
  memory,
  models,
  config,
  vcsWorker,
  callerToken,
}: {
  app: Omit<AutotranslateDeps & MachineSuggestionsDeps, 'memory' | 'machinery' | 'tasks' | 'componentNamed'> & {
    catalog: CatalogWithFonts;
    contents: ContentGenerations;
  };
  memory: MemoryDeps;
  models: Pick<Models, 'machinery' | 'autotranslateLeases'>;
  config: Pick<Config, 'PARLANCE_ENCRYPTION_KEY' | 'PARLANCE_ALLOW_PRIVATE_REMOTES'>;
  vcsWorker: Client<'vcs-worker'>;
  callerToken: () => string;
}): { handlers: Pick<Implementation<'translation'>, AutotranslateMethod>; stop(): Promise<void> } {
  const deps: AutotranslateDeps & MachineSuggestionsDeps = {
    ...app,
    memory,
    componentNamed: (project, path) => app.catalog.named(project, path),
    machinery: {
      store: new MongoMachineryStore(models.machinery, app.contents),
      secrets: new SecretBox(config.PARLANCE_ENCRYPTION_KEY),
      http: (signal) =>
        engineHttp({ allowPrivate: config.PARLANCE_ALLOW_PRIVATE_REMOTES, pause, ...(signal ? { signal } : {}) }),
    },
    tasks: new TasksClient(vcsWorker, callerToken),
  };
  const runs = new AutotranslateRuns({ ...deps, leases: new MongoAutotranslateLeaseStore(models.autotranslateLeases) });
  return { handlers: makeAutotranslateHandlers(deps, runs), stop: () => runs.stop() };
}
