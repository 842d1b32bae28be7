import type { AddonDefinition } from './definition';

/** What of a component decides whether an add-on is of use. */
export interface FitFacts {
  readonly fileFormat: string;
  readonly template: string;
  readonly newBase: string;
  readonly editTemplate: boolean;
  readonly vcs: string;
  /** It shares the repository of another component. */
  readonly linked: boolean;
}

/** Why an add-on is of no use in a component, as far as its settings say; null: it fits. Files in the repository are not looked at. */
export function addonFit(definition: AddonDefinition, facts: FitFacts): string | null {
  const { formats, monolingualOr, versionControls, ownRepository, editTemplate, newBase } = definition.fits;
  if (formats && !formats.includes(facts.fileFormat))
    return `The add-on is for files of the formats ${formats.join(', ')}.`;
  if (monolingualOr && !facts.template && !monolingualOr.includes(facts.fileFormat))
    return 'The add-on is for monolingual components.';
  if (versionControls && !versionControls.includes(facts.vcs))
    return `The add-on is for repositories of the kinds ${versionControls.join(', ')}.`;
  if (ownRepository && facts.linked)
    return 'The component shares the repository of another one; install the add-on there.';
  if (editTemplate && !facts.editTemplate) return 'The base file of the component cannot be edited.';
  if (newBase && !facts.newBase) return 'The component has no template for new translations (new_base).';
  return null;
}
