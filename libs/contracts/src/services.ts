import type {
  backup,
  catalog,
  hooks,
  identity,
  media,
  process,
  statistics,
  translation,
  vcsWorker,
} from './generated/index';

/** The generated handler and definition types of every contract. */
export interface ServiceTypes {
  backup: { handlers: backup.BackupServiceHandlers; definition: backup.BackupServiceDefinition };
  process: { handlers: process.ProcessServiceHandlers; definition: process.ProcessServiceDefinition };
  identity: { handlers: identity.IdentityServiceHandlers; definition: identity.IdentityServiceDefinition };
  catalog: { handlers: catalog.CatalogServiceHandlers; definition: catalog.CatalogServiceDefinition };
  translation: {
    handlers: translation.TranslationServiceHandlers;
    definition: translation.TranslationServiceDefinition;
  };
  'vcs-worker': { handlers: vcsWorker.VcsWorkerServiceHandlers; definition: vcsWorker.VcsWorkerServiceDefinition };
  media: { handlers: media.MediaServiceHandlers; definition: media.MediaServiceDefinition };
  statistics: { handlers: statistics.StatisticsServiceHandlers; definition: statistics.StatisticsServiceDefinition };
  hooks: { handlers: hooks.HooksServiceHandlers; definition: hooks.HooksServiceDefinition };
}
